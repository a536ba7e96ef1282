"""The corpus of ``abuse.py`` in every supported set of layers, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("abuse.py")
PACKAGES = Path(numpy.__file__).parents[1]
CORPORA: dict[str, dict[str, tuple[str, str]]] = runpy.run_path(str(SCRIPT))["CORPORA"]
SETS = [
    (user, backend, corpus)
    for corpus in CORPORA
    for user in ("nobody", "self")
    for backend in ("auto", "namespaces", "bare", "strict")
]
OFTEN = ("nobody", "auto", "system")
"""The rest takes as long as all other tests of the runner together."""
Judge = Callable[[str, str | None, str, int], bool]


def _killed(kind: str, limit: str | None, error: str, status: int) -> bool:
    return limit == "crash" and status == 124 and error.startswith("SIG")


ENDS: dict[str, Judge] = {
    "time": lambda kind, limit, error, status: limit == "time" and status == 124,
    "memory": lambda kind, limit, error, status: error == "MemoryError" or limit == "memory",
    "output": lambda kind, limit, error, status: limit == "output" and status == 124,
    "denied": lambda kind, limit, error, status: kind == "error" and status == 1 and error != "SyntaxError",
    "killed": _killed,
    "crash": _killed,
    "silent": lambda kind, limit, error, status: error == "Silent" or limit == "time",
    "ended": lambda kind, limit, error, status: kind == "exit" and status == 0,
    "recursion": lambda kind, limit, error, status: (
        error == "RecursionError" or limit in ("time", "steps", "crash", "memory")
    ),
    "ran": lambda kind, limit, error, status: kind == "ok" and status == 0,
    "no such module": lambda kind, limit, error, status: error in ("ImportError", "ModuleNotFoundError"),
    "no such letter": lambda kind, limit, error, status: error == "UnicodeEncodeError",
    "too deep": lambda kind, limit, error, status: error in ("SyntaxError", "MemoryError", "RecursionError"),
    "anyhow": lambda kind, limit, error, status: True,
}
"""How each way to end shows in ``trace.end`` and the exit status; ``" or "`` stands between several. After ``anyhow``
it counts that there is an answer, that nothing was won, and that the next run is answered."""


def _python() -> str | None:
    """An interpreter of this version that everybody may start."""
    own = getattr(sys, "_base_executable", None) or sys.executable  # the environment's own may be a copy of it
    for candidate in (os.path.realpath(own), f"/usr/bin/python3.{sys.version_info.minor}"):
        if os.path.exists(candidate) and all(parent.stat().st_mode & 0o001 for parent in Path(candidate).parents):
            return candidate
    return None


def _command(user: str) -> list[str]:
    """What starts Python as ``user``."""
    if user == "self":
        return [sys.executable]
    python, setpriv = _python(), shutil.which("setpriv")
    readable = all(path.stat().st_mode & 0o005 == 0o005 for path in (ROOT, *ROOT.parents, *PACKAGES.parents))
    if os.geteuid() != 0 or python is None or setpriv is None or not readable:
        pytest.skip("this needs root, setpriv, and a Python and a checkout that an ordinary user may use")
    return [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", python]


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str, str], dict[str, Any]]]:
    """``(user, backend, corpus) -> what became of each``, tried once."""
    folder = tmp_path_factory.mktemp("target")
    secret, shared = folder / "secret", folder / "shared"
    secret.write_text("treasure")
    for path in (shared, Path(f"{shared}.2")):
        path.write_text("untouched")
        path.chmod(0o666)
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o777)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        given = {"SECRET": str(secret), "SHARED": str(shared), "PORT": listener.getsockname()[1]}

        @cache
        def tried(user: str, backend: str, corpus: str) -> dict[str, Any]:
            if user == "nobody" and os.geteuid() == 0:
                os.chown(secret, 65534, 65534)
            done = subprocess.run(
                [*_command(user), "-B", str(SCRIPT), corpus, backend, json.dumps(given), str(ROOT), str(PACKAGES)],
                cwd="/", env={"STEPGRAPH_TREASURE": "treasure"},
                capture_output=True, text=True, timeout=240, check=False,
            )  # fmt: skip
            if backend == "namespaces" and "could not be started" in done.stderr:
                pytest.skip("ordinary users may not make namespaces here")
            assert done.returncode == 0, done.stderr
            assert shared.stat().st_mode & 0o777 == 0o666
            assert sorted(path.name for path in folder.iterdir()) == ["secret", "shared", "shared.2"]
            found: dict[str, Any] = json.loads(done.stdout)
            return found

        yield tried


def _sets(*names: str) -> list[Any]:
    """Every attack, or ``names``, in every set of layers."""
    marks = {case: () if case == OFTEN else pytest.mark.slow for case in SETS}
    return [
        pytest.param(*case, name, marks=marks[case], id=f"{'-'.join(case)}-{name or 'afterwards'}")
        for case in SETS
        for name in names or CORPORA[case[2]]
    ]


@pytest.mark.parametrize(("user", "backend", "corpus", "name"), _sets())
def test_it_ends_as_it_should(
    attempts: Callable[[str, str, str], dict[str, Any]], user: str, backend: str, corpus: str, name: str
) -> None:
    expected, _ = CORPORA[corpus][name]
    became = attempts(user, backend, corpus)[name]
    if expected == "anyhow" and became["state"] == "failed":  # it broke its own recorder, and its author is told
        return
    assert became["state"] == "done", became
    assert "won" not in became["output"]
    end, status = became["end"], became["status"]
    error = (end["error"] or {}).get("type", "")
    ways = expected.split(" or ")
    assert any(ENDS[way](end["kind"], end["limit"], error, status) for way in ways), (expected, became)
    assert not Path("/tmp/stepgraph_w").exists()
    assert not Path("/tmp/stepgraph_d").exists()


@pytest.mark.parametrize(("user", "backend", "corpus", "name"), _sets(""))
def test_the_next_run_is_answered(
    attempts: Callable[[str, str, str], dict[str, Any]], user: str, backend: str, corpus: str, name: str
) -> None:
    after = attempts(user, backend, corpus)[name]
    assert after["output"] == "next\n"
    assert after["isolated"]
    assert any(layer.startswith("seccomp") for layer in after["layers"])
