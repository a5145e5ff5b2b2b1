import pytest

from topoviz.drawing import text

WORDS = ["GPU 0", "NVLink 4, 18 links", "450 GB/s per direction", "节点 0", "Ωμέγα × ÷ ≈ ≥ →", "Привет", "née Åre"]


@pytest.mark.parametrize("content", WORDS)
@pytest.mark.parametrize("bold", [False, True])
def test_the_safe_width_is_at_least_the_typical_one_and_not_far_from_it(content, bold):
    safe, usual = text.width(content, 13, bold=bold), text.typical(content, 13, bold=bold)
    assert usual < safe < 1.45 * usual


@pytest.mark.parametrize("content", WORDS)
def test_widths_grow_with_the_size(content):
    assert text.width(content, 26) == pytest.approx(2 * text.width(content, 13))


@pytest.mark.parametrize(
    ("content", "ems"),
    [
        ("", 0),
        ("叶", 1),  # wide
        ("，", 1),  # full-width
        ("한", 1),
        ("a\u0301", text.width("a", 1) / 1.02),  # combining
        ("\u200d", 0),
        ("\U0001f600", 1.3),  # emoji
        ("⚡", 1.3),
        ("\U00020000", 1),  # a rare Chinese character
        ("\ua500", 0.7),  # unknown
    ],
)
def test_characters_that_no_table_has(content, ems):
    assert text.width(content, 1) == pytest.approx(1.02 * ems)


@pytest.mark.parametrize(
    ("content", "bold", "ems"),
    [("0123456789", False, 5.56), ("GPU", False, 0.778 + 0.667 + 0.722), ("GPU", True, 0.778 + 0.667 + 0.722)],
)
def test_typical_widths_are_those_of_arial(content, bold, ems):
    assert text.typical(content, 1, bold=bold) == pytest.approx(ems, abs=0.02)


def test_bold_is_wider():
    assert text.width("NVSwitch", bold=True) > text.width("NVSwitch")


@pytest.mark.parametrize(
    ("content", "room", "answer"),
    [
        ("GPU 0", 60, ("GPU 0", 13)),
        ("GPU 0", 44, ("GPU 0", 12)),
        ("GPU 0", 38, ("0", 12)),
        ("GPU 0", 7, ("", 12)),
        ("", 5, ("", 13)),
        ("中文名称很长很长", 50, ("中文…长", 12)),
        ("ib-leaf-a1", 50, ("leaf-a1", 12)),
        ("Context part 3", 48, ("part 3", 12)),
    ],
)
def test_the_ladder_of_names(content, room, answer):
    assert text.fit(content, room, 13, bold=True) == answer


@pytest.mark.parametrize("room", range(10, 200, 7))
def test_what_fits_fits(room):
    kept, size = text.fit("node-with-a-long-name.rack07/gpu12", room, 13)
    assert text.width(kept, size) <= room


def test_a_text_that_starts_below_the_floor_is_not_enlarged():
    assert text.fit("GPU 0", 1000, 10) == ("GPU 0", 10)


@pytest.mark.parametrize(
    ("content", "room", "lines"),
    [
        ("", 100, ()),
        ("  GPU   0 ", 100, ("GPU 0",)),
        ("one two three", 50, ("one two", "three")),
        ("rack07-node12-gpu3", 60, ("rack07-", "node12-", "gpu3")),
        ("supercalifragilistic", 70, ("supercalifr", "agilistic")),
        ("中文，换行。", 26, ("中", "文，", "换", "行。")),
        ("（中文）", 26, ("（中", "文）")),
    ],
)
def test_lines(content, room, lines):
    assert text.wrap(content, room, 12, most=9) == lines


@pytest.mark.parametrize("room", range(40, 300, 13))
@pytest.mark.parametrize(
    "content",
    ["In a DGX H100 the PCIe switch sits inside the ConnectX-7", "在 DGX H100 里，PCIe 交换机位于 ConnectX-7 内部。"],
)
def test_no_line_is_wider_than_the_room_and_nothing_is_lost(content, room):
    lines = text.wrap(content, room, 12, most=99)
    assert max(text.width(line, 12) for line in lines) <= room
    assert "".join(lines).replace(" ", "") == content.replace(" ", "")


def test_what_is_left_over_ends_in_an_ellipsis():
    lines = text.wrap("one two three four five six seven", 60, 12, most=2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert text.width(lines[1], 12) <= 60


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("mlx5_0", ("mlx5_", "0")),
        ("dgx h100", ("dgx", "h100")),
        ("a/b:c", ("a/", "b:c")),
        ("plain", ("plain", "")),
        ("-lead", ("-lead", "")),
        ("", ("", "")),
    ],
)
def test_names_in_two_lines(name, lines):
    assert text.split_name(name) == lines
