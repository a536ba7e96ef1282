"""What the programs of these tests do when nobody watches."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


def run_plain(path: Path) -> subprocess.CompletedProcess[bytes]:
    # As at a terminal in UTF-8: what is printed comes out at once, in order.
    environment = {"PYTHONIOENCODING": "utf-8:strict", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-P", "-s", "-B", str(path)]
    return subprocess.run(command, input=b"", capture_output=True, timeout=30, check=False, env=environment)


@pytest.fixture(scope="session")
def plain() -> Callable[[Path], subprocess.CompletedProcess[bytes]]:
    """Runs the program in a file by Python itself."""
    return run_plain
