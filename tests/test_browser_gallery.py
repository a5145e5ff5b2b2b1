"""The gallery in a real browser: no text meets another or leaves its box, with the usual fonts and with DejaVu Sans."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_gallery_in_chromium():
    files = sorted(str(f) for f in (ROOT / "gallery").glob("*.svg"))
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "audit_browser.py"), *files],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)
