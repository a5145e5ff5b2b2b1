"""What a shell offers behind a word: files, parts of the catalog, formats, themes and languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def machines(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the parts of the catalog that begin so, and that files of that name are to be offered."""
    from click.shell_completion import CompletionItem

    return [*_those(_known("catalog"), begun), CompletionItem(begun, type="file")]


def files(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return that files are to be offered."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def importers(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the formats that are read and begin so."""
    from topoviz import registry

    return _those(tuple(registry.called(name) for name in registry.names("topoviz.importers")), begun)


def exporters(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the formats that are written and begin so."""
    from topoviz import registry

    return _those(tuple(registry.called(name) for name in registry.names("topoviz.exporters")), begun)


def themes(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the themes that begin so."""
    return _those(_known("themes"), begun)


def languages(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the languages that begin so."""
    return _those(_known("lang"), begun)


def _known(kind: str) -> tuple[str, ...]:
    from topoviz import resources
    from topoviz.loading import HERE

    return resources.known(kind, (HERE,))


def _those(names: tuple[str, ...], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(begun)]
