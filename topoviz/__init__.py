"""topoviz turns a description of a GPU system into a picture worth publishing."""

from __future__ import annotations

__version__ = "0.1.0"
