"""Which files a picture was made from, so that a host can draw it again when one of them changes."""

from __future__ import annotations

from pathlib import Path

from topoviz import resources
from topoviz.model.spec import Picture as Request
from topoviz.picture import Picture

KINDS = ("catalog", "layouts", "themes", "lang")


def dependencies(picture: Picture) -> tuple[Path, ...]:
    """Return every file that the picture may hang on: documents, includes, what is compared, own parts and layouts.

    Own files beside the documents count all of them, used or not: which layout suits depends on each.
    """
    files = [Path(source.path) for source in picture.topology.spec.sources]
    files += [Path(one.found) for one in _requests(picture.request) if one.found]
    files += [Path(one.layout) for one in _requests(picture.request) if one.layout.endswith((".yaml", ".yml"))]
    beside = [folder / file for file in files if not file.is_absolute() for folder in picture.folders]
    files += [*beside, *_own(picture.folders)]
    return tuple(dict.fromkeys(file for file in files if file.is_file()))


def _requests(request: Request) -> list[Request]:
    return [request, *(inner for panel in request.panels for inner in _requests(panel))]


def _own(folders: tuple[Path, ...]) -> list[Path]:
    """Return the files of one's own folders, sorted; shipped ones change with the version."""
    return [
        file
        for kind in KINDS
        for folder in resources.folders(kind, folders)
        if folder != resources.shipped(kind)
        for file in sorted(folder.glob("*.yaml"))
    ]
