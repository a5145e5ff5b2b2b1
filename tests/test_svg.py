import re
import subprocess
import sys
from dataclasses import replace

import pytest
import scenes

from topoviz.drawing.scene import LAYERS, Box, Cells, Item, Line, Run, Text
from topoviz.renderers.markup import outline
from topoviz.renderers.markup.element import Element, number, written
from topoviz.renderers.svg import render
from topoviz.renderers.theme import load_theme, shipped

SVG = "{http://www.w3.org/2000/svg}"
LIGHT, AUTO = load_theme("light"), load_theme("auto")


def drawn(*shapes, theme=LIGHT, **wishes):
    return scenes.tree(render(scenes.scene(scenes.decor(*shapes), **wishes), theme, prefix="p"))


def painted(*shapes, theme=LIGHT):
    """Return the elements inside the group of the shapes."""
    return list(drawn(*shapes, theme=theme).find(f"{SVG}g/{SVG}g"))


def full(theme):
    return render(scenes.everything(), theme)


@pytest.mark.parametrize("theme", shipped())
def test_every_theme_gives_well_formed_pictures_with_unique_ids(theme):
    root = scenes.tree(full(load_theme(theme)))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {name.partition("-")[0] for name in ids} == {root.get("id")}


def test_the_root_names_itself_to_people_who_cannot_see_it():
    root = scenes.tree(render(scenes.everything(lang="zh-Hans"), LIGHT, prefix="p"))
    title, description = root[0], root[1]
    assert (root.get("class"), root.get("role"), root.get("lang")) == ("topoviz", "img", "zh-Hans")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}" == "p-title p-desc"
    assert (title.text, description.text) == ("A server", "One server with two GPUs.")
    assert root.get("viewBox") == "0 0 200 180"


def test_nodes_links_and_routes_carry_their_data():
    root = scenes.tree(full(LIGHT))
    groups = {g.get("class"): g.attrib for g in root.iter(f"{SVG}g")}
    assert groups["node nvswitch"] == {"class": "node nvswitch", "data-id": "nvs0", "data-kind": "nvswitch"}
    assert (
        groups["link nvlink"].items() >= {"data-source": "gpu1", "data-target": "nvs0", "data-bandwidth": "450"}.items()
    )
    assert groups["route"]["data-route"] == "A"
    assert "node power-shelf" in groups
    assert "label" in groups


def test_a_tooltip_comes_first_in_its_group():
    group = scenes.tree(full(LIGHT)).find(f".//{SVG}g[@data-id='gpu0']")
    assert (group[0].tag, group[0].text) == (f"{SVG}title", "gpu0: 18 links")


def test_layers_are_painted_back_to_front():
    layers = [g.get("class").split()[0] for g in scenes.tree(full(LIGHT)).findall(f"{SVG}g")]
    assert layers == [f"layer-{layer}" for layer in LAYERS]


def test_an_unknown_layer_is_an_error():
    with pytest.raises(ValueError, match="no such layer: 'sky'"):
        render(scenes.scene(scenes.decor(Text(x=1, y=1, content="a"), layer="sky")), LIGHT)


def test_neighbours_without_data_share_a_group():
    label = Item(role="label", layer="label", shapes=(Text(x=1, y=20, content="a"),))
    root = scenes.tree(render(scenes.scene(label, label), LIGHT))
    assert [g.get("class") for g in root.iter(f"{SVG}g")] == ["layer-label", "label"]


@pytest.mark.parametrize(
    ("shape", "tag", "attributes"),
    [
        (Box(x=1, y=2, width=3, height=4, radius=2, fill="gpu"), "rect", {"x": "1", "rx": "2", "fill": "#0B4F3C"}),
        (Box(x=0, y=0, width=30, height=10, shape="capsule", stroke="frame"), "rect", {"rx": "5", "stroke-width": "1.5"}),
        (Box(x=0, y=0, width=10, height=10, shape="disc", fill="badge"), "circle", {"cx": "5", "cy": "5", "r": "5"}),
        (Box(x=0, y=0, width=20, height=10, shape="disc", fill="badge"), "ellipse", {"rx": "10", "ry": "5"}),
        (Box(x=0, y=0, width=40, height=20, shape="hexagon"), "path", {"d": "M8.4 0H31.6L40 10L31.6 20H8.4L0 10Z"}),
        (Box(x=0, y=0, width=40, height=20, shape="hexagon", point=4), "path", {"d": "M4 0H36L40 10L36 20H4L0 10Z"}),
        (Box(x=0, y=0, width=4, height=4, stroke="gpu", dash=(6, 4), opacity=0.45), "rect", {"stroke-dasharray": "6 4", "opacity": "0.45"}),
        (Line(points=((0, 0), (0, 9)), stroke="gpu", width=2.4), "path", {"d": "M0 0V9", "stroke-width": "2.4"}),
        (Line(points=((0, 0), (5, 9)), stroke="gpu", cap="round"), "path", {"d": "M0 0L5 9", "stroke-linecap": "round"}),
        (Text(x=1, y=2, content="a", anchor="middle", bold=True), "text", {"text-anchor": "middle", "font-weight": "700"}),
        (Text(x=1, y=2, content="a", size=20), "text", {"font-size": "20", "fill": "#1B2530"}),
    ],
)  # fmt: skip
def test_shapes(shape, tag, attributes):
    (element,) = painted(shape)
    assert element.tag == SVG + tag
    assert element.attrib.items() >= attributes.items()


def test_a_token_that_is_empty_paints_nothing():
    (element,) = painted(Box(x=1, y=2, width=3, height=4))
    assert set(element.attrib) == {"x", "y", "width", "height"}
    assert drawn(Box(x=1, y=2, width=3, height=4)).get("fill") == "none"


def test_cells_are_one_path():
    cells = Cells(
        xs=(0, 6.3, 12.6), ys=(0, 10), width=5, height=8, fill="gpu", filled=frozenset({(0, 0), (0, 2), (1, 1)})
    )
    (element,) = painted(cells)
    assert element.get("d") == "M0 4h5m7.6 0h5M6.3 14h5"
    assert (element.get("data-count"), element.get("stroke-width")) == ("3", "8")


def test_full_rows_of_cells_are_strokes_whose_dashes_are_the_marks():
    (element,) = painted(Cells(xs=(0, 6, 12, 20), ys=(0, 10), width=5, height=8, fill="gpu"))
    assert element.get("d") == "M0 4H25M0 14H25"
    assert element.get("stroke-dasharray") == "5 1 5 1 5 3 5 1"
    assert element.get("data-count") == "8"


@pytest.mark.parametrize(("xs", "ys"), [((0, 5, 10), (0, 9)), ((0, 6), (0, 9)), ((0, 6, 12), (0,)), ((), (0, 9))])
def test_cells_that_touch_or_are_few_are_written_one_by_one(xs, ys):
    data, dash = outline.cells(Cells(xs=xs, ys=ys, width=5, height=2, fill="gpu"))
    assert dash == ""
    assert data.count("h5") == len(xs) * len(ys)


def test_rounding_does_not_add_up_along_a_row_of_cells():
    xs = tuple(10 + 3.333 * i for i in range(100))
    data, _ = outline.cells(Cells(xs=xs, ys=(0,), width=2.22, height=2, fill="gpu"))
    steps = sum(float(step) for step in re.findall(r"[hm](-?[\d.]+)", data))
    assert 10 + steps == pytest.approx(xs[-1] + 2.22, abs=0.1)


def test_an_arrow_is_a_filled_path_whose_tip_is_the_last_point():
    stroke, tip = painted(Line(points=((0, 0), (0, 40)), stroke="ring.a", end="arrow", tip=10))
    assert stroke.get("d") == "M0 0V31"
    assert tip.get("d") == "M0 40L-5 30H5Z"
    assert (tip.get("fill"), tip.get("stroke")) == ("#0072B2", None)


@pytest.mark.parametrize(
    ("points", "radius", "data"),
    [
        (((0, 0), (0, 40), (30, 40)), 12, "M0 0V28Q0 40 12 40H30"),
        (((0, 0), (0, 10), (30, 10)), 12, "M0 0V5Q0 10 5 10H30"),  # a leg too short for the radius
        (((0, 0), (0, 40), (30, 40)), 0, "M0 0V40H30"),
        (((0, 0), (0, 0), (30, 0)), 12, "M0 0Q0 0 0 0H30"),
        (((5, 5),), 3, "M5 5"),
    ],
)
def test_corners(points, radius, data):
    assert outline.polyline(points, radius) == data


def test_a_curve_needs_its_controls():
    assert outline.curve(((0, 0), (1, 1), (2, 1), (3, 0))) == "M0 0C1 1 2 1 3 0"
    with pytest.raises(ValueError, match="1 \\+ 3 n"):
        outline.curve(((0, 0), (1, 1)))


def test_pieces_of_a_text_stand_apart_by_numbers_not_by_blanks():
    runs = (Run(content="CPU 0 ", bold=True), Run(content=" Xeon", size=12, fill="ink2", dx=6))
    svg = render(scenes.scene(scenes.decor(Text(x=1, y=20, runs=runs))), LIGHT)
    wanted = '<tspan font-weight="700">CPU 0</tspan><tspan dx="6" font-size="12" fill="#44525F">Xeon</tspan></text>'
    assert wanted in svg


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("</text><script>alert(1)</script>", None),
        ("]]> &xxe; \"'", None),
        ("a\x00b\x0bc\x1bd\ufffee\ud800f", "abcdef"),
        ("\u202egpu\u2066", "gpu"),
        ("a\n  b\t", "a b"),
        ("non\u00a0breaking", "non\u00a0breaking"),
    ],
)
def test_hostile_texts_stay_texts(content, shown):
    scene = scenes.scene(scenes.gpu("x", 10, text=content), title=content, description=content)
    item = replace(scene.items[0], title=content, data=(("id", content),))
    root = scenes.tree(render(replace(scene, items=(item,)), AUTO))
    assert root.find(f".//{SVG}text").text == (shown or content)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "g",
        "text",
    }


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_none_are_refused(value):
    with pytest.raises(ValueError, match="not a finite number"):
        drawn(Box(x=value, y=0, width=1, height=1))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.04, "0"),
        (-0.04, "0"),
        (0.05, "0.1"),
        (12.0, "12"),
        (100, "100"),
        (1e7, "10000000"),
        (2.25, "2.2"),
        (-1.5, "-1.5"),
    ],
)
def test_numbers_have_one_decimal(value, text):
    assert number(value) == text


def test_a_name_that_xml_forbids_is_refused():
    with pytest.raises(ValueError, match="not a name"):
        written(Element("g", {'x"><script': "1"}).get_xml())


@pytest.mark.parametrize("theme", shipped())
def test_nothing_in_a_picture_can_act_or_point_outside(theme):
    svg = render(scenes.everything(interactive=True), load_theme(theme))
    assert not re.search(
        r"<script|<foreignObject|<image|<marker|\son\w+=|href|@import|<!|http(?!://www\.w3\.org/2000/svg)", svg
    )
    assert {target[:3] for target in re.findall(r"url\((.)", svg)} <= {"#"}


def test_colours_are_attributes_and_the_style_holds_only_at_rules():
    style = scenes.tree(full(AUTO)).find(f"{SVG}style").text
    assert all(line.startswith("@") for line in style.splitlines())
    assert style.count("{") == style.count("}")
    assert re.sub(r"<style>.*?</style>", "", full(AUTO), flags=re.DOTALL).count("var(") == 0


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_other_themes_need_no_style(theme):
    assert "<style" not in full(load_theme(theme))
    assert "f-gpu" not in full(load_theme(theme))


def test_auto_draws_the_light_picture_where_at_rules_are_skipped():
    bare = re.sub(r"<style>.*?</style>\n", "", full(AUTO), flags=re.DOTALL)
    bare = re.sub(r' class="([^"]*)"', lambda found: _without_tokens(found[1]), bare).replace(_prefix(bare), "tv")
    light = full(LIGHT)
    assert bare == light.replace(_prefix(light), "tv")


def _without_tokens(classes):
    kept = [name for name in classes.split() if not name.startswith(("f-", "s-"))]
    return f' class="{" ".join(kept)}"' if kept else ""


def _prefix(svg):
    return re.search(r'id="(tv\w+)"', svg)[1]


def test_every_painted_token_has_a_rule_and_every_rule_a_use():
    svg = full(AUTO)
    style = scenes.tree(svg).find(f"{SVG}style").text
    ruled = set(re.findall(r"\.([fs]-[a-z0-9-]+)\{", style))
    used = {
        name for classes in re.findall(r'class="([^"]*)"', svg) for name in classes.split() if name[:2] in {"f-", "s-"}
    }
    assert ruled == used


def test_the_theme_for_paper_hatches_and_has_no_ground():
    paper = load_theme("print")
    root = scenes.tree(render(scenes.scene(scenes.decor(Box(x=0, y=0, width=9, height=9, fill="hull"))), paper))
    assert root.find(f".//{SVG}g/{SVG}rect").get("fill").startswith("url(#")
    assert root.find(f"{SVG}rect") is None


def test_a_picture_can_do_without_ground():
    assert scenes.tree(render(scenes.scene(), LIGHT)).find(f"{SVG}rect").get("fill") == "#FFFFFF"
    assert scenes.tree(render(scenes.scene(background=False), LIGHT)).find(f"{SVG}rect") is None


def test_an_interactive_picture_can_be_walked_by_keyboard():
    root = scenes.tree(render(scenes.everything(interactive=True), LIGHT))
    group = root.find(f".//{SVG}g[@data-id='gpu0']")
    assert root.get("role") == "graphics-document"
    assert (group.get("tabindex"), group.get("role"), group.get("aria-label")) == (
        "0",
        "graphics-symbol",
        "gpu0: 18 links",
    )


def test_a_prefix_starts_every_id_and_selector():
    svg = render(scenes.everything(), AUTO, prefix="fig3")
    assert set(re.findall(r"#(\w+)[ :{-]", scenes.tree(svg).find(f"{SVG}style").text)) == {"fig3"}
    assert {name.partition("-")[0] for name in re.findall(r' id="([^"]+)"', svg)} == {"fig3"}


def test_different_pictures_get_different_prefixes():
    changed = replace(scenes.everything(), title="Another server")
    assert len({_prefix(full(LIGHT)), _prefix(full(AUTO)), _prefix(render(changed, LIGHT))}) == 3


def test_equal_scenes_give_equal_bytes_in_every_process():
    code = "import scenes; from topoviz.renderers.svg import render; from topoviz.renderers.theme import load_theme;"
    code += "print(render(scenes.everything(), load_theme('auto')), end='')"
    outputs = [
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert outputs[0] == outputs[1] == full(AUTO).encode()


def test_one_element_stands_on_a_line():
    lines = full(LIGHT).splitlines()
    assert max(line.count("<") for line in lines if "<text" not in line) <= 2
    assert full(LIGHT).endswith("</svg>\n")


def test_what_parts_share_is_written_on_their_group():
    boxes = tuple(Box(x=10 * i, y=0, width=5, height=5, fill="gpu", stroke="frame") for i in range(3))
    group = drawn(*boxes).find(f"{SVG}g")
    assert (group.get("fill"), group.get("stroke"), group.get("stroke-width")) == ("#0B4F3C", "#7D8A96", "1.5")
    assert [set(rect.attrib) for rect in group.iter(f"{SVG}rect")] == [{"x", "y", "width", "height"}] * 3


def test_what_some_parts_have_stays_with_them():
    group = drawn(Text(x=0, y=9, content="a", size=12), Text(x=0, y=29, content="b")).find(f"{SVG}g/{SVG}g")
    assert [text.get("font-size") for text in group] == ["12", None]


def test_an_unknown_token_is_an_error():
    with pytest.raises(LookupError, match="no such token"):
        drawn(Box(x=0, y=0, width=1, height=1, fill="grue"))
