"""Fields about a comparison: how many differences, what they cost together, what could not be compared."""

from __future__ import annotations

from topoviz.drawing import amounts
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.difference_words import not_compared
from topoviz.drawing.messages import say_text
from topoviz.drawing.scope import Scope


def of_findings(scope: Scope, name: str) -> str | None:
    """Return a field of the differences; None if nothing was compared, or nothing is to say."""
    found = scope.findings.differences
    if found is None:
        return None
    if name == "finding.count":
        return amounts.count(len(found.items))
    if name == "finding.cost":
        lost = sum(one.cost or 0.0 for one in found.items)
        return Bandwidth(low=lost, high=lost).text(scope.lang) if lost > 0 else None
    if name == "expected.title":
        return say_text(scope.topology.root.title, scope.lang) or found.expected
    return not_compared(found, scope.lang) or None
