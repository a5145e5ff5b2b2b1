"""A theme: what colour each token has.

A theme file::

    summary: one sentence
    base: light          # optional: the theme whose colours hold where this one is silent
    dark: dark           # optional: the theme that dark pages get instead
    ground: true         # false: the page shows through
    hatch: [hull]        # tokens that are hatched where they fill a box
    colours:
      gpu: "#0B4F3C"     # #rgb, #rrggbb, rgb(r, g, b), or one of sixteen names
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from topoviz.errors import Diagnostic, MissingEntry, SpecError
from topoviz.marks import Source
from topoviz.model.spelling import nearest
from topoviz.renderers.markup.colour import hexadecimal

if TYPE_CHECKING:
    from topoviz.model.source import Value

FABRICS = ("nvlink", "pcie", "infiniband", "ethernet", "cpulink", "c2c", "xgmi", "ici", "neuronlink")
ROLES = ("line", "tint", "text")
TOKENS = (
    *("bg", "surf", "surf2", "ink", "ink2", "ink3", "frame", "hair", "ghost", "gpu", "gpu.text", "gpu.text2"),
    *(f"{fabric}.{role}" for fabric in FABRICS for role in ROLES),
    *("alert", "alert.tint", "ring.a", "ring.b", "ring.c", "ring.d", "ring.text"),
    *(f"load.{step}" for step in range(5)),
    *("casing", "hull", "badge", "prel"),
)
ALIASES = MappingProxyType({"upi": "cpulink", "qpi": "cpulink", "smp": "cpulink"})
PLAIN = MappingProxyType({"line": "ink2", "tint": "surf", "text": "ink2"})  # of a fabric no theme knows
KEYS = ("summary", "base", "dark", "ground", "hatch", "colours")
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours by token, as ``#RRGGBB``. ``dark`` holds what differs where the page is dark."""

    name: str
    summary: str = ""
    colours: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    dark: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    hatched: tuple[str, ...] = ()
    ground: bool = True

    def colour(self, token: str) -> str:
        """Return the colour of a token; raises LookupError for one that no theme has."""
        return self.colours[known(token)]


def known(token: str) -> str:
    """Return the token that a theme has for this one: aliases and fabrics nobody knows are replaced.

    >>> known("upi.line"), known("sneakernet.tint")
    ('cpulink.line', 'surf')
    """
    if token in TOKENS:
        return token
    fabric, _, role = token.partition(".")
    if role not in PLAIN:
        raise LookupError(f"no such token of a theme: {token!r}")
    alias = f"{ALIASES.get(fabric, fabric)}.{role}"
    return alias if alias in TOKENS else PLAIN[role]


def load_theme(name: str | Source) -> Theme:
    """Return a shipped theme by its name, or the theme that a source describes.

    Raises MissingEntry for a name that is not shipped and SpecError for a faulty file.

    >>> load_theme("dark").colour("bg")
    '#0D1117'
    """
    return _shipped(name) if isinstance(name, str) else _read(name)


def shipped() -> tuple[str, ...]:
    """Return the names of the themes that come with the package."""
    folder = files("topoviz.renderers").joinpath("themes")
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


@cache
def _shipped(name: str) -> Theme:
    if name not in shipped():
        raise MissingEntry(f"no theme '{name}'; known: {', '.join(shipped())}")
    file = files("topoviz.renderers").joinpath("themes").joinpath(f"{name}.yaml")
    return _read(Source(f"{name}.yaml", file.read_text(encoding="utf-8")))


def _read(source: Source) -> Theme:
    from topoviz.model.source import parse

    value = parse(source)
    mistakes = tuple(_mistakes(value))
    if mistakes:
        raise SpecError(mistakes)
    base, dark = (_shipped(str(part.data)) if (part := value.get(key)) else None for key in ("base", "dark"))
    inherited = dict(base.colours) if base else {}
    own = {token: hexadecimal(str(colour.data)) for token, colour in _entries(value, "colours")}
    both = {**inherited, **own}
    return Theme(
        name=source.path.replace("\\", "/").rpartition("/")[2].removesuffix(".yaml"),
        summary=_text(value, "summary"),
        colours=MappingProxyType({token: both[token] for token in TOKENS}),
        dark=dark.colours if dark else NOTHING,
        hatched=tuple(str(part.data) for part in hatch.parts()) if (hatch := value.get("hatch")) else (),
        ground=ground.data is not False if (ground := value.get("ground")) else True,
    )


def _mistakes(value: Value) -> Iterator[Diagnostic]:
    """Yield what is wrong with a theme file, in the order of writing, then what is missing."""
    if not value.is_mapping:
        yield Diagnostic(message="a theme is a mapping", mark=value.mark, hint=f"keys: {', '.join(KEYS)}")
        return
    for key, part in value.items():
        if key not in KEYS:
            yield Diagnostic(message=f"unknown key '{key}'", mark=value.key_mark(key), hint=_meant(key, KEYS))
        elif key in {"base", "dark"} and str(part.data) not in shipped():
            yield Diagnostic(message=f"no theme '{part.data}'", mark=part.mark, hint=_meant(str(part.data), shipped()))
        elif key == "ground" and not isinstance(part.data, bool):
            yield Diagnostic(message="'ground' is true or false", mark=part.mark)
        elif key == "hatch":
            yield from (_unknown(str(p.data), p) for p in part.parts() if p.data not in TOKENS)
        elif key == "colours":
            yield from _colour_mistakes(part)
    if value.get("base") is None and (missing := [t for t in TOKENS if t not in dict(_entries(value, "colours"))]):
        told = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
        mark = value.key_mark("colours")
        yield Diagnostic(message=f"no colour for {told}", mark=mark, hint="give them, or name a 'base: light'")


def _colour_mistakes(colours: Value) -> Iterator[Diagnostic]:
    for token, colour in colours.items():
        if token not in TOKENS:
            hint = _meant(token, TOKENS)
            yield Diagnostic(message=f"unknown token '{token}'", mark=colours.key_mark(token), hint=hint)
        elif not isinstance(colour.data, str) or hexadecimal(colour.data) == "":
            written = colour.text or str(colour.data)
            hint = "write '#0B4F3C', '#fff' or 'rgb(11, 79, 60)', in quotes"
            yield Diagnostic(message=f"not a colour: '{written}'", mark=colour.mark, hint=hint)


def _unknown(token: str, part: Value) -> Diagnostic:
    return Diagnostic(message=f"unknown token '{token}'", mark=part.mark, hint=_meant(token, TOKENS))


def _entries(value: Value, key: str) -> Iterator[tuple[str, Value]]:
    part = value.get(key)
    return part.items() if part is not None else iter(())


def _text(value: Value, key: str) -> str:
    part = value.get(key)
    return str(part.data) if part is not None else ""


def _meant(word: str, choices: tuple[str, ...]) -> str:
    """Return a hint with the one of the choices that was meant, or with all if they are few."""
    near = nearest(word, choices)
    if near:
        return f"did you mean '{near}'?"
    return f"known: {', '.join(choices)}" if len(choices) < 12 else ""
