"""The words under a picture: what numbers mean, what is collapsed, what is not drawn."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from topoviz.drawing import cut_marks, fields, panels, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.blocks import flat
from topoviz.drawing.compose import NOTHING, free_text
from topoviz.drawing.messages import say_text
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.scope import Scope
from topoviz.model.spec import Text as Words

NOTE = re.compile(
    r"(?:(?P<what>left-out|folded):\s*)?(?P<text>.*)"
)  # a note of a view; folded unless it says otherwise
NO_RING = re.compile(r"no (?P<links>\S+) ring: ")  # a note of a planner
DETOUR = "No {links} ring visits all of these GPUs: where one is missing, the hop goes over PCIe and sets the pace."
WARNED = "{job.warnings}"
DRAWN = "drawn: "  # a note that answers what another view left out
PITCH = 17.0
ABOVE = 26.0  # from the end of the blocks to the first baseline
MOST = 3  # lines of the caption itself
MOST_OF_NOTE = 2  # lines of the note of the part drawn


def caption(scope: Scope, notes: Sequence[str], room: float) -> Drawing:
    """Return the caption, at most three lines, and the note of the part drawn; empty if nothing is to say."""
    lines = [
        *lines_of(texts(scope, notes), room, MOST),
        *lines_of(_detour(scope), room, MOST_OF_NOTE),
        *lines_of(_job(scope), room, MOST_OF_NOTE),
        *lines_of(_cut(scope), room, MOST_OF_NOTE),
        *lines_of(_preliminary(scope), room, MOST_OF_NOTE),
        *lines_of(_notes_of_parts(scope), room, MOST_OF_NOTE),
    ]
    if not lines:
        return NOTHING
    shapes = [Text(x=0, y=ABOVE + PITCH * i, content=t, size=12, fill="ink3") for i, t in enumerate(lines)]
    return Drawing(width=room, height=shapes[-1].y, items=free_text(shapes))


def texts(scope: Scope, notes: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of the caption: the picture's own, else those of the layout with their fields filled.

    A sentence with a field that has no value, as where nothing is left out, is not printed.
    """
    own = scope.request.caption
    if isinstance(own, (str, Mapping)):
        return (fields.say(scope, own),)
    told = {"left-out": left_out(scope, notes), "folded": folded(scope, notes)}
    numbers = {name: value for name, value in told.items() if value}
    said = (fields.say(scope, template, numbers=numbers, claims=True) for template in scope.layout.caption)
    return tuple(ended(one) for one in said if one)


def settled(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the notes of all views together: what one leaves out and another draws is not left out.

    >>> settled(["left-out: 56 switches", "left-out: 4 DPUs", "drawn: 56 switches"])
    ('left-out: 4 DPUs',)
    """
    drawn = {note.removeprefix(DRAWN) for note in notes if note.startswith(DRAWN)}
    return tuple(note for note in notes if not note.startswith(DRAWN) and note.partition(": ")[2] not in drawn)


def ended(text: str) -> str:
    """Return the text with a full stop, which a field at its end may lack.

    >>> ended("Two. 4 NVSwitch chips drawn as one"), ended("两句。四颗合画为一")
    ('Two. 4 NVSwitch chips drawn as one.', '两句。四颗合画为一。')
    """
    if text[-1] in ".!?。！？":
        return text
    return f"{text}。" if unicodedata.east_asian_width(text[-1]) == "W" else f"{text}."


def left_out(scope: Scope, notes: Iterable[str]) -> str:
    """Return what is not drawn, as a list in words: told by the views, or known to be not modelled."""
    told = [text for what, text in map(_parted, notes) if what == "left-out"]
    if len(scope.panels) > 1:
        return _by_panel(scope, told)
    return _listed([*(panels.worded(scope, text) for text in told), *_not_modelled(scope)], scope.lang)


def _by_panel(scope: Scope, told: Sequence[str]) -> str:
    """Return what no panel draws, then what each leaves out: ``NVMe; DGX H100: 8 NICs; 8 × MI300X: 2 CPUs``."""
    found: dict[str, list[str]] = {one.title: [] for one in scope.panels}
    everywhere: list[str] = []
    for text in told:
        panel = next((title for title in found if title and text.startswith(f"{title}: ")), None)
        (everywhere if panel is None else found[panel]).append(
            panels.worded(scope, text if panel is None else text[len(panel) + 2 :])
        )
    for one in scope.panels:
        found[one.title].extend(_not_modelled(one))
    common = [text for text in next(iter(found.values())) if all(text in others for others in found.values())]
    colon, semicolon = ("：", "；") if scope.lang.startswith("zh") else (": ", "; ")
    apart = {title: [text for text in texts if text not in common] for title, texts in found.items()}
    said = [f"{title}{colon}{_listed(texts, scope.lang)}" for title, texts in apart.items() if texts]
    return semicolon.join(part for part in (_listed([*everywhere, *common], scope.lang), *said) if part)


def folded(scope: Scope, notes: Iterable[str]) -> str:
    """Return what is drawn smaller than it is, as a list in words."""
    told = [panels.worded(scope, text) for what, text in map(_parted, notes) if what != "left-out"]
    said = (fields.say(scope, "{things} drawn as one", numbers={"things": text}) for text in told)
    return _listed(said, scope.lang)


def lines_of(paragraphs: Sequence[str], room: float, most: int) -> list[str]:
    """Return the paragraphs in lines of type 12, each on a line of its own while there are enough lines.

    >>> lines_of(["One.", "Two."], 400, 3)
    ['One.', 'Two.']
    """
    apart = [line for text in paragraphs for line in type_setting.wrap(text, room, 12, most + 1)]
    if len(apart) <= most:
        return apart
    whole = "".join(one if not i or _is_full(paragraphs[i - 1]) else f" {one}" for i, one in enumerate(paragraphs))
    return list(type_setting.wrap(whole, room, 12, most))


def _is_full(text: str) -> bool:
    """Whether a text ends in a sign as wide as a Chinese character, which brings its blank along."""
    return unicodedata.east_asian_width(text[-1]) in {"W", "F"}


def _parted(note: str) -> tuple[str, str]:
    match = NOTE.fullmatch(note)
    return (match["what"] or "", match["text"]) if match else ("", note)


def _not_modelled(scope: Scope) -> tuple[str, ...]:
    found: list[Words] = []
    for panel in panels.scopes(scope):
        stated = panel.roots[0].assembly.facts.get("not_modelled", ())
        found.extend([stated] if isinstance(stated, (str, Mapping)) else stated)
    return tuple(dict.fromkeys(say_text(text, scope.lang) for text in found))


def _preliminary(scope: Scope) -> tuple[str, ...]:
    """Return what preliminary parts say of it, unless the layout prints it itself or the author wrote the caption."""
    printed = any("{preliminary}" in say_text(text, "en") for text in scope.layout.caption)
    return () if printed or scope.request.caption is not None else preliminary.texts(scope)


def _detour(scope: Scope) -> tuple[str, ...]:
    """Return that there is no ring over scale-up links alone, where a planner found none; unless the author wrote."""
    estimate = scope.findings.estimate
    found = [NO_RING.match(note) for note in (estimate.notes if estimate is not None else ())]
    kind = next((one["links"] for one in found if one), "")
    return (
        () if not kind or scope.request.caption is not None else (fields.say(scope, DETOUR, numbers={"links": kind}),)
    )


def _job(scope: Scope) -> tuple[str, ...]:
    """Return what should be known before a job runs, where its groups are drawn; unless the author wrote the caption."""
    drawn = any(True for _ in flat(scope.layout.block, "groups"))
    return (ended(said),) if drawn and scope.request.caption is None and (said := fields.say(scope, WARNED)) else ()


def _cut(scope: Scope) -> tuple[str, ...]:
    """Return what is said of GPUs that are cut by MIG, unless the author wrote the caption."""
    return () if scope.request.caption is not None else cut_marks.told(scope)


def _notes_of_parts(scope: Scope) -> tuple[str, ...]:
    if scope.request.caption is not None or scope.panels:
        return ()
    note = say_text(scope.roots[0].assembly.note, scope.lang)
    return (note,) if note else ()


def _listed(words: Iterable[str], lang: str) -> str:
    return ("、" if lang.startswith("zh") else ", ").join(dict.fromkeys(words))
