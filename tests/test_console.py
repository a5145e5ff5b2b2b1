"""The commands in the how-to of slow machines run, and print what the page says they print."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from topoviz.cli import cli

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "slow-machine.md").read_text(encoding="utf-8")
FILES = {
    "topo.txt": "examples/found.txt",
    "healthy.txt": "examples/topo.txt",
    "nccl.log": "examples/nccl.log",
    "bw.txt": "tests/data/measured/nvbandwidth-one-gpu.txt",
    "all-reduce.txt": "tests/data/measured/all-reduce-slow.txt",
    "host.txt": "examples/topo.txt",
}


def sessions():
    """Every command of the page with the lines printed below it."""
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        for part in block.split("$ ")[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, lines


COMMANDS = [(command, lines) for command, lines in sessions() if "capture" not in command]


@pytest.mark.parametrize(("command", "lines"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_the_page_says(command, lines, tmp_path, monkeypatch):
    for name, source in FILES.items():
        (tmp_path / name).write_bytes((ROOT / source).read_bytes())
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(command)
    assert program == "topoviz"
    done = CliRunner().invoke(cli, words)
    assert done.exit_code in {0, 1}, done.output
    assert [line for line in lines if line not in done.output.split("\n")] == []


def test_there_are_commands():
    assert len(COMMANDS) >= 7
