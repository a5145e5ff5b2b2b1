"""The bookkeeping of a ring step by step: its states, which frames are drawn, and how."""

import re

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.chunk_states import frames
from topoviz.drawing.views.steps import chosen
from topoviz.errors import TopovizError
from topoviz.picture import pictures

COLLECTIVES = ("all-reduce", "reduce-scatter", "all-gather")


def ring(count, **keys):
    wires = [{"from": "gpu", "kind": "nvlink", "rule": "ring", "links": 4}]
    topology = tv.load({"contains": {"gpu": {"part": "h100-pcie", "count": count}}, "wires": wires})
    return tv.render(topology, layout="steps", highlight="ring", **keys)


@pytest.mark.parametrize("members", range(2, 17))
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_the_last_state_is_what_the_collective_promises(members, collective):
    last = frames(members, collective)[-1].state
    complete = [sum(len(cell) == members for cell in row) for row in last]
    assert complete == [1 if collective == "reduce-scatter" else members] * members


@pytest.mark.parametrize("members", [2, 5, 8])
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_in_every_step_everybody_sends_one_chunk_to_the_next(members, collective):
    moves = [move for frame in frames(members, collective)[1:] for move in frame.moves]
    assert len(moves) == members * (len(frames(members, collective)) - 1)
    assert {(move.target - move.source) % members for move in moves} == {1}


def test_what_is_sent_in_all_gather_is_complete():
    made = frames(6, "all-reduce")
    sent = [
        len(before.state[move.source][move.chunk])
        for before, after in zip(made, made[1:], strict=False)
        if after.phase == "all-gather"
        for move in after.moves
    ]
    assert set(sent) == {6}


@pytest.mark.parametrize(
    ("wish", "steps"),
    [("all", list(range(15))), (1, [0]), (5, [0, 1, 7, 8, 14]), (None, [0, 1, 2, 3, 4, 5, 7, 8, 14])],
)
def test_the_ends_of_a_phase_are_kept_first(wish, steps):
    assert [frame.step for frame in chosen(frames(8, "all-reduce"), wish)] == steps


@pytest.mark.parametrize("count", [3, 4, 5, 8, 9, 16])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_size_passes_the_audit(count, lang):
    scene = ring(count, size="14 GB", lang=lang).scene()
    assert audit(scene) == ()


@pytest.mark.parametrize(("lang", "said"), [("en", "Steps 6, 9–13 are left out."), ("zh", "未画出第 6, 9–13 步。")])
def test_frames_that_are_left_out_are_said(lang, said):
    drawn = ring(8, lang=lang).svg()
    assert f">{said}<" in drawn
    assert "drawn as one" not in drawn
    assert "合画为一" not in drawn


def test_more_gpus_than_can_be_told_apart_are_an_error():
    with pytest.raises(TopovizError, match="16 GPUs at most, and here are 17"):
        ring(17).svg()


def test_a_ring_of_steps_is_not_called_undrawn():
    assert ring(4).warnings == ()


RING = {"contains": {"gpu": "4 x h100-pcie"}, "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring", "links": 4}]}


def test_steps_are_shown_in_turn_if_the_picture_asks():
    svg = tv.render(tv.load(RING), layout="steps", highlight="ring", animate=True).svg()
    assert svg.count("@keyframes") == 6  # the start is always there
    assert "@media screen and (prefers-reduced-motion:no-preference){" in svg
    assert set(re.findall(r'data-step="(\d+)"', svg)) == set("0123456")
    root = re.search(r'id="(tv\w+)"', svg)[1]
    assert all(name.startswith(root) for name in re.findall(r"@keyframes (\S+?)\{", svg))


def test_without_animate_nothing_moves_and_no_step_is_marked():
    svg = tv.render(tv.load(RING), layout="steps", highlight="ring").svg()
    assert "keyframes" not in svg
    assert "data-step" not in svg


def test_a_picture_without_steps_says_that_nothing_moves():
    topology = tv.load({"part": "dgx-h100", "pictures": [{"file": "a.svg", "animate": True}]})
    ((_, picture),) = pictures(topology)
    (told,) = picture.warnings
    assert (told.severity, told.code) == ("warning", "not-drawn")
    assert told.mark.source.line(told.mark.line).strip().startswith("animate")
