"""One picture format each; a file here with a ``SUFFIX`` is an entry.

A format offers::

    SUFFIX: str                                        # ".svg"
    def render(scene: Scene, theme: Theme) -> str | bytes

Its module's first docstring line is its help text. ``theme`` and ``markup`` are shared.
"""
