"""One form of the graph each; a module offers ``SUFFIX`` and ``write(topology) -> str``."""
