"""The gallery: every picture that an example asks for. ``python tests/gallery.py`` draws it again, with its index."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from topoviz import resources  # noqa: E402
from topoviz.loading import load  # noqa: E402
from topoviz.picture import Picture, choice, pictures  # noqa: E402

EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
GALLERY = ROOT / "gallery"
SHOWN = {  # of several pictures by one layout the one that stands for it; else it is the first
    "elevation": "own-rack.svg",
    "full-mesh": "mi300x-rings.svg",
    "groups": "tensor-pipeline-data.svg",
    "fabric": "fat-tree-ethernet.svg",
    "load": "one-ring-or-eight.svg",
    "nvlink-rack": "nvl72.svg",
    "rail-cluster": "rail-cluster.svg",
    "side-by-side": "three-ways-of-pcie.svg",
    "unknown": "odd-machine.svg",
}


def drawn(example: Path) -> list[tuple[str, str, str, Picture]]:
    """File name, language, theme and picture of everything that an example asks for."""
    out = []
    for request, picture in pictures(load(example)):
        stem = Path(request.file).stem
        for lang in picture.langs:
            for theme in picture.themes:
                marks = [m for m, first in ((lang, picture.langs[0]), (theme, picture.themes[0])) if m != first]
                out.append(("-".join([stem, *marks]) + ".svg", lang, theme, picture))
    return out


def shown() -> dict[str, str]:
    """The picture of each layout: one that was really drawn by it."""
    by_layout: dict[str, list[str]] = {}
    for example in EXAMPLES:
        for file, lang, theme, picture in drawn(example):
            if (lang, theme) == (picture.langs[0], picture.themes[0]):
                by_layout.setdefault(choice(picture, resources.Layouts(())).layout.name, []).append(file)
    return {
        name: SHOWN[name] if SHOWN.get(name) in files else min(files, key=lambda file: (Path(file).stem != name, file))
        for name, files in by_layout.items()
    }


def index() -> str:
    lines = [
        "# Gallery",
        "",
        "Every picture here is drawn from a file in `examples/` and compared byte for byte by the tests.",
        "",
    ]
    for example in EXAMPLES:
        lines += [f"## [{example.stem}](../examples/{example.name})", ""]
        for file, lang, theme, picture in drawn(example):
            title = picture.scene(lang).title
            lines += [f"![{title}]({file})", ""] if theme == "light" else [f"[{theme}]({file})", ""]
    return "\n".join(lines)


def layouts_index() -> str:
    lines = [
        "# Layouts",
        "",
        "A layout is a recipe of a picture, in YAML: which things are shown, how they stand, which links are drawn. "
        "The language of layouts is explained in [docs/layouts.md](../docs/layouts.md). "
        "`topoviz show layout NAME` prints one to copy; a file in a folder `layouts/` beside a document is found first.",
        "",
    ]
    pictured = shown()
    for name, layout in resources.Layouts().items():
        lines += [f"## [{name}]({name}.yaml)", "", layout.summary, ""]
        if name in pictured:
            lines += [f"![{name}](../gallery/{pictured[name]})", ""]
    return "\n".join(lines)


def main() -> None:
    wanted = {"README.md"}
    for example in EXAMPLES:
        for file, lang, theme, picture in drawn(example):
            (GALLERY / file).write_bytes(str(picture.text(".svg", lang=lang, theme=theme)).encode())
            wanted.add(file)
    for old in GALLERY.iterdir():
        if old.name not in wanted:
            old.unlink()
    (GALLERY / "README.md").write_bytes(index().encode())
    (ROOT / "layouts" / "README.md").write_bytes(layouts_index().encode())


if __name__ == "__main__":
    main()
