"""Layout files: every shipped one is read, and mistakes have a place."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

from topoviz.drawing import views
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.read_layout import read_layout
from topoviz.errors import SpecError
from topoviz.marks import Source
from topoviz.model.layout_grammar import block_form

ROOT = Path(__file__).parents[1]
LAYOUTS = [*sorted((ROOT / "tests/data/examples/layouts").glob("*.yaml")), *sorted((ROOT / "layouts").glob("*.yaml"))]


VIEWS = sorted(module.name for module in pkgutil.iter_modules(views.__path__))


def read(text: str, name: str = "mine") -> Layout:
    return read_layout(Source(f"{name}.yaml", text), name)


def block(text: str) -> Block:
    return read(f"suits: []\nrows: [{text}]").block.rows[0]


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_layout_is_read(path: Path) -> None:
    layout = read(path.read_text(encoding="utf-8"), path.stem)
    assert layout.summary
    assert layout.block.rows or layout.block.columns


@pytest.mark.parametrize(
    ("text", "field", "meant"),
    [
        ("{view: tiers, columns: gpu}", "column_of", ("gpu",)),
        ("{view: tiers, columns: [su, node]}", "column_of", ("su", "node")),
        ("{view: tiers, frame: here}", "frame", ("here",)),
        ("{view: tiers, frame: [nic, gpu]}", "frame", ("nic", "gpu")),
        ("{view: tiers, gutter: false}", "gutter", False),
        ("{view: tiers, gutter: [a, b]}", "gutter", ("a", "b")),
        ("{view: tiers}", "gutter", None),
        ("{view: tiers, note: a}", "note", ("a",)),
        ("{view: tiers, head: {en: a, zh: 甲}}", "head", {"en": "a", "zh": "甲"}),
        ("{view: tiers, through: [pcie], hide: cpu}", "through", ("pcie",)),
        ("{layout: suited, view: tiers, overlay: faults, route: in-place}", "overlay", ("faults",)),
        ("{view: circle, of: ranks, label: x}", "of", ("ranks",)),
        ("{view: circle, of: ranks, label: x}", "options", {"label": "x"}),
        ("{layout: nvswitch-server, view: tiers, route: in-place}", "options", {"route": "in-place"}),
        (
            "{view: matrix, row_of: nvswitch, kind: nvlink, axis: [a, b]}",
            "options",
            {"row_of": "nvswitch", "kind": "nvlink", "axis": ("a", "b")},
        ),
        ("{view: elevation, ticks: 8, free: x}", "options", {"ticks": 8, "free": "x"}),
        ("{view: groups, rows: dp, columns: pp}", "options", {"rows": "dp"}),
        ("{view: groups, rows: dp, columns: pp}", "column_of", ("pp",)),
        ("{view: table, share: 7, when: size}", "share", 7),
        ("{view: table, when: size}", "when", ("size",)),
    ],
)
def test_keys_of_a_block(text: str, field: str, meant: object) -> None:
    assert getattr(block(text), field) == meant


def test_blocks_in_blocks() -> None:
    columns = block("{columns: [{view: facts, share: 4}, {share: 8, rows: [{view: table}]}]}").columns
    assert [(one.view, one.share, [row.view for row in one.rows]) for one in columns] == [
        ("facts", 4, []),
        ("", 8, ["table"]),
    ]


def test_tiers_and_lines() -> None:
    one = block(
        "{view: tiers, tiers: [{show: node, as: row, full: 2, rest: a, tiers: [gpu]}], lines: [pcie, {kind: [a, b], between: [x, y], as: fan, one: gpu1, rest: stub}]}"
    )
    tier, (plain, fan) = one.tiers[0], one.lines
    assert (tier.show, tier.drawn_as, tier.full, tier.rest, tier.tiers[0].show, tier.gutter) == (
        ("node",),
        "row",
        2,
        ("a",),
        ("gpu",),
        None,
    )
    assert (plain.kind, fan.kind, fan.between, fan.drawn_as, fan.one, fan.rest) == (
        ("pcie",),
        ("a", "b"),
        ("x", "y"),
        "fan",
        "gpu1",
        "stub",
    )


def test_suits_are_as_written() -> None:
    suits = read(
        "suits: [{kind: [su, cluster], has: rack, max: {spine: 7}, panels: true, highlight: ring}]\nrows: [{view: bars}]"
    ).suits
    assert [dict(one) for one in suits] == [
        {"kind": ("su", "cluster"), "has": "rack", "max": {"spine": 7}, "panels": True, "highlight": "ring"}
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rows: [{view: tier}]", [(1, 15, "unknown view 'tier'")]),
        ("rows: [{view: tiers, marks: [gpu]}]", [(1, 22, "unknown key 'marks' in a block")]),
        ("rows: [{view: tiers, tiers: [{show: gpu, as: circle}]}]", [(1, 46, "unknown as 'circle'")]),
        ("rows: [{view: tiers, tiers: [{as: bar}]}]", [(1, 30, "a tier needs 'show'")]),
        ("rows: [{view: tiers, lines: [{as: fan}]}]", [(1, 30, "a line needs 'kind'")]),
        ("rows: [{head: x}]", [(1, 8, "a block needs 'view', 'rows', 'columns', 'layout' or 'each'")]),
        ("summary: x", [(1, 1, "this file needs 'view', 'rows', 'columns', 'layout' or 'each'")]),
        ("rows: {view: bars}", [(1, 7, "'rows' is a list")]),
        ("suits: [{model: {en: a}}]\nrows: [{view: bars}]", [(1, 17, "model is a text, not a mapping")]),
        ("suits: [{king: node}]\nrows: [{view: bars}]", [(1, 10, "unknown key 'king' in a suit")]),
        ("suits: [{min: {gpu: -1}}]\nrows: [{view: bars}]", [(1, 21, "gpu -1 is below 0")]),
        ("rows: [{view: tiers, gutter: [a, b, c]}]", [(1, 30, "gutter has 3 lines")]),
        ("rows: [{view: steps, frames: some}]", [(1, 30, "frames 'some' is neither a number nor 'all'")]),
        (
            "rows: [{view: bars, share: wide, when: now}]",
            [(1, 28, "share 'wide' is not a number"), (1, 40, "unknown when 'now'")],
        ),
        ("rows: [{view: bars, colour: red}]", [(1, 21, "unknown key 'colour' in a block")]),
    ],
)
def test_mistakes(text: str, expected: list[tuple[int, int, str]]) -> None:
    with pytest.raises(SpecError) as wrong:
        read(text)
    assert [(d.mark.line, d.mark.column, d.message) for d in wrong.value.diagnostics if d.mark] == expected


@pytest.mark.parametrize("view", VIEWS)
def test_the_grammar_knows_the_keys_that_a_view_reads(view: str) -> None:
    keys = importlib.import_module(f"topoviz.drawing.views.{view}").KEYS
    assert set(keys) <= {key.name for key in block_form(view).keys}
