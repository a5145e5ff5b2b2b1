"""Steps shown in turn: at-rules that fade each one in, for screens whose reader likes motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.renderers.markup.element import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topoviz.drawing.scene import Scene

EACH, REST = 1.2, 2.0  # seconds: a step by itself, and all of them before it begins again
FAINT = 0.08  # what has not come yet
FADE = 0.3  # seconds


def steps_of(scene: Scene) -> tuple[str, ...]:
    """Return the steps of a picture in the order in which they happen."""
    found = {value for item in scene.items for key, value in item.data if key == "step"}
    return tuple(sorted(found, key=lambda step: (len(step), step)))


def turns(root: str, steps: Sequence[str]) -> str:
    """Return the at-rules; nothing for fewer than two steps.

    Printers, and readers who asked for less motion, get the picture with all steps.

    >>> turns("a", ["0", "1"]).splitlines()[1]
    '@keyframes a-1{0%,28.1%{opacity:.08}37.5%,to{opacity:1}}'
    """
    if len(steps) < 2:
        return ""
    whole = EACH * (len(steps) - 1) + REST
    frames, rules = [], []
    for place, step in enumerate(steps):
        if place:
            begin, end = (f"{number(round(100 * at / whole, 1))}%" for at in (place * EACH - FADE, place * EACH))
            frames.append(f"@keyframes {root}-{step}{{0%,{begin}{{opacity:{_plain(FAINT)}}}{end},to{{opacity:1}}}}")
            rules.append(f'#{root} [data-step="{step}"]{{animation:{root}-{step} {number(round(whole, 1))}s infinite}}')
    media = "@media screen and (prefers-reduced-motion:no-preference)"
    return "\n".join((f"{media}{{{''.join(rules)}}}", *frames))


def _plain(value: float) -> str:
    return f"{value:g}".removeprefix("0")
