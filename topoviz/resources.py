"""Files by name: parts, layouts, themes and languages; one's own before the shipped ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from topoviz.drawing.layout import Layout
from topoviz.drawing.read_layout import read_layout
from topoviz.errors import MissingEntry
from topoviz.marks import Source
from topoviz.model.read import read_part
from topoviz.model.source import decode
from topoviz.model.spec import Body
from topoviz.model.spelling import nearest

HERE = Path(__file__).resolve().parent


def shipped(kind: str) -> Path:
    """Return the folder of what comes with topoviz: ``catalog``, ``layouts``, ``themes`` or ``lang``.

    Layouts lie in the package of a wheel, and beside the package in a checkout.
    """
    if kind == "layouts":
        inside = HERE / "layouts"
        return inside if inside.is_dir() else HERE.parent / "layouts"
    return HERE / {"catalog": "catalog", "themes": "renderers/themes", "lang": "lang"}[kind]


def folders(kind: str, beside: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Return where to look for a kind of file, in order: beside the documents, ``TOPOVIZ_PATH``, shipped."""
    own = [folder / kind for folder in beside]
    path = [Path(entry) / kind for entry in os.environ.get("TOPOVIZ_PATH", "").split(os.pathsep) if entry]
    return tuple(dict.fromkeys(folder for folder in (*own, *path, shipped(kind)) if folder.is_dir()))


def read(path: Path, shown: str = "") -> Source:
    """Return a file as a source; ``shown`` is what messages call it.

    Raises:
        OSError: it cannot be read.
        SpecError: it is no UTF-8.
    """
    return decode(path.read_bytes(), shown or str(path))


def find(kind: str, name: str, beside: Sequence[Path] = ()) -> Path | None:
    """Return the file of a name, or None; a name with a slash or a suffix is a path."""
    if "/" in name or name.endswith((".yaml", ".yml")):
        for folder in (*beside, Path()):
            if (folder / name).is_file():
                return folder / name
        return None
    if not name or name.startswith(".") or "\\" in name:
        return None
    return next((f for folder in folders(kind, beside) if (f := folder / f"{name}.yaml").is_file()), None)


def known(kind: str, beside: Sequence[Path] = ()) -> tuple[str, ...]:
    """Return the names of all files of a kind, sorted."""
    found = {f.stem for folder in folders(kind, beside) for f in folder.glob("*.yaml") if not f.stem.startswith("_")}
    return tuple(sorted(found))


class Catalog:
    """Parts by name, each read once."""

    def __init__(self, beside: Sequence[Path] = ()) -> None:
        self._beside = tuple(beside)
        self._read: dict[str, Body | None] = {}

    def get(self, name: str) -> Body | None:
        """Return the body of a part, always the same object; None if there is no such part."""
        if name not in self._read:
            path = find("catalog", name, self._beside)
            self._read[name] = read_part(read(path, path.name), path.stem) if path is not None else None
        return self._read[name]

    def names(self) -> tuple[str, ...]:
        """Return the names of all parts, sorted."""
        return known("catalog", self._beside)


class Layouts(Mapping[str, Layout]):
    """Layouts by name, each read when somebody asks for it."""

    def __init__(self, beside: Sequence[Path] = ()) -> None:
        self._beside = tuple(beside)
        self._read: dict[str, Layout] = {}

    def __getitem__(self, name: str) -> Layout:
        if name not in self._read:
            path = find("layouts", name, self._beside)
            if path is None:
                raise KeyError(name)
            self._read[name] = read_layout(read(path, path.name), path.stem)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(known("layouts", self._beside))

    def __len__(self) -> int:
        return len(known("layouts", self._beside))

    def named(self, name: str) -> Layout:
        """Return a layout.

        Raises:
            MissingEntry: there is none of that name; the text has the nearest.
        """
        try:
            return self[name]
        except KeyError:
            near = nearest(name, tuple(self))
            hint = f"; did you mean '{near}'?" if near else f"; there are {', '.join(self)}"
            raise MissingEntry(f"unknown layout '{name}'{hint}") from None

    def is_own(self, name: str) -> bool:
        """Return whether a layout is the user's own and not a shipped one."""
        path = find("layouts", name, self._beside)
        return path is not None and path.parent != shipped("layouts")
