"""Builds of small projects of documentation, by Sphinx itself."""

import io
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from sphinx.cmd.build import build_main

DATA = Path(__file__).parent / "data" / "documentation"


def project(folder):
    """Return a copy of the project in tests/data, to build in and to change."""
    shutil.copytree(DATA, folder)
    return folder


def written(folder, files, conf=""):
    """Return a project with these files and a plain conf.py."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conf.py").write_text(f'extensions = ["topoviz.sphinx", "myst_parser"]\n{conf}\n')
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def build(source, builder="html", *options):
    """Return the code of a build, what it wrote to the terminal, and its folder.

    Sphinx keeps the language of a build in its process, so one in another language gets a process of its own.
    """
    out, said = source.parent / f"{source.name}-{builder}", io.StringIO()
    trees = source.parent / f"{source.name}-trees-{builder}"
    words = ["-b", builder, "-N", "-n", "-d", str(trees), *options, str(source), str(out)]
    if any("language=" in option for option in options):
        done = subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, out
    with redirect_stdout(said), redirect_stderr(said):
        code = build_main(words)
    return code, said.getvalue(), out
