"""One way to draw each; a file here is an entry.

A view offers::

    KEYS: Mapping[str, str]     # its own keys in a layout file, each with a sentence of help
    def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing

``width`` is what it may take; ``height`` is a wish, given when panels stand side
by side and should end together: a view that can stretch does. Coordinates start
at (0, 0). A view reads ``scope.topology`` and never a planner or an importer.
"""
