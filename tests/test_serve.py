"""The live preview: what it answers, that it sees a change, that only this machine may ask."""

import threading
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from topoviz.cli import cli
from topoviz.cli.serve import preview


@contextmanager
def served(document):
    server = preview(str(document))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def get(address, **headers):
    with urlopen(Request(address, headers=headers)) as answer:  # noqa: S310 - the loopback address of this test
        return answer.read().decode()


def test_it_shows_the_pictures_and_sees_a_change(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("part: dgx-h100\n")
    with served(file) as address:
        before, drawn = get(f"{address}/version"), get(f"{address}/pictures")
        file.write_text("part: dgx-h100\npictures: [a.svg, {file: b.svg, theme: dark}]\n")
        after, again = get(f"{address}/version"), get(f"{address}/pictures")
    assert (drawn.count("<svg"), again.count("<svg")) == (1, 2)
    assert before != after


def test_a_mistake_is_shown_instead(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("part: dgx-h1000 <b>\n")
    with served(file) as address:
        said = get(f"{address}/pictures")
    assert said.startswith("<pre>")
    assert "a part has no blanks in its name" in said
    assert "<b>" not in said


@pytest.mark.parametrize(("path", "headers"), [("/other", {}), ("/pictures", {"Host": "evil.example"})])
def test_nothing_else_is_answered(path, headers):
    with served("dgx-h100") as address, pytest.raises(HTTPError, match="404"):
        get(address + path, **headers)


def test_watch_draws_again_and_survives_a_mistake(tmp_path, monkeypatch, capsys):
    file = tmp_path / "a.yaml"
    file.write_text("part: dgx-h100\n")

    def changes(*_, **__):
        file.write_text("part: dgx-h1000\n")
        yield
        file.write_text("part: dgx-a100\n")
        yield

    monkeypatch.setattr("watchfiles.watch", changes)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["render", "a.yaml", "-o", "a.svg", "--watch"])
    assert (done.exit_code, "unknown part" in done.output) == (0, True)
    assert "DGX A100" in (tmp_path / "a.svg").read_text(encoding="utf-8")
