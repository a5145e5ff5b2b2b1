"""What building found wrong, by stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark


@dataclass(slots=True)
class Report:
    """The mistakes of one stage so far; each place is told of once."""

    found: dict[tuple[str, int, int], Diagnostic] = field(default_factory=dict)
    warnings: dict[str, Diagnostic] = field(default_factory=dict)
    postponed: list[Diagnostic] = field(default_factory=list)

    def error(self, mark: Mark | None, message: str, hint: str = "", code: str = "hardware") -> None:
        """Note a mistake; of several at one place the first counts."""
        self.found.setdefault(_place(mark), Diagnostic(message=message, mark=mark, hint=hint, code=code))

    def warning(self, mark: Mark | None, message: str, hint: str = "", code: str = "") -> None:
        """Note a warning; the same text is told once."""
        finding = Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code=code)
        self.warnings.setdefault(message, finding)

    def later(self, mark: Mark | None, message: str, hint: str = "", code: str = "hardware") -> None:
        """Note a mistake of the next stage."""
        self.postponed.append(Diagnostic(message=message, mark=mark, hint=hint, code=code))

    def close(self) -> None:
        """End a stage.

        Raises:
            SpecError: there were mistakes; all of them, in order of place.
        """
        if self.found:
            raise SpecError(self.found[place] for place in sorted(self.found))
        for finding in self.postponed:
            self.found.setdefault(_place(finding.mark), finding)
        self.postponed.clear()


def _place(mark: Mark | None) -> tuple[str, int, int]:
    return (mark.source.path, mark.line, mark.column) if mark is not None else ("", 0, 0)
