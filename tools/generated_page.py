"""What the tools that write a page of docs/ have in common: write it, or say whether it is current."""

from __future__ import annotations

import argparse
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def write_or_check(name: str, wanted: str, about: str | None, command: str) -> int:
    """Bring ``docs/<name>`` up to date, or with ``--check`` only compare it with ``wanted``.

    ``command`` is what to run to renew it. Returns the exit status: 1 if it was to be compared and differs.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the page is out of date")
    file = DOCS / name
    if parser.parse_args().check:
        current = file.exists() and file.read_text(encoding="utf-8") == wanted
        print(f"docs/{name} is current" if current else f"docs/{name} is out of date: run {command}")
        return int(not current)
    file.write_text(wanted, encoding="utf-8")
    print(f"wrote docs/{name}")
    return 0
