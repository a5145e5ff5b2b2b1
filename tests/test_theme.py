import pytest

from topoviz.errors import MissingEntry, SpecError
from topoviz.marks import Source
from topoviz.renderers import theme
from topoviz.renderers.markup.colour import contrast, hexadecimal

PAPERS = ["light", "dark", "print"]
FABRICS = theme.FABRICS
RINGS = [f"ring.{letter}" for letter in "abcd"]
TEXTS = [
    *((ink, ground) for ink in ("ink", "ink2", "ink3") for ground in ("bg", "surf")),
    *((ink, ground) for ink in ("ink", "ink2") for ground in ("surf2", "hull", "alert.tint")),
    *((f"{fabric}.text", ground) for fabric in FABRICS for ground in ("bg", "surf", f"{fabric}.tint")),
    *((ink, f"{fabric}.tint") for fabric in FABRICS for ink in ("ink", "ink2")),
    *(("ring.text", ring) for ring in RINGS),
    *(("gpu.text", "gpu"), ("gpu.text2", "gpu"), ("bg", "badge"), ("alert", "bg"), ("alert", "surf"), ("bg", "alert")),
]
LINES = [
    *((f"{fabric}.line", ground) for fabric in FABRICS for ground in ("bg", "surf", f"{fabric}.tint")),
    *((token, ground) for token in (*RINGS, "frame", "gpu", "casing", "alert", "prel") for ground in ("bg", "surf")),
]


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_text_can_be_read(name, ink, ground):
    colours = theme.load_theme(name)
    assert contrast(colours.colour(ink), colours.colour(ground)) >= 4.5


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize(("line", "ground"), LINES)
def test_lines_can_be_seen(name, line, ground):
    colours = theme.load_theme(name)
    assert contrast(colours.colour(line), colours.colour(ground)) >= 3


@pytest.mark.parametrize(("name", "order"), [("light", -1), ("print", -1), ("dark", 1)])
def test_loads_are_steps_of_lightness(name, order):
    colours = theme.load_theme(name)
    steps = [order * contrast(colours.colour(f"load.{step}"), "#000000") for step in range(5)]
    assert steps == sorted(steps)


@pytest.mark.parametrize("name", theme.shipped())
def test_a_shipped_theme_has_every_token_and_says_what_it_is(name):
    found = theme.load_theme(name)
    assert tuple(found.colours) == theme.TOKENS
    assert found.summary
    assert found.name == name


def test_auto_is_light_with_a_dark_side():
    auto, light, dark = (theme.load_theme(name) for name in ("auto", "light", "dark"))
    assert auto.colours == light.colours
    assert auto.dark == dark.colours
    assert not light.dark


def test_paper_has_no_ground_and_no_hue():
    paper = theme.load_theme("print")
    assert not paper.ground
    assert paper.hatched
    assert [colour for colour in paper.colours.values() if len({colour[1:3], colour[3:5], colour[5:7]}) > 1] == []


@pytest.mark.parametrize(
    ("token", "answer"),
    [
        ("gpu", "gpu"),
        ("nvlink.line", "nvlink.line"),
        ("upi.line", "cpulink.line"),
        ("qpi.text", "cpulink.text"),
        ("sneakernet.line", "ink2"),
        ("sneakernet.tint", "surf"),
        ("sneakernet.text", "ink2"),
    ],
)
def test_fabrics_that_no_theme_knows_are_drawn_plainly(token, answer):
    assert theme.known(token) == answer


@pytest.mark.parametrize("token", ["", "gpus", "nvlink", "nvlink.colour", "ring.e"])
def test_other_tokens_are_an_error(token):
    with pytest.raises(LookupError, match="no such token"):
        theme.known(token)


def test_a_theme_of_ones_own_changes_what_it_names():
    own = theme.load_theme(Source("mine/mine.yaml", 'base: light\nground: false\ncolours:\n  gpu: "#123"\n'))
    assert own.name == "mine"
    assert own.colour("gpu") == "#112233"
    assert own.colour("ink") == theme.load_theme("light").colour("ink")
    assert not own.ground


def test_a_theme_that_is_not_shipped_is_missing():
    with pytest.raises(MissingEntry, match=r"no theme 'drak'.*dark"):
        theme.load_theme("drak")


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("base: ligth", (1, 7), "no theme 'ligth'", "did you mean 'light'?"),
        ("base: light\ncolors: {}", (2, 1), "unknown key 'colors'", "did you mean 'colours'?"),
        ("base: light\ncolours:\n  gpus: red", (3, 3), "unknown token 'gpus'", "did you mean 'gpu'?"),
        ("base: light\ncolours:\n  gpu: 'url(x)'", (3, 8), "not a colour: 'url(x)'", "write '#0B4F3C'"),
        ("base: light\ncolours:\n  gpu: 'red;}'", (3, 8), "not a colour: 'red;}'", "write '#0B4F3C'"),
        ("base: light\ncolours:\n  gpu: 12", (3, 8), "not a colour: '12'", "write '#0B4F3C'"),
        ("base: light\nground: maybe", (2, 9), "'ground' is true or false", ""),
        ("base: light\nhatch: [hulk]", (2, 9), "unknown token 'hulk'", "did you mean 'hull'?"),
        ("colours:\n  gpu: red", (1, 1), "no colour for bg, surf, surf2, ink, ink2 …", "base: light"),
        ("- light", (1, 1), "a theme is a mapping", "keys: summary"),
    ],
)
def test_mistakes_have_a_place_and_a_hint(text, place, message, hint):
    with pytest.raises(SpecError) as caught:
        theme.load_theme(Source("mine.yaml", text))
    finding = caught.value.diagnostics[0]
    assert finding.message == message
    assert finding.hint.startswith(hint) or hint in finding.hint
    assert (finding.mark.line, finding.mark.column) == place


@pytest.mark.parametrize(
    ("colour", "answer"),
    [
        ("#0b4f3c", "#0B4F3C"),
        ("#fff", "#FFFFFF"),
        ("rgb(1,2, 255)", "#0102FF"),
        ("Red", "#FF0000"),
        *(
            (bad, "")
            for bad in ("", "#ff", "#gggggg", "#12345678", "rgb(1,2,256)", "rgb(1 2 3)", "var(--x)", "red ", "#fff\n")
        ),
    ],
)
def test_the_grammar_of_colours(colour, answer):
    assert hexadecimal(colour) == answer
