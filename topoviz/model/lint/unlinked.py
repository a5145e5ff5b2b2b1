"""A thing without any link, though its equal siblings are linked.

Why: a switch, a CPU or a node that nothing reaches is nearly always a range that
ends too early (``gpu[0-6]`` for ``gpu[0-7]``). Cards and GPUs have rules of their own
for their fabric.
To mend: wire it, or take it away.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import SCALE_UP, Ground, copies, have, named, path, warning
from topoviz.model.roles import CARDS, NETWORK
from topoviz.model.where import mark_of_child

OWN_RULE = {"gpu": SCALE_UP, **dict.fromkeys(CARDS, NETWORK)}
HINT = "nothing reaches it; a range in a wire may end too early. Wire it, or take it out of contains"


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield things that no link from outside reaches, themselves or anything in them, beside others that are linked."""
    for site, children in ground.siblings():
        own = OWN_RULE.get(children[0].assembly.kind, frozenset())
        if any(joint.kind in own for child in children for joint in site.joints[child.name]):
            continue  # told by the rule of their fabric
        without = [path(site, child) for child in children if not site.joints[child.name]]
        if 0 < len(without) < len(children):
            mark = mark_of_child(site.thing, children[0].group)
            rest = len(children) - len(without)
            message = f"{named(without)} {have(len(without))} no link at all; the other {rest} {children[0].group} {have(rest)} some"
            yield warning("unlinked", mark, message + copies(site), HINT)
