"""``topoviz serve``: a page on this machine that draws the document again whenever it is saved."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from topoviz.cli.inputs import SET, load
from topoviz.cli.told import told

HOST = "127.0.0.1"  # nobody else sees it
PAGE = """<!doctype html>
<meta charset="utf-8"><title>topoviz</title>
<style>
body{margin:24px auto;max-width:1000px;background:#fff;color:#1b2530;font-family:Arial,"Noto Sans",sans-serif}
svg{max-width:100%;height:auto;display:block;margin-bottom:32px}
pre{white-space:pre-wrap;color:#b3004b}
@media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}pre{color:#ff7ba9}}
</style>
<main></main>
<script>
let seen = "";
async function look() {
  try {
    const now = await (await fetch("/version")).text();
    if (now !== seen) {
      seen = now;
      document.querySelector("main").innerHTML = await (await fetch("/pictures")).text();
    }
  } catch (gone) {}
  setTimeout(look, 500);
}
look();
</script>
"""


@click.command()
@click.argument("document", metavar="INPUT")
@click.option("--port", default=8000, show_default=True, help="0 takes a free one.")
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@SET
@told
def serve(document: str, port: int, opened: bool, given: tuple[str, ...]) -> None:  # noqa: FBT001 - a switch of click
    """Show INPUT in the browser of this machine, drawn again whenever it is saved."""
    server = preview(document, given, port)
    address = f"http://{HOST}:{server.server_address[1]}/"
    click.echo(f"{address}  (Ctrl-C ends it)")
    if opened:
        click.launch(address)
    with server:
        server.serve_forever()


def preview(document: str, given: tuple[str, ...] = (), port: int = 0) -> ThreadingHTTPServer:
    """Return the server, bound and not yet running; it answers on the loopback address alone."""
    answers = {
        "/": lambda: ("text/html", PAGE),
        "/version": lambda: ("text/plain", version(document)),
        "/pictures": lambda: ("text/html", pictures(document, given)),
    }
    return ThreadingHTTPServer((HOST, port), _handler(answers))


def version(document: str) -> str:
    """Return a text that changes when the document, or anything that lies beside it, is saved.

    >>> version("dgx-h100") == version("dgx-h100")
    True
    """
    path = Path(document)
    beside = sorted(path.parent.rglob("*.yaml")) if path.is_file() else []
    times = [
        f"{one}{one.stat().st_mtime_ns}" for one in (*([path] if path.is_file() else []), *beside) if one.is_file()
    ]
    return hashlib.sha256("\n".join(times).encode()).hexdigest()


def pictures(document: str, given: tuple[str, ...] = ()) -> str:
    """Return all pictures of a document as hypertext, or what is wrong with it."""
    from topoviz.errors import TopovizError
    from topoviz.picture import of, wanted

    try:
        topology = load((document,), given)
        drawn = [of(topology, request) for request in wanted(topology)]
        return "\n".join(str(one.text(".svg", theme="auto")) for one in drawn)
    except TopovizError as problem:
        return f"<pre>{escape(str(problem))}</pre>"


def _handler(answers: dict[str, Callable[[], tuple[str, str]]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers three addresses, and nothing to a page of another origin."""

        def do_GET(self) -> None:  # the name is that of the library
            answer = answers.get(self.path)
            if answer is None or self.headers.get("Host", "").partition(":")[0] not in {HOST, "localhost"}:
                self.send_error(404)
                return
            kind, text = answer()
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Stay silent: one line for each look would fill the terminal."""

    return Handler
