"""Files of programs in every setting: in memory, bounded, with what lies beside the program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runner import Limits, Request, Runner
from app.runner.backend import BackendError
from app.runner.request import FILES_BYTES

PROGRAM = """
import os, shutil, tempfile, pathlib, pickle
import numpy as np
import helper
print(os.getcwd(), os.path.basename(__file__), open(__file__).read().count("getcwd"))
print(open("data/a.csv").read(), helper.double(4))
folder = tempfile.mkdtemp()
np.savez(os.path.join(folder, "w"), w=np.arange(3))
with np.load(os.path.join(folder, "w.npz")) as found:
    print(found["w"])
with open("state.pkl", "wb") as f:
    pickle.dump({"epoch": 3}, f)
print(pickle.load(open("state.pkl", "rb")), sorted(os.listdir()))
shutil.rmtree(folder)
print(os.path.exists(folder), pathlib.Path("state.pkl").stat().st_size > 0)
try:
    open("/etc/hostname", "w")
except OSError as error:
    print(type(error).__name__)
try:
    open("big", "wb").write(bytes(17 << 20))
except OSError as error:
    print(error)
"""
FILES = (("data/a.csv", b"1,2"), ("helper.py", b"def double(x):\n    return 2 * x\n"))
EXPECTED = """/home/student main.py 2
1,2 8
[0 1 2]
{'epoch': 3} ['data', 'helper.py', 'main.py', 'state.pkl']
False True
PermissionError
[Errno 28] No space left on device (the files of a run may hold 16 MB in all)
"""


@pytest.fixture(params=("bwrap", "namespaces", "bare", "strict", "plain"))
def any_runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    runner = Runner(backend=request.param, spares=1, workers=1)
    try:
        runner.isolation()
    except BackendError as error:
        pytest.skip(f"this machine cannot do {request.param}: {error}")
    yield runner
    runner.close()


def test_files_in_every_setting(any_runner: Runner) -> None:
    run = any_runner.submit(Request(PROGRAM, files=FILES, limits=Limits(seconds=20)))
    assert run.wait(60)
    assert run.trace is not None, run.error
    trace = json.loads(run.trace)
    assert trace["stdout"] == EXPECTED, trace["stderr"] if "stderr" in trace else trace["end"]
    assert run.exit_status == 0


def test_runs_share_nothing_and_leave_nothing(runner: Runner, tmp_path: Path) -> None:
    path = f"/tmp/{tmp_path.name}-left"
    for _ in range(2):
        run = runner.submit(Request(f"import os\nprint(os.path.exists({path!r}))\nopen({path!r}, 'w').close()"))
        assert run.wait(30)
        assert run.output_so_far()[0] == "False\n"
    assert not Path(path).exists()


def test_a_hostile_program_harms_its_own_files_only(runner: Runner) -> None:
    source = """
import os, io, builtins, gc
from engine.scratch.tree import Tree
for tree in [x for x in gc.get_objects() if isinstance(x, Tree)]:
    tree.root.entries = 5
    tree.left = None
os.stat = os.listdir = builtins.open = io.open = 7
print("still here")
1 / 0
"""
    run = runner.submit(Request(source))
    assert run.wait(30)
    assert run.trace is not None, run.error
    trace = json.loads(run.trace)
    assert trace["stdout"].startswith("still here\n")
    assert trace["end"]["error"]["type"] == "ZeroDivisionError"


def test_files_that_cannot_lie_beside_a_program() -> None:
    for name in ("", "/etc/x", "../x", "a/../../x", "a\0b", "."):
        with pytest.raises(ValueError, match="no name for a file"):
            Request("", files=((name, b""),))
    with pytest.raises(ValueError, match="15 MB in all"):
        Request("", files=(("x", bytes(FILES_BYTES + 1)),))
