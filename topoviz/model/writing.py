"""Documents written for people: what fits on a line stands on one, wire by wire, with comments above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from topoviz.model.composing import flow

WIDE = 118  # characters of a line
OPEN = frozenset({"contains", "wires", "routes", "changes", "parts", "matrix", "note", "pictures"})  # never on one line


def written(data: Mapping[str, object], comments: Sequence[str] = ()) -> str:
    r"""Return plain data as YAML with comments on top.

    >>> print(written({"contains": {"gpu": "8 x l40s"}, "wires": [{"from": "gpu", "kind": "pcie"}]}, ["two lines"]), end="")
    # two lines
    contains:
      gpu: 8 x l40s
    wires:
      - {from: gpu, kind: pcie}
    """
    head = [f"# {line}".rstrip() for comment in comments for line in comment.split("\n")]
    return "\n".join([*head, *(_mapping(data, 0) if data else ["{}"])]) + "\n"


def _mapping(data: Mapping[str, object], depth: int) -> Iterator[str]:
    for key, value in data.items():
        said = flow(key)
        line = f"{'  ' * depth}{said}: {flow(value)}"
        if not isinstance(value, (Mapping, list, tuple)) or (key not in OPEN and len(line) <= WIDE) or not value:
            yield line
        elif isinstance(value, Mapping):
            yield f"{'  ' * depth}{said}:"
            yield from _mapping(value, depth + 1)
        else:
            yield f"{'  ' * depth}{said}:"
            yield from _list(value, depth + 1)


def _list(data: Sequence[object], depth: int) -> Iterator[str]:
    for value in data:
        line = f"{'  ' * depth}- {flow(value)}"
        if not isinstance(value, Mapping) or (len(line) <= WIDE and not OPEN & set(value)):
            yield line
            continue
        first, *rest = _mapping(value, depth + 1)
        yield f"{'  ' * depth}- {first.lstrip()}"
        yield from rest
