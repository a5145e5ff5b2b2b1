"""Files by name: parts, layouts, themes and languages; one's own before the shipped ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from topoviz.drawing.layout import Layout
from topoviz.drawing.messages import Language, languages
from topoviz.drawing.read_layout import read_layout
from topoviz.errors import MissingEntry
from topoviz.marks import Source
from topoviz.model.read import read_part
from topoviz.model.source import decode, parse
from topoviz.model.spec import Body
from topoviz.model.spelling import nearest
from topoviz.renderers.theme import Theme, load_theme

HERE = Path(__file__).resolve().parent
FEW = 20  # names that are told one by one
SAID = {"catalog": "part", "layouts": "layout", "themes": "theme", "lang": "language"}


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
        if not name.endswith((".yaml", ".yml")):
            return None
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


def origin(kind: str, name: str, beside: Sequence[Path] = ()) -> str:
    """Return ``shipped`` for what comes with topoviz, else the path of the file, and an empty text for no file.

    >>> origin("catalog", "dgx-h100"), origin("catalog", "nothing")
    ('shipped', '')
    """
    path = find(kind, name, beside)
    if path is None:
        return ""
    return "shipped" if path.parent == shipped(kind) else path.as_posix()


def missing(kind: str, name: str, beside: Sequence[Path] = ()) -> MissingEntry:
    """Return the answer to a name that is not there, with the nearest, and all that there are if they are few.

    >>> str(missing("themes", "drak"))
    "unknown theme 'drak'; did you mean 'dark'? There are auto, dark, light, print"
    >>> str(missing("catalog", "dgx-h10"))
    "unknown part 'dgx-h10'; did you mean 'dgx-h100'?"
    """
    there = known(kind, beside)
    near = nearest(name, there)
    every = f"there are {', '.join(there)}"
    if near:
        few = f" T{every[1:]}" if len(there) <= FEW else ""
        return MissingEntry(f"unknown {SAID[kind]} '{name}'; did you mean '{near}'?{few}")
    return MissingEntry(f"unknown {SAID[kind]} '{name}'; {every}")


def language(name: str, beside: Sequence[Path] = ()) -> str:
    """Return the language of a name; one that lies beside the documents brings its own entries.

    Raises:
        MissingEntry: nobody has written that language down.
        SpecError: its file is no mapping of texts.

    >>> language("zh"), language("zh-CN")
    ('zh', 'zh-CN')
    """
    path = find("lang", name, beside)
    if path is None:
        if name.partition("-")[0].lower() in languages():
            return name
        raise missing("lang", name, beside)
    if path.parent == shipped("lang"):
        return name
    entries = parse(read(path)).items()
    return Language(name, {key: str(value.plain()) for key, value in entries})


def theme(name: str, beside: Sequence[Path] = ()) -> Theme:
    """Return a theme by its name; one's own before a shipped one.

    >>> theme("dark").colour("bg")
    '#0D1117'

    Raises:
        MissingEntry: there is no such theme.
        SpecError: its file is wrong.
    """
    path = find("themes", name, beside)
    if path is None:
        raise missing("themes", name, beside)
    return load_theme(name if path.parent == shipped("themes") else read(path))


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
        """Yield one's own before the shipped ones, each by name: the order of preference among equals."""
        names = known("layouts", self._beside)
        return iter(sorted(names, key=lambda name: (not self.is_own(name), name)))

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
            raise missing("layouts", name, self._beside) from None

    def is_own(self, name: str) -> bool:
        """Return whether a layout is the user's own and not a shipped one."""
        path = find("layouts", name, self._beside)
        return path is not None and path.parent != shipped("layouts")
