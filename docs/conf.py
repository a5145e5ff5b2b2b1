"""The documentation: sphinx-build -W -n -j 2 docs build/docs."""

import topoviz

project = "topoviz"
version = release = topoviz.__version__
author = "the authors of topoviz"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx reads this name

extensions = ["topoviz.sphinx", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["build"]
html_theme = "furo"
html_title = "topoviz"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.xref_missing"]  # links to files of the checkout, which readers of the files follow
highlight_language = "none"
autodoc_typehints = "signature"
nitpick_ignore_regex = [("py:.*", ".*")]  # types of Python and of rooms that have no page here
numfig = True
