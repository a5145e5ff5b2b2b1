"""Where a mistake stands in the author's document, and how Sphinx tells it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util import logging

from topoviz.errors import Diagnostic, SpecError, TopovizError
from topoviz.hosts.wishes import KEYS

if TYPE_CHECKING:
    from topoviz.hosts.figure import Figure
    from topoviz.marks import Mark
    from topoviz.sphinx.directive import TopologyDirective

LOG = logging.getLogger(__name__)
OPTIONS = ("options", *KEYS)  # names under which the texts of options are read


def findings(problem: TopovizError) -> tuple[Diagnostic, ...]:
    """Return a problem as findings, one without a place if it has none."""
    return problem.diagnostics if isinstance(problem, SpecError) else (Diagnostic(message=str(problem)),)


def tell(directive: TopologyDirective, figure: Figure, found: tuple[Diagnostic, ...], subtype: str) -> None:
    """Warn through Sphinx, each finding at its place; ``suppress_warnings`` knows ``topoviz.spec`` and others."""
    for one in found:
        path, line = place(directive, figure, one.mark)
        text = f"{one.message}; {one.hint}" if one.hint else one.message
        LOG.warning("%s", text, location=f"{path}:{line}", type="topoviz", subtype=subtype)


def shown(directive: TopologyDirective, figure: Figure, found: tuple[Diagnostic, ...]) -> str:
    """Return findings for the page: places as paths from the folder of the documentation."""
    out = []
    for one in found:
        path, line = place(directive, figure, one.mark)
        short = Path(os.path.relpath(path, directive.env.srcdir)).as_posix()
        excerpt = one.render().split("\n")[1:]
        out.append("\n".join([f"{short}:{line}: {one.message}", *excerpt]))
    return "\n".join(out)


def place(directive: TopologyDirective, figure: Figure, mark: Mark | None) -> tuple[str, int]:
    """Return file and line of a mark: in the body, in an option, or in the file that was read."""
    path, line = directive.get_source_info()
    if mark is None:
        return path, line
    if figure.text and mark.source.path == figure.source.path:
        return _in_body(directive, mark.line)
    if mark.source.path in OPTIONS:
        name = mark.source.path if mark.source.path in KEYS else mark.source.line(mark.line).partition(":")[0]
        return path, line + _option(directive.block_text, name.strip())
    return os.path.abspath(mark.source.path), mark.line  # noqa: PTH100 - a link stays a link


def _in_body(directive: TopologyDirective, line: int) -> tuple[str, int]:
    """Return the place of a line of the body.

    docutils knows where each line came from, through ``include`` too. MyST counts
    from the start of the directive, which shows by a first line that lies at 0;
    below a directive of reStructuredText no line does.
    """
    path, start = directive.get_source_info()
    content = directive.content
    if not len(content):
        return path, start
    at = min(line - 1, len(content) - 1)
    if content.offset(0) == 0:
        return path, start + directive.content_offset + at + 1
    source, offset = content.info(at)
    found = os.path.abspath(source) if source else path  # noqa: PTH100 - a link stays a link
    return found, (offset if offset is not None else start) + 1


def _option(block: str, name: str) -> int:
    r"""Return how many lines below the start of a directive an option is written.

    >>> _option(".. topology:: x\n   :size: 14 GB\n", "size")
    1
    """
    pattern = re.compile(rf"\s*:?{re.escape(name)}:")
    return next((i for i, line in enumerate(block.split("\n")) if pattern.match(line)), 0)
