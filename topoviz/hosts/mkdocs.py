"""MkDocs: a fence ``topology`` for pymdownx.superfences, as Material for MkDocs and Zensical use it.

markdown_extensions:
  - pymdownx.superfences:
      custom_fences:
        - name: topology
          class: topology
          format: !!python/name:topoviz.hosts.mkdocs.fence
          validator: !!python/name:topoviz.hosts.mkdocs.options
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from topoviz.errors import TopovizError
from topoviz.hosts.figure import Figure
from topoviz.hosts.page import box, drawn, told
from topoviz.hosts.wishes import KEYS, SWITCHES, apart

OWN = ("set", "picture", "name", "foot")
PART = "from"  # a file or a part of the catalog instead of lines in the fence
FOLDER = "docs"  # where MkDocs keeps its documents if nobody says otherwise


def options(language: str, inputs: dict[str, Any], taken: dict[str, Any], attributes: dict[str, Any], md: Any) -> bool:
    """Return true: every option of a picture is taken; what is none is told in the picture's place."""
    for name, value in inputs.items():
        bare = value is True or value is None or value == name
        taken[name] = "" if bare and name in SWITCHES else str(value)
    return True


def fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Return the picture of a fence as HTML, or a box that says what is wrong and a warning in the log.

    MkDocs swallows what a fence raises and shows the raw text, so nothing is raised here;
    with ``mkdocs build --strict`` the warning ends the build.

    >>> fence("part: l40s-server", "topology", "topology", {"title": "Eight L40S"}, None)[:23]
    '<figure class="topoviz-'
    """
    try:
        return drawn(_figure(source, options), _number(source, options, md))
    except TopovizError as problem:
        _log(problem)
        return box(problem)


def _figure(source: str, options: dict[str, Any]) -> Figure:
    unknown = [name for name in options if name not in (*KEYS, *OWN, PART)]
    if unknown:
        raise TopovizError(f"unknown option '{unknown[0]}'; there are {', '.join((*OWN, PART, *KEYS))}")
    texts, caption = apart({name: str(text) for name, text in options.items() if name != PART})
    given = str(options.get(PART, ""))
    if bool(given) == bool(source.strip()):
        raise TopovizError(f"a fence has either {PART}= or lines in it")
    folder = FOLDER if Path(FOLDER).is_dir() else "."
    beside = Path(folder) / given
    return Figure(
        given=str(beside) if given and beside.is_file() else given,
        text=f"{source}\n" if source.strip() else "",
        folder=folder,
        options=texts,
        caption=caption,
    )


def _number(source: str, options: dict[str, Any], md: Any) -> str:
    """Return a name for the ids of a picture: of its content, and counted if it comes twice in a page."""
    said = sha256(repr((source, sorted(options.items()))).encode()).hexdigest()[:8]
    if md is None:
        return said
    seen = vars(md).setdefault("topoviz_seen", {})
    seen[said] = seen.get(said, 0) + 1
    return said if seen[said] == 1 else f"{said}_{seen[said]}"


def _log(problem: TopovizError) -> None:
    import logging

    logging.getLogger("mkdocs.topoviz").warning("%s", told(problem))
