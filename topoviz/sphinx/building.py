"""What happens round the pictures of a build: which documents are read again, which files are swept out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util import logging

from topoviz import __version__
from topoviz.model.spelling import nearest
from topoviz.sphinx.drawn import FOLDER

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

LOG = logging.getLogger(__name__)
KNOWN = ("topoviz_theme", "topoviz_format", "topoviz_failed")


def refuse_unknown(app: Sphinx, config: Config) -> None:
    """Warn of names in conf.py that start like ours and are none."""
    for name in sorted(vars(config).get("_raw_config", {})):
        if name.startswith("topoviz_") and name not in KNOWN:
            near = nearest(name, KNOWN)
            hint = f"did you mean '{near}'?" if near else f"there are {', '.join(KNOWN)}"
            LOG.warning("conf.py: unknown '%s'; %s", name, hint, type="topoviz", subtype="config")


def static(app: Sphinx) -> None:
    """Add our style sheet to the files that pages may use, and note whether there are pages."""
    vars(app.env)["topoviz_html"] = app.builder.format == "html"
    path = str(Path(__file__).parent / "static")
    if app.builder.format == "html" and path not in app.config.html_static_path:
        app.config.html_static_path.append(path)


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Return documents with a picture that failed; with a new topoviz, all that have pictures."""
    state = vars(env)
    old = state.get("topoviz_version", __version__) != __version__
    state["topoviz_version"] = __version__
    again = set(state.get("topoviz_failed", ())) | (set(state.get("topoviz_keys", {})) if old else set())
    return sorted(name for name in again if name in env.found_docs)


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop what is known of a document before it is read again."""
    vars(env).setdefault("topoviz_failed", set()).discard(docname)
    vars(env).setdefault("topoviz_keys", {}).pop(docname, None)


def join(app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    """Take over what another process found in its documents."""
    mine, theirs = vars(env), vars(other)
    names = set(docnames)
    mine.setdefault("topoviz_failed", set()).update(names & set(theirs.get("topoviz_failed", ())))
    found = theirs.get("topoviz_keys", {})
    mine.setdefault("topoviz_keys", {}).update({name: found[name] for name in sorted(names) if name in found})


def sweep(app: Sphinx, exception: Exception | None) -> None:
    """Remove pictures that no document shows any more; only files that we have written."""
    if exception is not None:
        return
    used = {key for keys in vars(app.env).get("topoviz_keys", {}).values() for key in keys}
    images = getattr(app.builder, "imagedir", "")
    for folder in (Path(app.doctreedir) / FOLDER, Path(app.outdir) / images):
        for path in sorted(folder.glob("topoviz-*-*.*")):
            if path.name.split("-")[1] not in used:
                path.unlink(missing_ok=True)
