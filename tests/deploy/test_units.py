"""systemd reads the units and finds nothing to complain about."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.servers import missing

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.mark.slow
@pytest.mark.parametrize("unit", sorted(file.name for file in DEPLOY.glob("*.service")))
def test_a_unit_is_understood(unit: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing("systemd")
    text = (DEPLOY / unit).read_text()
    assert text.count("/opt/stepgraph/bin/stepgraph") == 1
    # Nothing is installed there, and nobody called so: of these alone it would complain.
    file = tmp_path / unit
    file.write_text(text.replace("/opt/stepgraph/bin/stepgraph", "/bin/true"))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", file], capture_output=True, text=True, timeout=60
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")
