"""The second worker of parallel plans: started before the child is locked, and locked like the first one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from app.runner import Request, Runner
from app.runner.inside import seccomp
from engine.trace.columns import decode

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs two processors"
)

PARALLEL = """
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [64, 64])
y = tf.tanh(tf.matmul(x, x)) + tf.tanh(tf.matmul(x + 1.0, x))
value = np.full([64, 64], 0.01, np.float32)
results = []
for threads in (1, 2, 7):
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads)) as sess:
        results += [sess.run(y, {x: value}) for _ in range(40)]
print(all((result == results[0]).all() for result in results))
"""


def test_ops_of_a_session_run_on_the_worker_that_the_recording_names(runner: Runner, execute: Any) -> None:
    run = execute(runner, PARALLEL)
    assert run.output == "True\n"
    assert set(decode(run.trace["events"]["ran"]["worker"]).tolist()) == {0, 1}


def test_a_program_sees_one_thread_and_may_start_none(runner: Runner, execute: Any) -> None:
    run = execute(
        runner,
        "import threading, _thread\nprint(threading.active_count(), len(threading.enumerate()))\n"
        "try:\n    threading.Thread(target=print).start()\nexcept RuntimeError as error:\n    print('refused')\n",
    )
    assert run.output == "1 1\nrefused\n"


@pytest.mark.skipif(not seccomp.supported(), reason="no table of system calls for this machine")
def test_every_thread_of_a_child_is_locked(runner: Runner) -> None:
    run = runner.submit(Request("import time\nprint('up', flush=True)\ntime.sleep(20)"))
    try:
        while "up" not in run.output_so_far()[0]:
            assert not run.wait(0.01), run.error
        children = [
            status
            for task in Path("/proc").glob("[0-9]*/task/[0-9]*/status")
            if "Seccomp:\t2" in (status := _read(task)) and "NoNewPrivs:\t1" in status
        ]
        tasks = {_field(status, "Tgid"): [] for status in children}
        for status in children:
            tasks[_field(status, "Tgid")].append(status)
        assert any(len(threads) == 2 for threads in tasks.values())
        for process in tasks:
            for task in Path(f"/proc/{process}/task").glob("*/status"):
                assert "Seccomp:\t2" in _read(task)
    finally:
        run.cancel()
        run.wait(10)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _field(status: str, name: str) -> str:
    return next(line.split()[1] for line in status.splitlines() if line.startswith(f"{name}:"))
