"""A part told in full: what it is in each language, its numbers computed, how sure they are, where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topoviz.model.bisection import Bisection
    from topoviz.model.figures import Figures
    from topoviz.model.spec import Body, Text
    from topoviz.model.topology import Link, Topology

WIDTH = 110  # of the comments


def comments(name: str, body: Body, topology: Topology, origin: str) -> str:
    """Return what is computed about a part as comments of YAML, to stand above its file."""
    from textwrap import wrap

    lines = [f"{name}: {topology.root.kind} ({origin})", *_said(body, topology)]
    folded = (
        wrap(line, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False, break_long_words=False)
        for line in lines
    )
    return "\n".join(line for block in folded for line in block) + "\n"


def computed(body: Body, topology: Topology) -> dict[str, Any]:
    """Return the same for programs: bandwidths in GB/s, one direction, memory in bytes."""
    from topoviz.model.figures import figures
    from topoviz.model.in_brief import marks

    found = figures(topology)
    return {
        "kind": topology.root.kind,
        "title": _texts(topology.root.assembly.title),
        "marks": list(marks(body)),
        "variants": list(body.variants),
        "parameters": {one.name: [one.default, one.least, one.most] for one in body.parameters.values()},
        "counts": dict(found.counts),
        "links": [_row(link) for link in found.links],
        "gpu_links": [_row(link) for link in found.gpu],
        "memory": found.memory,
        "pairs_without_link": found.pairs[0] if found.pairs else None,
        "bisection": _bisection_row(found.bisection),
        "mig": _slices(topology),
    }


def _said(body: Body, topology: Topology) -> Iterator[str]:
    from topoviz.model.figures import figures

    root = topology.root.assembly
    for lang, text in _texts(root.title).items():
        yield f"title ({lang}): {text}"
    if body.parameters:
        yield "parameters: " + ", ".join(
            _parameter(one.name, one.default, one.least, one.most) for one in body.parameters.values()
        )
    if body.variants:
        first, *rest = body.variants
        yield "variants: " + ", ".join([f"{first} (taken if none is named)", *rest])
    yield from _figures(figures(topology))
    yield from _cuts(topology)
    if body.preliminary:
        for lang, text in _texts(root.preliminary).items():
            yield f"preliminary ({lang}): {text}"
    if body.source.startswith("unverified"):
        yield "unverified: no document was read for these numbers"
    for one in body.source.split("; "):
        yield f"source: {one}"


def _parameter(name: str, default: int, least: int | None, most: int | None) -> str:
    limits = f" ({least} to {most})" if least is not None and most is not None else ""
    return f"{name} = {default}{limits}"


def _figures(found: Figures) -> Iterator[str]:
    from topoviz.model.units import size_text

    if found.counts:
        yield "holds: " + ", ".join(_many(kind, number) for kind, number in found.counts.items())
    if found.memory:
        yield f"memory of {'all GPUs' if found.counts else 'the GPU'}: {size_text(found.memory)}"
    for link in found.gpu:
        yield f"{link.kind} of {'each' if found.counts else 'the'} GPU: {_link(link)}"
    for link in found.links:
        yield f"{link.kind} in all: {_link(link)}"
    if found.pairs is not None and found.pairs[0]:
        yield f"pairs of GPUs without a direct link: {found.pairs[0]:,} of {found.pairs[1]:,}"
    if found.bisection is not None:
        half = found.bisection
        over = " and ".join(half.kinds)
        whom = f"{_many(half.ends, half.halves[0])} to the other {half.halves[1]:,} over {over}"
        yield f"bisection: {both(half.bandwidth)}, from the first {whom}"


def _cuts(topology: Topology) -> Iterator[str]:
    """Yield how a GPU can be cut by MIG: its slices, its profiles, the cuts that leave no room."""
    from topoviz.model.mig import counted, fitting, slices_of

    slices = slices_of(topology.root.assembly)
    if slices is None:
        return
    yield f"MIG: {slices.compute} compute slices, {slices.memory} memory slices"
    for one in slices.profiles:
        starts = ", ".join(map(str, one.starts))
        most = f"at most {one.most}" if one.most is not None else "any number"
        sms = f"{one.sms} SMs" if one.sms is not None else "SMs not found"
        yield f"MIG profile {one.name}: {most}, {sms}, {one.memory} of {slices.memory} memory slices, from {starts}"
    yield "MIG cuts that leave no room: " + "; ".join(counted(cut) for cut in fitting(slices, ()))


def _slices(topology: Topology) -> dict[str, object] | None:
    from dataclasses import asdict

    from topoviz.model.mig import slices_of

    slices = slices_of(topology.root.assembly)
    return None if slices is None else asdict(slices)


def _many(kind: str, number: int) -> str:
    from topoviz.model.names import spoken

    return f"{number:,} {'PCIe ' * (kind == 'pcie')}{spoken(kind, number)}"


def _link(link: Link) -> str:
    number = f"{link.links:,} link{'s' * (link.links != 1)}" + (f" of {link.link}" if link.link else "")
    return f"{number}, {both(link.bandwidth, at_least=link.at_least)}"


def both(rate: float | None, *, at_least: bool = False) -> str:
    """Return a bandwidth per direction and of both directions, exact to a thousandth.

    >>> both(64_800), both(450), both(None)
    ('64.8 TB/s per direction (129.6 TB/s both directions)', '450 GB/s per direction (900 GB/s both directions)', 'rate not stated')
    """
    if rate is None:
        return "rate not stated"
    least = "at least " if at_least else ""
    return f"{least}{_exact(rate)} per direction ({_exact(2 * rate)} both directions)"


def _exact(rate: float) -> str:
    return f"{round(rate / 1000, 4):,g} TB/s" if rate >= 1000 else f"{round(rate, 3):g} GB/s"


def _row(link: Link) -> dict[str, object]:
    return {"kind": link.kind, "link": link.link, "links": link.links, "bandwidth": link.bandwidth}


def _bisection_row(half: Bisection | None) -> dict[str, object] | None:
    if half is None:
        return None
    return {"bandwidth": half.bandwidth, "kinds": list(half.kinds), "ends": half.ends, "halves": list(half.halves)}


def _texts(text: Text) -> dict[str, str]:
    """Return a text by language; a name without languages is the same in both that are shipped."""
    return {lang: text[lang] for lang in sorted(text)} if isinstance(text, Mapping) else {"en": text, "zh": text}
