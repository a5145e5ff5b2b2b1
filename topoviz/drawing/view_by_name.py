"""Finding a view by its name: a file of the folder ``views`` with a function ``draw``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TypeAlias, cast

from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Drawing
from topoviz.drawing.scope import Scope
from topoviz.errors import MissingEntry

Draw: TypeAlias = Callable[[Block, Scope, float, "float | None"], Drawing]


def names() -> tuple[str, ...]:
    """Return the names of the views there are, sorted.

    >>> "facts" in names()
    True
    """
    package = importlib.import_module("topoviz.drawing.views")
    found = (info.name for info in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(name for name in found))


def view(name: str) -> Draw:
    """Return the function that draws the view of that name.

    Raises:
        MissingEntry: there is no such view.
    """
    if name not in names():
        raise MissingEntry(f'there is no view "{name}"; the views are {", ".join(names())}')
    return cast("Draw", importlib.import_module(f"topoviz.drawing.views.{name}").draw)
