"""Reads documents, part files and options of a picture into frozen values.

``read_document`` is the door: parse, include and join (``joining.py``), check the form
(``forms.py``), then build the records (``records.py``). All mistakes of a stage come together.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Source
from topoviz.model import records
from topoviz.model.forms import Place, Reading, mapping
from topoviz.model.grammar import form
from topoviz.model.joining import gather, join
from topoviz.model.source import Value, document, parse
from topoviz.model.spec import Body, Picture, Spec

Opener = Callable[[str], Source]
NO_PLACE = Place()


def read_document(sources: Sequence[Source], *, open_include: Opener | None = None) -> Spec:
    """Return what one document says, or several joined. Raises SpecError.

    ``open_include`` is given a path relative to the folder of the first document and
    returns its text or raises OSError.

    >>> spec = read_document([Source("two.yaml", "contains: {gpu: 8 x l40s}")])
    >>> spec.name, spec.body.contains[0].count
    ('two', 8)
    """
    given = gather(sources, open_include)
    reading = Reading("document")
    reading.told += given.told
    place = _root(value for value in given.values)
    long = [reading.check(value, form("document"), place) for value in given.values]
    told = reading.told
    if not told:
        whole, told = join(long)
    if not told:
        told = [*_files_twice(whole), *_called_twice(whole, "routes"), *_called_twice(whole, "pictures")]
    _stop(told, given.sources)
    return records.spec(whole, _stem(sources[0].path) if sources else "document", given.sources)


def read_part(source: Source, name: str) -> Body:
    r"""Return the part that a catalog file describes; ``name`` is that of the file. Raises SpecError.

    >>> read_part(Source("l.yaml", "kind: leaf\nports: {infiniband: 64 x NDR}"), "l").ports[0].count
    64
    """
    value = parse(source)
    own = value.get("part")
    if own is not None and own.data == name:
        value = mapping({key: one for key, one in value.items() if key != "part"}, value.mark, value.keys)
    reading = Reading("part")
    long = reading.check(value, form("part file"), NO_PLACE)
    _stop(reading.told, (source,))
    return records.body(long, name)


def picture_from(options: Mapping[str, object]) -> Picture:
    """Return the picture that options of a command or arguments of a call ask for. Raises SpecError.

    Keys are those of a picture in a document; None means not given. ``"2"`` and
    ``"false"``, as a command line has them, are a number and a truth.

    >>> picture_from({"highlight": "ring", "size": "14 GB", "scale": "1.25"}).scale
    1.25
    """
    given = {key: _plain(one) for key, one in options.items() if one is not None}
    if not given:
        return Picture()
    reading = Reading("options")
    value = parse(document(given, "options"))
    long = reading.check(value, form("picture"), replace(NO_PLACE, open=True))
    _stop(reading.told, ())
    return records.picture(long)


def _plain(value: object) -> object:
    """Return a text of a command line as the number or truth that it writes."""
    from topoviz.model.composing import core

    if isinstance(value, str):
        meant = core(value)
        return value if meant is None or isinstance(meant, str) else meant
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def merge_options(picture: Picture, over: Picture) -> Picture:
    """Return the picture with what ``over`` says in place of its own.

    >>> merge_options(Picture(size=1.0, layout="ring"), Picture(size=2.0)).layout
    'ring'
    """
    said = {one.name: getattr(over, one.name) for one in fields(Picture) if one.name not in {"body", "origin"}}
    given = {key: value for key, value in said.items() if value is not None and value not in ((), "")}
    if not given.keys().isdisjoint({"measured", "measured_rate"}):  # one wish, written as a share or as a rate
        given = {**given, "measured": over.measured, "measured_rate": over.measured_rate}
    return replace(picture, **given, body=_merge_bodies(picture.body, over.body), origin=picture.origin or over.origin)


def _merge_bodies(body: Body | None, over: Body | None) -> Body | None:
    if body is None or over is None or over.part:
        return over or body
    return replace(
        body,
        variant=over.variant or body.variant,
        arguments={**body.arguments, **over.arguments},
        mig=over.mig or body.mig,
    )


def _root(values: Iterable[Value]) -> Place:
    """Return the place of documents that are joined: each sees the parameters of all."""
    names: list[str] = []
    taken = False
    for value in values:
        own = value.get("parameters")
        names += [key for key, _ in own.items()] if own is not None else []
        taken = taken or value.get("part") is not None
    return Place(parameters=tuple(dict.fromkeys(names)), open=taken)


def _files_twice(value: Value) -> list[Diagnostic]:
    """Tell pictures that write the same file."""
    first: dict[str, Value] = {}
    told = []
    pictures = value.get("pictures")
    for one in pictures.parts() if pictures is not None else ():
        file = one.get("file")
        if file is None:
            continue
        name = posixpath.normpath(str(file.data))
        if name in first:
            told.append(_second(f"two pictures write '{file.data}'", first[name], file))
        first.setdefault(name, file)
    return told


def _called_twice(value: Value, key: str) -> list[Diagnostic]:
    """Tell routes or pictures of the same name."""
    first: dict[str, Value] = {}
    told = []
    group = value.get(key)
    for one in group.parts() if group is not None else ():
        name = one.get("name")
        if name is not None and str(name.data) in first:
            told.append(_second(f"two {key} are called '{name.data}'", first[str(name.data)], name))
        elif name is not None:
            first[str(name.data)] = name
    return told


def _second(message: str, first: Value, second: Value) -> Diagnostic:
    """Return the error about what is there already, with both places."""
    before = first.mark
    where = f"line {before.line}" + ("" if before.source == second.mark.source else f" of {before.source.path}")
    return Diagnostic(message=message, mark=second.mark, hint=f"the first is on {where}", code="form-twice")


def _stop(told: Sequence[Diagnostic], sources: Sequence[Source]) -> None:
    """Raise all that was told, in order of place."""
    if not told:
        return
    order = {source.path: at for at, source in enumerate(sources)}

    def place(one: Diagnostic) -> tuple[int, int, int]:
        return (order.get(one.mark.source.path, 0), one.mark.line, one.mark.column) if one.mark else (0, 0, 0)

    raise SpecError(sorted(told, key=place))


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path.replace("\\", "/")))[0] or "document"
