"""Photograph an SVG file with Chromium: python tests/shoot.py FILE.svg OUT.png [--scale 2] [--dark]."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions")


def chromium() -> str | None:
    """Return the browser's path, or None if there is none."""
    return os.environ.get("CHROMIUM") or next((found for name in NAMES if (found := shutil.which(name))), None)


def run(*arguments: str, seconds: float = 120) -> str:
    """Return what the browser prints; it gets a profile of its own, so that several can run at once."""
    browser = chromium()
    if browser is None:
        raise FileNotFoundError("no Chromium found; install it or set CHROMIUM")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=seconds)
    return done.stdout


def size(svg: str) -> tuple[int, int]:
    """Return width and height of the root in whole pixels, rounded up."""
    root = svg[svg.index("<svg") :]
    width, height = (re.search(rf'\b{side}="([\d.]+)"', root) for side in ("width", "height"))
    if width is None or height is None:
        raise ValueError("the picture has no width and height")
    return -int(-float(width[1]) // 1), -int(-float(height[1]) // 1)


def shoot(source: Path, out: Path, *, scale: float = 2, dark: bool = False) -> None:
    """Write a PNG of the SVG file."""
    width, height = size(source.read_text(encoding="utf-8"))
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    window = f"--window-size={width},{height}"
    factor = f"--force-device-scale-factor={scale:g}"
    run(*scheme, window, factor, f"--screenshot={out.resolve()}", source.resolve().as_uri())


def main() -> None:
    """Read the command line and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scale", type=float, default=2)
    parser.add_argument("--dark", action="store_true")
    wishes = parser.parse_args()
    shoot(wishes.source, wishes.out, scale=wishes.scale, dark=wishes.dark)


if __name__ == "__main__":
    main()
