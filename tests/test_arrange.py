"""The frame of a picture: title, blocks, panels, caption."""

from dataclasses import replace

import pytest
from made_by_hand import layout, ring, ring_scope, scope, server, words

from topoviz.drawing import blocks, caption
from topoviz.drawing.arrange import arrange
from topoviz.drawing.audit import audit
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Text
from topoviz.errors import MissingEntry, TopovizError
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture

FACTS = Block(
    view="facts",
    options={
        "facts": [
            ["One {nvlink.link}", "{nvlink.link.rate}", "{nvlink.link.rate.both}"],
            ["All {gpu.count} GPUs", "{gpu.nvlink.all}", "{gpu.nvlink.all.both}"],
        ]
    },
)
FIELDS = [
    {"field": "gpu.link", "head": "Link"},
    {"field": "gpu.rate", "head": "Per GPU", "bars": True},
    "gpu.rate.both",
]
LONG = (
    "A title that goes on and on about every GPU of this machine and about every link between all of them, twice over"
)


def ring_layout(**more):
    columns = (
        Block(view="circle", head="Logical ring", share=3.5),
        Block(view="chunks", head="What each GPU sends", when=("size",), share=5),
        Block(view="times", head="Time at line rate", when=("size",), share=3.5),
    )
    return layout(rows=(Block(columns=columns),), **more)


def texts(scene):
    return [shape for item in scene.items for shape in item.shapes if isinstance(shape, Text)]


def text(scene, content):
    return next(shape for shape in texts(scene) if shape.content == content)


def panels(count, *, view="circle", table=True, **more):
    one = ring_scope(8)
    titles = ["One GPU", "8-GPU server", "NVL72 rack", "Cluster", "Pod", "All"]
    inside = tuple(replace(one, number=i + 1, title=titles[i]) for i in range(count))
    head = Block(each="panel", view=view, head="{number} {title}", note=("{gpu.count} GPUs, {part.title}",))
    below = (Block(view="table", options={"fields": FIELDS}),) if table else ()
    return replace(one, panels=inside, layout=layout(rows=(head, *below), **more))


def test_title_and_subtitle_stand_where_every_picture_has_them():
    scene = arrange(scope(recipe=layout(title="{title}: {gpu.count} GPUs", subtitle="Read it so.", rows=(FACTS,))), {})
    title, subtitle = text(scene, "DGX H100: 8 GPUs"), text(scene, "Read it so.")
    assert (title.x, title.y, title.size, title.bold) == (24, 36, 20, True)
    assert (subtitle.x, subtitle.y, subtitle.size, subtitle.fill) == (24, 58, 13, "ink2")


@pytest.mark.parametrize(
    ("request_", "document", "expected"),
    [
        (Picture(), "", "DGX H100: 8 GPUs"),
        (Picture(), "Our machine", "Our machine"),
        (Picture(title="Mine"), "Our machine", "Mine"),
        (Picture(title={"en": "Mine", "zh": "我的"}), "", "Mine"),
    ],
)
def test_whose_title_wins(request_, document, expected):
    asked = scope(request=request_, title=document, recipe=layout(title="{title}: {gpu.count} GPUs", rows=(FACTS,)))
    assert arrange(asked, {}).title == expected


def test_title_of_the_layout_moves_down_when_a_document_has_its_own():
    asked = scope(title="Our machine", recipe=layout(title="every GPU has {gpu.nvlink.links} links", rows=(FACTS,)))
    assert words(arrange(asked, {}))[:2] == ["Our machine", "every GPU has 18 links"]


def test_title_whose_number_is_not_known_gives_way_to_the_name():
    asked = scope(recipe=layout(title="every hop runs at {hop.rate}", rows=(FACTS,)))
    assert arrange(asked, {}).title.startswith("DGX H100")


def test_a_picture_without_words_keeps_them_for_screen_readers():
    silent = Picture(title=False, subtitle=False, caption=False)
    scene = arrange(scope(request=silent, recipe=layout(title="T", subtitle="S", caption=("C.",), rows=(FACTS,))), {})
    assert scene.title == "T"
    assert scene.description
    assert not {"T", "S", "C."} & set(words(scene))
    assert min(shape.y for shape in texts(scene)) < 60  # the blocks moved up


def test_alt_replaces_the_computed_description():
    assert arrange(scope(request=Picture(alt="In words.")), {}).description == "In words."


def test_a_long_title_takes_two_lines_and_stays_on_the_page():
    scene = arrange(scope(request=Picture(title=LONG), recipe=layout(subtitle="S", rows=(FACTS,))), {})
    large = [shape for shape in texts(scene) if shape.size == 20]
    assert [shape.y for shape in large] == [36, 61]
    assert text(scene, "S").y == 83
    assert audit(scene) == ()


@pytest.mark.parametrize("width", [640, 960, 1280])
def test_width_is_honoured(width):
    scene = arrange(scope(request=Picture(width=width), recipe=layout(rows=(FACTS,))), {})
    assert scene.width == width
    assert audit(scene) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("count", [2, 3, 8, 12, 16, 24, 72])
def test_ring_picture_passes_the_audit(count, lang):
    asked = replace(
        ring_scope(count), lang=lang, layout=ring_layout(title="Ring on {title}", caption=("Not drawn: {left-out}.",))
    )
    assert audit(arrange(asked, {})) == ()


def test_blocks_that_need_a_size_are_left_out_without_one():
    asked = ring_scope(8, request=Picture(highlight=("ring",)))
    assert "What each GPU sends" not in words(arrange(replace(asked, layout=ring_layout()), {}))


def test_summary_false_leaves_the_facts_out():
    asked = scope(request=Picture(summary=False), recipe=layout(rows=(FACTS,)))
    assert "All 8 GPUs" not in words(arrange(asked, {}))


@pytest.mark.parametrize(
    ("word", "asked"),
    [
        ("highlight", Picture(highlight=("ring",))),
        ("size", Picture(size=1e9)),
        ("faults", Picture(overlay=("faults",))),
        ("found", Picture(found="other.yaml")),
    ],
)
def test_when_asks_for_presence(word, asked):
    block = Block(view="facts", when=(word,))
    assert blocks.wanted(block, scope(request=asked))
    assert not blocks.wanted(block, scope())


def test_blocks_of_another_layout_may_be_taken_by_view():
    other = Layout(name="other", block=Block(rows=(Block(view="circle"), FACTS)))
    asked = replace(ring_scope(8), layout=layout(rows=(Block(layout="other", view="facts"),)))
    scene = arrange(asked, {"other": other})
    assert "All 8 GPUs" in words(scene)
    assert not [item for item in scene.items if item.role == "route"]


def test_keys_beside_layout_are_added_to_its_blocks():
    other = Layout(name="other", block=Block(rows=(Block(view="tiers", options={"axis": "U"}),)))
    asked = blocks.Site(scope=scope(), layouts={"other": other})
    (found,) = blocks.included(Block(layout="other", view="tiers", hide=("cpu",), options={"route": "in-place"}), asked)
    assert (found.options, found.hide) == ({"axis": "U", "route": "in-place"}, ("cpu",))


def test_a_layout_that_holds_itself_is_an_error():
    mirror = Layout(name="mirror", block=Block(layout="mirror"))
    with pytest.raises(TopovizError, match='"mirror" holds itself'):
        arrange(scope(recipe=layout(layout="mirror")), {"mirror": mirror})


def test_an_unknown_layout_names_those_there_are():
    with pytest.raises(MissingEntry, match='no layout is called "rings"; there are bars, ring'):
        arrange(scope(recipe=layout(layout="rings")), {"ring": layout(), "bars": layout()})


def test_a_view_that_is_not_there_is_named():
    with pytest.raises(MissingEntry, match='there is no view "stepps"; the views are bands, bars, '):
        arrange(scope(recipe=layout(view="stepps")), {})


def test_blocks_cannot_be_repeated_for_anything():
    with pytest.raises(TopovizError, match='cannot be repeated for each "tier"'):
        arrange(scope(recipe=layout(each="tier", view="circle")), {})


def test_four_panels_leave_room_for_row_heads_and_share_columns_with_the_table():
    scene = arrange(panels(4), {})
    assert [text(scene, name).x for name in ("One GPU", "8-GPU server", "NVL72 rack", "Cluster")] == [
        150,
        356,
        562,
        768,
    ]
    assert [shape.x for shape in texts(scene) if shape.content == "NVLink 4, 18 links"] == [124, 330, 536, 742]
    assert audit(scene) == ()


def test_panels_without_a_table_use_the_whole_width():
    scene = arrange(panels(4, table=False), {})
    assert text(scene, "One GPU").x == 24 + 26
    assert audit(scene) == ()


@pytest.mark.parametrize("count", [5, 6])
def test_more_than_four_panels_stand_in_two_rows(count):
    scene = arrange(panels(count), {})
    assert text(scene, "One GPU").y == text(scene, "NVL72 rack").y < text(scene, "Pod").y
    assert audit(scene) == ()


def test_panels_that_are_lower_are_drawn_again_with_the_height_of_the_highest(monkeypatch):
    asked = []

    def draw(_block, inside, width, height=None):
        asked.append((inside.number, width, height, inside.compact))
        return replace(blocks.NOTHING, width=width, height=height or 100 * inside.number)

    monkeypatch.setattr(blocks, "view", lambda _name: draw)
    arrange(panels(2, table=False), {})
    assert asked == [(1, 450, None, True), (2, 450, None, True), (1, 450, 200, True)]


def test_panel_takes_the_first_view_of_the_layout_it_names():
    named = Layout(name="server", block=Block(rows=(Block(view="circle", head="inner head"), FACTS)))
    one = panels(1, table=False)
    inside = replace(one.panels[0], request=Picture(layout="server", highlight=("ring",)))
    asked = replace(one, panels=(inside,), layout=layout(rows=(Block(each="panel", head="{title}"),)))
    scene = arrange(asked, {"server": named})
    assert [item.data for item in scene.items if item.role == "route"] == [(("route", "ring"),)]
    assert not {"inner head", "All 8 GPUs"} & set(words(scene))


def test_each_route_is_drawn_on_its_own():
    routes = tuple(replace(ring(8), name=name) for name in ("A", "B"))
    asked = scope(
        server(), findings=Findings(routes=routes), recipe=layout(each="route", view="circle", head="{number} {title}")
    )
    scene = arrange(asked, {})
    assert [dict(item.data)["route"] for item in scene.items if item.role == "route"] == ["A", "B"]
    assert audit(scene) == ()


def test_heads_and_notes_of_a_block():
    block = replace(FACTS, head="Numbers", note=("8 GPUs in one server", "18 ports each"))
    scene = arrange(scope(recipe=layout(rows=(block,))), {})
    left, right = text(scene, "8 GPUs in one server"), text(scene, "18 ports each")
    assert text(scene, "Numbers").size == 15
    assert (left.y, left.bold, right.anchor, right.x) == (right.y, True, "end", 936)


@pytest.mark.parametrize(
    ("notes", "template", "expected"),
    [
        ((), "All counted. Not drawn: {left-out}.", ("All counted.",)),
        ((), "Not drawn: {left-out}.", ()),
        (("left-out: cables",), "Not drawn: {left-out}.", ("Not drawn: cables.",)),
        (("folded:4 nvswitch",), "Collapsed: {folded}.", ("Collapsed: 4 NVSwitch chips drawn as one.",)),
        (("folded:4 nvswitch",), "Sent. {folded}", ("Sent. 4 NVSwitch chips drawn as one.",)),
        (("folded:4 nvswitch", "left-out: fans"), "{folded}; {left-out}", ("4 NVSwitch chips drawn as one; fans.",)),
        ((), "A hop carries {hop.rate}. Two.", ("Two.",)),
    ],
)
def test_caption_says_only_what_there_is(notes, template, expected):
    assert caption.texts(scope(recipe=layout(caption=(template,))), notes) == expected


def test_what_a_part_does_not_model_is_named_as_not_drawn():
    asked = scope(server(facts={"not_modelled": ["BMC", "NVMe"]}), recipe=layout(caption=("Not drawn: {left-out}.",)))
    assert caption.texts(asked, ("left-out: fans",)) == ("Not drawn: fans, BMC, NVMe.",)


def test_caption_takes_three_lines_at_most_and_the_note_of_the_part_follows():
    asked = scope(
        server(note="As sold."), recipe=layout(caption=(LONG + ". " + LONG + ". " + LONG + ". " + LONG,), rows=(FACTS,))
    )
    small = [shape for shape in texts(arrange(asked, {})) if shape.fill == "ink3"]
    assert len(small) == 4
    assert small[-1].content == "As sold."
    assert small[2].content.endswith("…")


def test_own_caption_wins():
    asked = scope(
        server(note="As sold."), request=Picture(caption="Mine."), recipe=layout(caption=("Theirs.",), rows=(FACTS,))
    )
    assert words(arrange(asked, {}))[-1] == "Mine."


def test_a_chinese_caption_drops_sentences_too():
    asked = scope(recipe=layout(caption=({"en": "", "zh": "条形同一标尺。合并画法：{folded}。"},)), lang="zh")
    assert caption.texts(asked, ()) == ("条形同一标尺。",)


@pytest.mark.parametrize(("given", "expected"), [(None, True), (True, True), (False, False)])
def test_background_is_there_unless_left_out(given, expected):
    assert arrange(scope(request=Picture(background=given)), {}).background is expected
