"""Files that machines, tools and logs write, read as documents; one format each.

A file here is an entry: the first line of its docstring says what it reads, and it offers

- ``recognises(text) -> float``: how surely a text is of this format, from 0 to 1, by its content alone;
- ``read(source) -> Imported``: the document and what was inferred; a file that is wrong, cut or
  of no use raises ``SpecError`` with place, line and what was expected.

An importer never invents what its format cannot know. The folder ``evidence`` serves all of them and is no entry.
"""

from __future__ import annotations

from topoviz import registry
from topoviz.importers.evidence.imported import Carried, Imported
from topoviz.importers.evidence.text import wrong
from topoviz.marks import Source

__all__ = ["Carried", "Imported", "read", "recognised"]

PACKAGE = "topoviz.importers"
HEAD = 300_000  # characters
UNREADABLE = "unreadable"
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)  # nobody foresaw
SURE = 0.3  # below that a text is rather a document of our own


def recognised(text: str) -> str:
    r"""Return the format of a text by its content; empty if it is none that an importer knows.

    >>> recognised("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-7\nGPU1\tNV4\t X \t0-7\n")
    'nvidia_smi_topo'
    >>> recognised("part: dgx-h100")
    ''
    """
    entries = registry.every(PACKAGE)
    for part in dict.fromkeys((text[:HEAD], text)):  # a long log is known by its beginning as a rule
        sure = {name: float(module.recognises(part)) for name, module in entries.items()}
        best = max(sure, key=lambda name: sure[name], default="")
        if best and sure[best] >= SURE:
            return best
    return ""


def read(source: Source, form: str) -> Imported:
    """Return a file as a document by the importer of a format; dashes in its name are as good as underscores.

    Raises:
        SpecError: the file is wrong, cut, or holds nothing that could be imported.
        MissingEntry: there is no such format.
    """
    entry = registry.get(PACKAGE, form.replace("-", "_"))
    try:
        found: Imported = entry.read(source)
    except DAMAGE as unexpected:
        said = f"the importer {registry.called(form)} cannot read this file ({type(unexpected).__name__}: {unexpected})"
        hint = "the file may be damaged; if it is whole, please report it with the file"
        raise wrong(source, None, said, hint=hint, code=UNREADABLE) from unexpected
    return found
