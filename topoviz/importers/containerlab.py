"""containerlab topologies: nodes and the links between their interfaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from topoviz.errors import Diagnostic, SpecError
from topoviz.importers.evidence import yaml as foreign
from topoviz.importers.evidence.fabric import Cable, Fabric
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, place
from topoviz.marks import Source
from topoviz.model.source import Value
from topoviz.model.spelling import nearest

SWITCH = re.compile(r"leaf|spine|core|tor|switch|super-?spine|bridge", re.IGNORECASE)
MADE = re.compile(
    r"srl|srlinux|sros|ceos|veos|sonic|crpd|vqfx|vjunos|nxos|n9kv|cvx|cumulus|dellftos|bridge|ovs", re.IGNORECASE
)
OUTSIDE = ("host", "mgmt-net", "macvlan", "dummy")  # ends that are no nodes
IMPLICIT = re.compile(  # what YAML 1.1, which containerlab reads, takes for something else than a text
    r"(?:y|yes|n|no|true|false|on|off|null|~|)|[-+]?0x[0-9a-f_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)e[-+]?[0-9]+|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?.*",
    re.IGNORECASE,
)
KEY = re.compile(r"(?P<indent> +)(?P<key>[^\s\"'#:][^\"'#]*?)\s*:(?:\s|$)")
End = tuple[str, str]  # node, interface


def recognises(text: str) -> float:
    """Return how surely a text is a topology of containerlab."""
    if "topology" not in foreign.keys(text) or re.search(r"^- ", text[:100_000], re.MULTILINE):
        return 0.0
    return 0.9 if re.search(r"^topology:\s*\n(?:.*\n)*?\s+(?:nodes|links):", text[:100_000], re.MULTILINE) else 0.0


def read(source: Source) -> Imported:
    """Return the network of a lab. Raises SpecError."""
    told = Told(source)
    _check_names(source)
    top = foreign.read(source)
    lab = top.get("topology")
    nodes = lab.get("nodes") if lab is not None else None
    if lab is None or nodes is None or not nodes.is_mapping:
        said = "topology must have nodes, a mapping"
        raise foreign.mistake(source, nodes or lab or top, said, code="containerlab-shape")
    fabric, ends = Fabric(), list(_links(source, lab))
    _check_ends(source, ends, [name for name, _ in nodes.items()])
    for name, node in nodes.items():
        (fabric.switch if _is_switch(lab, name, node) else fabric.host)(name)
    outside = 0
    for (a, b), _ in ends:
        if _is_outside(a[0]) or _is_outside(b[0]):
            outside += 1
        else:
            _join(fabric, a, b)
    _tell(told, fabric, outside)
    pairs = Counter(frozenset((a[0], b[0])) for (a, b), _ in ends)
    parallel = sum(many > 1 for many in pairs.values())
    counts = {"nodes": len(fabric.names), "links": len(ends), "parallel_pairs": parallel}
    title = top.get("name")
    head = {"title": title.text} if title is not None and title.text else {}
    return Imported(
        document={**head, "kind": "cluster", **fabric.body()},
        told=tuple(told.found),
        names=fabric.names,
        facts={"counts": counts},
    )


def _tell(told: Told, fabric: Fabric, outside: int) -> None:
    if fabric.switches:
        listed = ", ".join(list(fabric.switches)[:4]) + (" …" if len(fabric.switches) > 4 else "")
        told.infer(f"taken as switches by their kind, group or name: {listed}; the others are servers")
    if outside:
        many = "link leaves" if outside == 1 else "links leave"
        told.infer(
            f"{outside} {many} the lab for its host and is left out"
            if outside == 1
            else f"{outside} {many} the lab for its host and are left out"
        )
    if fabric.cables:
        told.infer("the file has no rates; links are Ethernet without one")


# ---- names


def _check_names(source: Source) -> None:
    """Raise SpecError if names of nodes are read as numbers, truth values, times or nothing by YAML 1.1."""
    found = [(at, key) for at, key in _keys_of_nodes(source) if IMPLICIT.fullmatch(key)]
    if not found:
        return
    listed = ", ".join(f"'{key}'" for _, key in found)
    what = "is no text" if len(found) == 1 else "are no texts"
    said = f"{listed} {what} for containerlab, which reads YAML 1.1"
    mark = place(source, found[0][0], found[0][1])
    hint = f'quote every one of them: "{found[0][1]}"'
    raise SpecError([Diagnostic(message=said, mark=mark, hint=hint, code="yaml-name-not-a-string")])


def _keys_of_nodes(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the unquoted keys of the mapping of nodes with their lines, without reading YAML."""
    outer, inner = -1, -1
    for at, line in enumerate(source.text.split("\n"), 1):
        found = KEY.match(line)
        indent = len(line) - len(line.lstrip(" "))
        if outer >= 0 and line.strip() and not line.lstrip().startswith("#") and indent <= outer:
            return
        if found and outer < 0 and found["key"] == "nodes":
            outer = indent
        elif found and outer >= 0:
            inner = indent if inner < 0 else inner
            if indent == inner:
                yield at, found["key"]


# ---- links


def _links(source: Source, lab: Value) -> Iterator[tuple[tuple[End, End], Value]]:
    links = lab.get("links")
    for link in links.parts() if links is not None and links.is_list else ():
        ends = link.get("endpoints")
        if ends is None or not ends.is_list or len(ends.parts()) != 2:
            said = "a link has two endpoints"
            raise foreign.mistake(
                source, ends or link, said, hint='endpoints: ["a:eth1", "b:eth1"]', code="containerlab-link"
            )
        a, b = (_end(source, one) for one in ends.parts())
        yield (a, b), link


def _end(source: Source, value: Value) -> End:
    if value.is_mapping:
        node, port = value.get("node"), value.get("interface")
        if node is not None:
            return node.text, port.text if port is not None else ""
    name, sign, port_ = value.text.rpartition(":")
    if not sign or not name:
        said = f"'{value.text}' is no NODE:INTERFACE"
        raise foreign.mistake(source, value, said, hint="such as leaf1:eth1", code="containerlab-link")
    return name, port_


def _check_ends(source: Source, ends: list[tuple[tuple[End, End], Value]], known: list[str]) -> None:
    """Raise SpecError for links to nodes that are not there, and for those from a node to itself."""
    unknown, selves = [], []
    for (a, b), link in ends:
        for name in dict.fromkeys((a[0], b[0])):
            if name not in known and not _is_outside(name):
                near = nearest(name, known)
                meant = f"; did you mean '{near}'?" if near else ""
                mark = place(source, link.mark.line, name)
                said = f"there is no node '{name}'{meant}"
                unknown.append(Diagnostic(message=said, mark=mark, hint="nodes lists them all", code="unknown-node"))
        if a[0] == b[0]:
            said = f"a link from '{a[0]}' to itself"
            selves.append(Diagnostic(message=said, mark=place(source, link.mark.line, a[0]), code="self-link"))
    if unknown or selves:
        raise SpecError([*unknown, *selves])


def _is_outside(name: str) -> bool:
    return name in OUTSIDE


def _is_switch(lab: Value, name: str, node: Value) -> bool:
    """Return whether a node is a switch by what it runs, its group or its name."""
    said: Mapping[str, str] = {key: value.text for key, value in node.items()}
    defaults = lab.get("defaults")
    kind = (
        said.get("kind") or (defaults.get("kind") or Value("", lab.mark)).text
        if defaults is not None
        else said.get("kind", "")
    )
    return bool(SWITCH.match(said.get("group", "")) or MADE.search(kind) or SWITCH.match(name))


def _join(fabric: Fabric, a: End, b: End) -> None:
    """Join two nodes; a server's interface towards a switch is a network card."""
    if a[0] in fabric.switches and b[0] in fabric.hosts:
        a, b = b, a
    card = a[1] if a[0] in fabric.hosts and b[0] in fabric.switches else ""
    if card and card not in fabric.cards.setdefault(a[0], []):
        fabric.cards[a[0]].append(card)
    fabric.cables.append(Cable(source=a[0], target=b[0], kind="ethernet", card=card))
