"""Many differences that are alike as one: eight GPUs with 12 links instead of 18, not eight rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from topoviz.comparing.case import Case
from topoviz.model.findings import Difference

ALONE = 3  # so many that are alike are still told one by one
PLACES = ("end", "near", "fabric")  # whose text says where, so that no two are alike


def grouped(items: Iterable[Difference], case: Case) -> list[Difference]:
    """Return the differences in their order; of more than three that are alike the first, the others in ``also``."""
    found: dict[Hashable, list[Difference]] = {}
    for number, one in enumerate(items):
        key = number if one.unit in PLACES else _key(one, case)
        found.setdefault(key, []).append(one)
    out: list[Difference] = []
    for some in found.values():
        out += [replace(some[0], also=tuple(some[1:]))] if len(some) > ALONE else some
    return out


def _key(one: Difference, case: Case) -> Hashable:
    side = case.found if one.what == "extra" and one.unit == "thing" else case.expected
    ends = tuple(side.things[name].kind for name in one.nodes[:2])
    suffers = case.expected.things[one.suffers].kind if one.suffers else ""
    return one.what, one.unit, one.expected, one.found, one.kind, ends, suffers, one.left, one.of
