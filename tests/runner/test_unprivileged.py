"""The sandbox as an ordinary user has it: started by root, the tests above have shown only root's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import json, sys
sys.path[:0] = sys.argv[2:]
from app.runner import Limits, Request, Runner
runner = Runner(backend=sys.argv[1])
answers = [runner.isolation().isolated, list(runner.isolation().layers)]
for source in (
    "print('hello')",
    "open('/etc/passwd')",
    "open('/var/stepgraph-attack', 'w')",
    "import _socket; _socket.socket()",
    "import posix; posix.fork()",
    "import time; time.sleep(30)",
):
    run = runner.submit(Request(source, limits=Limits(seconds=0.5)))
    assert run.wait(20)
    answers.append([run.state, run.exit_status, run.output_so_far()[0]])
runner.close()
print(json.dumps(answers))
"""


def _python() -> str | None:
    """An interpreter of this version that everybody may start."""
    own = getattr(sys, "_base_executable", None) or sys.executable  # the environment's own may be a copy of it
    for candidate in (os.path.realpath(own), f"/usr/bin/python3.{sys.version_info.minor}"):
        if os.path.exists(candidate) and all(parent.stat().st_mode & 0o001 for parent in Path(candidate).parents):
            return candidate
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="these tests run as an ordinary user anyhow")
@pytest.mark.parametrize(
    "backend", ["auto", *(pytest.param(name, marks=pytest.mark.slow) for name in ("namespaces", "bare", "strict"))]
)
def test_as_nobody(backend: str) -> None:
    python, setpriv = _python(), shutil.which("setpriv")
    packages = Path(numpy.__file__).parents[1]
    readable = all(path.stat().st_mode & 0o005 == 0o005 for path in (ROOT, *ROOT.parents, packages, *packages.parents))
    if python is None or setpriv is None or not readable:
        pytest.skip("there is no Python, setpriv or checkout that an ordinary user may use")
    command = [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", python, "-B", "-c", SCRIPT, backend]
    done = subprocess.run(
        [*command, str(ROOT), str(packages)], cwd="/", env={}, capture_output=True, text=True, timeout=60, check=False
    )
    if backend == "namespaces" and "could not be started" in done.stderr:
        pytest.skip("ordinary users may not make namespaces here")
    assert done.returncode == 0, done.stderr
    isolated, layers, *answers = json.loads(done.stdout)
    assert isolated
    assert any(layer.startswith("seccomp") for layer in layers)
    assert answers[0] == ["done", 0, "hello\n"]
    assert [answer[:2] for answer in answers[1:5]] == [["done", 1]] * 4
    assert answers[5][:2] == ["done", 124]
