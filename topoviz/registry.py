"""A folder of modules is a table: the name of a file is the name of its entry."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from topoviz.errors import MissingEntry


def names(package: str) -> tuple[str, ...]:
    """Return the entries of a package such as ``topoviz.exporters``, sorted; those of other packages included.

    >>> names("topoviz.exporters")[:3]
    ('astra_sim', 'd2', 'dot')
    """
    folder = import_module(package)
    own = {
        found.name for found in pkgutil.iter_modules(folder.__path__) if not (found.ispkg or found.name.startswith("_"))
    }
    return tuple(sorted(own | {entry.name for entry in entry_points(group=package)}))


def get(package: str, name: str) -> ModuleType:
    """Return the module of an entry, imported now; dashes in its name are as good as underscores.

    >>> get("topoviz.exporters", "nccl-xml").SUFFIX
    '.xml'

    Raises:
        MissingEntry: there is no such entry; the text says which was meant and which there are.
    """
    known = names(package)
    said, name = name, name if name in known else name.replace("-", "_")
    if name not in known:
        kind = package.rpartition(".")[2].removesuffix("s")
        near = get_close_matches(name, known, 1)
        meant = f"did you mean '{called(near[0])}'? There" if near else "there"
        raise MissingEntry(f"unknown {kind} '{said}'; {meant} are {', '.join(map(called, known))}")
    for entry in entry_points(group=package, name=name):
        module = entry.load()
        if isinstance(module, ModuleType):
            return module
    return import_module(f"{package}.{name}")


def every(package: str) -> dict[str, ModuleType]:
    """Return all entries of a package with their modules, imported now; looked up once.

    >>> sorted(every("topoviz.exporters"))[:3]
    ['astra_sim', 'd2', 'dot']
    """
    offered = {entry.name: entry.load() for entry in entry_points(group=package)}
    own = {
        found.name: import_module(f"{package}.{found.name}")
        for found in pkgutil.iter_modules(import_module(package).__path__)
        if not (found.ispkg or found.name.startswith("_"))
    }
    modules = {name: module for name, module in offered.items() if isinstance(module, ModuleType)}
    return dict(sorted({**own, **modules}.items()))


def called(name: str) -> str:
    """Return what a person calls an entry: with dashes.

    >>> called("nccl_xml")
    'nccl-xml'
    """
    return name.replace("_", "-")


def summary(package: str, name: str) -> str:
    """Return the first line of an entry's docstring.

    >>> summary("topoviz.exporters", "json").endswith(".")
    True
    """
    return (get(package, name).__doc__ or "").strip().split("\n")[0]
