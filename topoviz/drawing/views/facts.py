"""A strip of computed facts: heads with two lines each, evenly over the width."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.columns import GUTTER, Span
from topoviz.drawing.compose import NOTHING, free_text, hairline
from topoviz.drawing.layout import Block
from topoviz.drawing.look import fabric_of
from topoviz.drawing.messages import say_text
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.scope import Scope
from topoviz.model import spec

KEYS: Mapping[str, str] = MappingProxyType({"facts": "a list of facts, each a list of a head and up to two lines"})

LINKS = ("nvlink", "c2c", "pcie", "infiniband", "ethernet", "xgmi", "ici", "neuronlink")
PITCH = 17.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the strip with a hairline above it; a fact without any line is left out.

        ────────────────────────────────────────────────
        One NVLink 4             One GPU, 18 links        13/700
        25 GB/s per direction    450 GB/s per direction   12
        50 GB/s both directions  900 GB/s both directions

    The columns are equal unless a text needs more room than its share.
    """
    facts = [_known(scope, _texts(fact)) for fact in block.options.get("facts", ())]
    kept = [(token(scope, fact), [fields.say(scope, text) for text in fact]) for fact in facts if len(fact) > 1]
    if not kept:
        return NOTHING
    spans = _spans(width, [lines for _, lines in kept])
    columns = [_column(lines, ink, span) for (ink, lines), span in zip(kept, spans, strict=True)]
    texts = [shape for column in columns for shape in column]
    return Drawing(width=width, height=max(t.y for t in texts) + 4, items=(hairline(width, 0), *free_text(texts)))


def token(scope: Scope, fact: Sequence[spec.Text]) -> str:
    """Return the ink of a head: that of the fabric whose bandwidth its lines print, else plain ink.

    Colour has one job per picture: where a ring is highlighted it is not the kind of link.
    """
    if scope.findings.routes:
        return "ink"
    lines = " ".join(say_text(text, "en") for text in fact[1:])
    words = re.findall(r"\{([^}]+)\}", lines)
    kinds = [kind for kind in LINKS if any(kind in word.split(".") for word in words)]
    return f"{fabric_of(kinds[0])}.text" if len(kinds) == 1 else "ink"


def _texts(fact: object) -> tuple[spec.Text, ...]:
    if isinstance(fact, (list, tuple)):
        return tuple(fact)
    return (str(fact),)


def _known(scope: Scope, fact: Sequence[spec.Text]) -> tuple[spec.Text, ...]:
    """Return the head and the lines that have a value here; nothing if the head has none."""
    head, *lines = fact
    if not fields.answers(scope, head):
        return ()
    return (head, *(line for line in lines if fields.answers(scope, line)))


def _spans(width: float, columns: Sequence[Sequence[str]]) -> list[Span]:
    """Return even columns where all texts fit, else columns as wide as their texts ask for."""
    count = len(columns)
    even = (width - GUTTER * (count - 1)) / count
    needs = [_need(lines) for lines in columns]
    total = sum(needs) + GUTTER * (count - 1)
    widths = [even] * count if max(needs) <= even or total > width else [n + (width - total) / count for n in needs]
    return [(sum(widths[:i]) + GUTTER * i, each) for i, each in enumerate(widths)]


def _need(lines: Sequence[str]) -> float:
    head = type_setting.width(lines[0], 13, bold=True)
    return max(head, *(type_setting.width(line, 12) for line in lines[1:]))


def _column(lines: Sequence[str], ink: str, span: Span) -> list[Text]:
    x, room = span
    heads = type_setting.wrap(lines[0], room, 13, 2, bold=True)
    shapes = [Text(x=x, y=22 + PITCH * i, content=line, bold=True, fill=ink) for i, line in enumerate(heads)]
    y = shapes[-1].y + 2
    for wrapped in (part for line in lines[1:] for part in type_setting.wrap(line, room, 12, 2)):
        y += PITCH
        shapes.append(Text(x=x, y=y, content=wrapped, size=12, fill="ink2"))
    return shapes
