"""Documents written in a test, and the shipped catalog to build them with."""

from pathlib import Path

import topoviz
from topoviz.marks import Source
from topoviz.model.build import build
from topoviz.model.read import read_document, read_part
from topoviz.model.spec import Body, Spec
from topoviz.model.topology import Topology

DATA = Path(__file__).parent / "data"
PARTS = Path(topoviz.__file__).parent / "catalog"
LAYOUTS = tuple(sorted(path.stem for path in (DATA / "examples" / "layouts").glob("*.yaml")))


class Shipped:
    """The shipped parts; each file is read once."""

    def __init__(self) -> None:
        self._read: dict[str, Body | None] = {}

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in PARTS.glob("*.yaml")))

    def get(self, name: str) -> Body | None:
        if name not in self._read:
            path = PARTS / f"{name}.yaml"
            known = path.is_file()
            self._read[name] = read_part(Source(path.name, path.read_text("utf-8")), name) if known else None
        return self._read[name]


CATALOG = Shipped()


def document(text: str, path: str = "document.yaml") -> Spec:
    folder = DATA / "examples"
    return read_document(
        [Source(path, text)], open_include=lambda name: Source(name, (folder / name).read_text("utf-8"))
    )


def built(text: str, path: str = "document.yaml") -> Topology:
    return build(document(text, path), CATALOG, layouts=LAYOUTS)


def example(name: str) -> Topology:
    path = DATA / "examples" / f"{name}.yaml"
    return built(path.read_text("utf-8"), path.name)
