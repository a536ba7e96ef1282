"""Find a Chromium for the tests, or install one.

In this order: ``STEPGRAPH_CHROMIUM``; Playwright's own browser if it is there; a Chromium or Chrome of the system;
else, as root on Debian and Ubuntu, apt installs one. Prints the path (nothing for Playwright's own).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SYSTEM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find(playwright: Playwright | None = None) -> str | None:
    """The path of a system browser, ``""`` for Playwright's own, ``None`` if there is none."""
    chosen = os.environ.get("STEPGRAPH_CHROMIUM")
    if chosen:
        return chosen
    if playwright is None:
        with sync_playwright() as started:
            return find(started)
    if Path(playwright.chromium.executable_path).exists():
        return ""
    for name in SYSTEM_NAMES:
        path = shutil.which(name)
        if path:
            return path
    return next((place for place in SYSTEM_PLACES if Path(place).exists()), None)


def install() -> bool:
    """Install Debian's package, as root only."""
    apt = shutil.which("apt-get")
    if not apt or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    print("No Chromium here: installing Debian's package ...", file=sys.stderr, flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for arguments in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        done = subprocess.run([apt, *arguments], env=environment, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            return False
    return True


def main() -> int:
    path = find()
    if path is None and install():
        path = find()
    if path is None:
        print("The browser tests need a Chromium. Any one of these gives it:", file=sys.stderr)
        print("  .venv/bin/playwright install chromium", file=sys.stderr)
        print("  apt install chromium   (Debian, Ubuntu)   /   brew install --cask chromium   (macOS)", file=sys.stderr)
        print("  STEPGRAPH_CHROMIUM=/path/to/chrome make test", file=sys.stderr)
        return 1
    print(path or "Playwright's own Chromium")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
