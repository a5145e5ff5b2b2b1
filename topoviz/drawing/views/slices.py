"""A GPU cut by MIG, slice by slice: in full by itself, or a row for each panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import slice_card, slice_rows
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, below, free_text
from topoviz.drawing.cuts import Cut, cuts
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import message
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic, SpecError

KEYS: Mapping[str, str] = MappingProxyType({})
NARROW = 600.0  # under this a cut has no labels at its left
BETWEEN = 18.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the first cut GPU in full and other cuts of the scope as rows; for each panel just rows.

    Raises:
        SpecError: nothing in the scope is cut.
    """
    if block.each == "panel":
        return _of_panels(scope, width)
    found = cuts(scope)
    if not found and any(cuts(panel) for panel in scope.panels):
        return NOTHING
    if not found:
        raise _nothing(scope)
    if scope.compact or width < NARROW:
        return below([slice_rows.draw(one, 0, width, scope.lang) for one in found], [BETWEEN] * (len(found) - 1))
    whole = slice_card.draw(found[0], width, scope.lang)
    return whole if len(found) == 1 else below([whole, _rows(found[0], found[1:], width, scope)], [30.0])


def _of_panels(scope: Scope, width: float) -> Drawing:
    own = cuts(scope)
    found = [(cut, _title(panel)) for panel in scope.panels for cut in _of_panel(panel)]
    others, titles = [cut for cut, _ in found], [title for _, title in found]
    return _rows(own[0] if own else others[0], others, width, scope, titles) if others else NOTHING


def _title(panel: Scope) -> str:
    """Return the title that a person gave the panel; empty if nobody did."""
    return panel.title if isinstance(panel.request.title, (str, Mapping)) else ""


def _of_panel(scope: Scope) -> tuple[Cut, ...]:
    found = cuts(scope)
    if not found:
        raise _nothing(scope)
    return found


def _rows(first: Cut, others: Sequence[Cut], width: float, scope: Scope, titles: Sequence[str] = ()) -> Drawing:
    """Return a head and a row for each cut, in the columns of the first."""
    same = all(one.name(scope.lang) == first.name(scope.lang) for one in others)
    left = slice_card.LABELS if width >= NARROW else 0.0
    rows = [
        slice_rows.draw(
            one,
            left,
            width,
            scope.lang,
            named=not same and (one.name(scope.lang) != first.name(scope.lang) or not cuts(scope)),
            title=title,
        )
        for one, title in zip(others, titles or [""] * len(others), strict=True)
    ]
    own = bool(cuts(scope))
    said = "Other ways to cut the same GPU" if same and own else "Other cuts" if own else "Cuts"
    head = _head(said, width, scope.lang)
    return below([head, *rows], [14.0, *[BETWEEN] * (len(rows) - 1)])


def _head(said: str, width: float, lang: str) -> Drawing:
    head, key = message(said, lang), message("upper row: compute slices · lower row: memory slices", lang)
    texts = [Text(x=0, y=14, content=head, size=15, bold=True)]
    if type_setting.width(head, 15, bold=True) + type_setting.width(key, 12) + 24 <= width:
        texts.append(Text(x=width, y=14, content=key, size=12, anchor="end", fill="ink2"))
    return Drawing(width=width, height=20, items=free_text(texts))


def _nothing(scope: Scope) -> SpecError:
    mark = scope.request.origin.mark_of("layout") if scope.request.origin is not None else None
    hint = "mig: 7 x 1g.10gb cuts an H100; topoviz show h100-sxm lists its profiles"
    message_ = "nothing here is cut by MIG, so there are no slices to draw"
    return SpecError([Diagnostic(message=message_, mark=mark, hint=hint, code="not-cut")])
