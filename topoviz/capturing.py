"""What this host can tell about itself: each tool that is there, with a time limit, read only, never through a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from topoviz.importers.capture import FIRST_LINE, head

SECONDS = 20.0  # for each command
LARGEST = 32 * 1024 * 1024  # characters of one answer
SECRET = re.compile(r" ?\((?:UUID|Serial): [^)]*\)")  # names of single devices, which nobody needs for a picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Commands whose answers belong together, and what they tell."""

    tells: str
    commands: tuple[tuple[str, ...], ...]


GPU_LINKS = "index,name,pci.bus_id,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max"
QUESTIONS = (
    Question(
        tells="which GPUs and network cards are near each other",
        commands=(("nvidia-smi", "-L"), ("nvidia-smi", "topo", "-m")),
    ),
    Question(tells="which NVLinks are up", commands=(("nvidia-smi", "nvlink", "-s"),)),
    Question(tells="who reaches whose memory", commands=(("nvidia-smi", "topo", "-p2p", "n"),)),
    Question(
        tells="how wide the PCIe links of the GPUs are",
        commands=(("nvidia-smi", f"--query-gpu={GPU_LINKS}", "--format=csv"),),
    ),
    Question(tells="AMD GPUs and their links", commands=(("rocm-smi", "--showtopo"),)),
    Question(tells="AMD GPUs and the bandwidth of their links", commands=(("amd-smi", "topology"),)),
    Question(tells="sockets, PCIe bridges and devices", commands=(("lstopo-no-graphics", "--of", "xml"),)),
    Question(tells="the InfiniBand fabric", commands=(("ibnetdiscover",),)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question gave: the text, or why there is none."""

    question: Question
    text: str
    missing: str = ""

    @property
    def said(self) -> str:
        """Return the commands as a person would type them."""
        return "; ".join(" ".join(command) for command in self.question.commands)


def capture(seconds: float = SECONDS) -> tuple[Answer, ...]:
    """Return the answer of this host to every question; a tool that is missing, fails or takes too long is named."""
    return tuple(_asked(question, seconds) for question in QUESTIONS)


def written(answers: tuple[Answer, ...]) -> str:
    """Return the answers as one text that ``topoviz render`` takes.

    >>> written(()).startswith("# topoviz capture")
    True
    """
    parts = [FIRST_LINE, *(f"{head(one.said)}\n{one.text}" for one in answers if one.text)]
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


def _asked(question: Question, seconds: float) -> Answer:
    texts = []
    for text, missing in (_run(command, seconds) for command in question.commands):
        if missing:
            return Answer(question=question, text="", missing=missing)
        texts.append(text.rstrip("\n"))
    return Answer(question=question, text="\n\n".join(texts) + "\n")


def _run(command: tuple[str, ...], seconds: float) -> tuple[str, str]:
    """Return what a command printed, or why it printed nothing of use."""
    tool = shutil.which(command[0])
    if tool is None:
        return "", f"{command[0]} is not here"
    plain = {**os.environ, "LC_ALL": "C"}  # words that importers know
    try:
        done = subprocess.run(  # noqa: S603 - commands are those above, without a shell
            [tool, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env=plain,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"{command[0]} did not answer in {seconds:g} s"
    except OSError as problem:
        return "", f"{command[0]} cannot be started: {problem.strerror}"
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        reason = next(_lines(done.stderr.decode("utf-8", "replace") + text), "it says nothing")
        return "", f"{command[0]} left with {done.returncode}: {reason}"
    if len(text) > LARGEST:
        return "", f"{command[0]} printed more than {LARGEST:,} characters"
    return (SECRET.sub("", text), "") if text.strip() else ("", f"{command[0]} printed nothing")


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())
