"""The pure-Python scanner of YAML, cured of what it reads unlike YAML 1.2 and unlike the C scanner."""

from __future__ import annotations

import yaml


class PureLoader(yaml.SafeLoader):
    """PyYAML's own loader, but a ``?`` inside a text in braces is a sign like any other.

    PyYAML ends a text there, so that ``{from: gp?}`` or an address with a query would be a
    mistake where there is no C scanner, and would be blamed for a mistake elsewhere
    where there is one.
    """

    _inside_text = False

    def scan_plain(self) -> yaml.ScalarToken:
        """Return the token of a text without quotes."""
        self._inside_text = self.flow_level > 0
        try:
            token: yaml.ScalarToken = super().scan_plain()
            return token
        finally:
            self._inside_text = False

    def peek(self, index: int = 0) -> str:
        """Return the sign that lies so far ahead; a letter for a ``?`` that must not end a text."""
        sign: str = super().peek(index)
        return "x" if sign == "?" and self._inside_text else sign
