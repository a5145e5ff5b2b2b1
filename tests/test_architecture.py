"""The house: stairs go down only, no circles, outside packages behind one door each."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "topoviz"
FILES = sorted(ROOT.rglob("*.py"))
# floor of each room; a room may use rooms on lower floors, and its own room
FLOORS = {
    "marks": 0,
    "errors": 1,
    "registry": 2,
    "model": 3,
    "collectives": 4,
    "exporters": 4,
    "importers": 4,
    "jobs": 5,
    "comparing": 5,
    "lang": 4,
    "drawing": 6,
    "renderers": 7,
    "resources": 8,
    "planning": 8,
    "loading": 9,
    "measuring": 9,
    "asked": 10,
    "picture": 11,
    "measurements": 12,
    "capturing": 12,
    "cli": 13,
    "hosts": 14,
    "sphinx": 15,
    "__init__": 13,
    "__main__": 14,
}
DOORS = {  # outside package -> where it may be imported
    "svgwrite": ("renderers/",),
    "click": ("cli/",),
    "yaml": ("model/", "exporters/spec.py"),
    "networkx": ("model/", "exporters/", "collectives/bounds.py"),
    "graphviz": ("exporters/dot.py", "asked/placement.py"),
    "resvg_py": ("renderers/png.py",),
    "typst": ("renderers/pdf.py",),
    "sphinx": ("sphinx/",),
    "docutils": ("sphinx/",),
}

OFFICES = {
    "collectives",
    "exporters",
    "importers",
    "jobs",
    "comparing",
    "measuring",
}  # what they find comes to a picture as Findings
ROOF = {
    "resources",
    "planning",
    "loading",
    "asked",
    "picture",
    "measurements",
    "capturing",
    "cli",
    "hosts",
    "sphinx",
    "__init__",
    "__main__",
}
WORLD = {"os", "time", "random", "datetime", "socket", "subprocess", "tempfile", "urllib", "platform", "locale"}


def module(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module(f): f for f in FILES}


@cache
def imports(path):
    """All modules that a file imports, inside functions too, but not those for type checking alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for body in node.body
        for inner in ast.walk(body)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{a.name}" if f"{node.module}.{a.name}" in NAMES else node.module for a in node.names
            }
    return found


def room(name):
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@pytest.mark.parametrize("path", FILES, ids=[module(f) for f in FILES])
def test_stairs_go_down_only(path):
    here = room(module(path))
    up = {
        other
        for other in imports(path)
        if other.startswith("topoviz.") and room(other) != here and FLOORS[room(other)] >= FLOORS[here]
    }
    assert up == set()


@pytest.mark.parametrize("path", [f for f in FILES if room(module(f)) in {"drawing", "renderers"}], ids=module)
def test_pictures_know_no_planner(path):
    assert {room(other) for other in imports(path) if other.startswith("topoviz.")} & OFFICES == set()


@pytest.mark.parametrize("path", [f for f in FILES if room(module(f)) not in ROOF], ids=module)
def test_below_the_roof_nothing_looks_at_the_world(path):
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert {name.split(".")[0] for name in imports(path)} & WORLD == set()
    assert "print" not in calls


@pytest.mark.parametrize("path", FILES, ids=[module(f) for f in FILES])
def test_outside_packages_have_one_door(path):
    inside = path.relative_to(ROOT).as_posix()
    wrong = {
        name
        for name in imports(path)
        if name.split(".")[0] in DOORS and not inside.startswith(DOORS[name.split(".")[0]] or ("-",))
    }
    assert wrong == set()


@pytest.mark.parametrize("path", FILES, ids=[module(f) for f in FILES])
def test_files_stay_readable(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


def test_no_circles_at_import():
    """Top-level imports form no circle: every room can be imported first."""
    graph = {}
    for name, path in NAMES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = set()
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {
                    f"{node.module}.{a.name}" if f"{node.module}.{a.name}" in NAMES else node.module for a in node.names
                }
        graph[name] = {n for n in names if n in NAMES and n not in {name, "topoviz"}}
    order, done = [], set()

    def visit(name, way):
        assert name not in way, " -> ".join([*way, name])
        if name in done:
            return
        for other in sorted(graph[name]):
            visit(other, (*way, name))
        done.add(name)
        order.append(name)

    for name in sorted(graph):
        visit(name, ())
    assert len(order) == len(graph)
