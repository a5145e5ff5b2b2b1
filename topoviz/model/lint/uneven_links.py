"""Equal GPUs with different numbers of links, or equal leaves with different numbers of up-links.

Why: GPUs of one part have the same number of NVLinks (4, 6, 12, 18, 18, 36 for generations
1 to 6); a GPU with fewer slows every collective of the group. A leaf with fewer up-links than
its siblings is oversubscribed alone.
To mend: correct the wire or the matrix; an exception that is meant is written as a change.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import SCALE_UP, Ground, copies, have, most, named, path, warning
from topoviz.model.roles import CARDS, NETWORK
from topoviz.model.sites import Site
from topoviz.model.topology import Child
from topoviz.model.where import mark_of_child

HINT = "things of one part have the same number of ports; correct the wire, or write the exception under changes"
COMPARED = (  # kind of thing, kinds of links, what is at the other end, how the links are called
    ("gpu", SCALE_UP, frozenset[str](), "scale-up links"),
    ("switch", NETWORK, frozenset({"switch"}), "up-links"),
)


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield those of equal siblings that have another number of links than most."""
    for kind, links, far, called in COMPARED:
        for site, children in ground.siblings(frozenset({kind})):
            yield from _odd(site, children, links, far, called)


def _odd(
    site: Site, children: tuple[Child, ...], kinds: frozenset[str], far: frozenset[str], called: str
) -> Iterator[Diagnostic]:
    numbers = {child.name: site.links(child, kinds, far) for child in children}
    if children[0].assembly.kind == "switch" and not any(site.links(child, kinds, CARDS) for child in children):
        return  # a generator fills spines as far as it needs them
    usual = most(children, lambda child: numbers[child.name])
    odd: dict[int, list[Child]] = {}
    for child in children:
        if usual and numbers[child.name] not in {0, usual}:
            odd.setdefault(numbers[child.name], []).append(child)
    for number, some in odd.items():
        names, words = named([path(site, child) for child in some]), called if number > 1 else called[:-1]
        message = (
            f"{names} {have(len(some))} {number} {words}, most of the {len(children)} {some[0].group} have {usual}"
        )
        yield warning("uneven-links", mark_of_child(site.thing, some[0].group), message + copies(site), HINT)
