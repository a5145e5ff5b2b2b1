"""Announced hardware: what of a picture is preliminary, and the texts that say so."""

from __future__ import annotations

from topoviz.drawing.messages import fill, message, say_text
from topoviz.drawing.scope import Scope
from topoviz.model.topology import Assembly, Thing

WORD = "preliminary"


def is_preliminary(scope: Scope) -> bool:
    """Return whether what a panel shows is announced only: the thing itself, or GPUs in it."""
    return any(_has(root.assembly) for root in scope.roots)


def texts(scope: Scope) -> tuple[str, ...]:
    """Return what the parts of all panels say of it, the outermost of each; a bare mark says nothing more."""
    found: list[str] = []
    for panel in scope.panels or (scope,):
        for root in panel.roots:
            found.extend(_said(root.assembly, scope.lang))
    return tuple(dict.fromkeys(found))


def _said(assembly: Assembly, lang: str) -> list[str]:
    if assembly.preliminary:
        said = say_text(assembly.preliminary, lang)
        return (
            [said]
            if said != WORD
            else [fill("{title} is preliminary.", {"title": say_text(assembly.title, lang)}, lang)]
        )
    return [text for inner, _ in assembly.variety for text in _said(inner, lang)]


def marked(title: str, scope: Scope) -> str:
    """Return the title with the word, if all that is drawn is preliminary and the title does not say it."""
    word = message(WORD, scope.lang)
    if word in title or not all(is_preliminary(panel) for panel in (scope.panels or (scope,))):
        return title
    return fill("{title} ({word})", {"title": title, "word": word}, scope.lang)


def outline(thing: Thing) -> tuple[str, tuple[float, ...]]:
    """Return stroke and dash of the outline of a thing: dashed if it, what holds it or what it holds is preliminary."""
    above = thing.parent
    announced = _has(thing.assembly)
    while above is not None and not announced:
        announced, above = bool(above.assembly.preliminary), above.parent
    return ("ink3", (6.0, 4.0)) if announced else ("frame", ())


def _has(assembly: Assembly) -> bool:
    """Return whether the thing or a GPU in it is preliminary; a new card alone makes no server preliminary."""
    if assembly.preliminary:
        return True
    return any(_has(inner) for inner, _ in assembly.variety if inner.kind == "gpu" or inner.children)
