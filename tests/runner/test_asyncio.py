"""``asyncio`` works in a run, as far as one thread without sockets goes."""

from __future__ import annotations

from typing import Any

import pytest

from app.runner import Runner

PROGRAM = """
import asyncio

async def tick(n):
    await asyncio.sleep(0.004 * n)
    return n

async def fill(queue):
    for i in range(3):
        await queue.put(i)

async def main():
    print(await asyncio.gather(*(tick(n) for n in (3, 1, 2))))
    queue = asyncio.Queue()
    task = asyncio.create_task(fill(queue))
    print([await queue.get() for _ in range(3)], await task)
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.005)
    except asyncio.TimeoutError:
        print("late")
    asyncio.get_running_loop().call_soon_threadsafe(print, "soon")
    await asyncio.sleep(0)
    return "end"

print(asyncio.run(main()), asyncio.run(main()))
"""
PRINTED = "[3, 1, 2]\n[0, 1, 2] None\nlate\nsoon\n" * 2 + "end end\n"


@pytest.mark.parametrize("backend", ["auto", pytest.param("strict", marks=pytest.mark.slow)])
def test_event_loops_run(runner: Runner, execute: Any, backend: str) -> None:
    used = runner if backend == "auto" else Runner(backend=backend, spares=1, workers=1)
    try:
        outcome = execute(used, PROGRAM)
    finally:
        if used is not runner:
            used.close()
    assert (outcome.output, outcome.run.exit_status) == (PRINTED, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("asyncio.to_thread(print)", "RuntimeError: can't start new thread: a Stepgraph run has one thread"),
        ("asyncio.open_connection('127.0.0.1', 80)", "PermissionError: [Errno 13] a Stepgraph run has no network"),
        ("asyncio.open_connection('example.org', 80)", "PermissionError: [Errno 13] a Stepgraph run has no network"),
        ("asyncio.create_subprocess_exec('ls')", "PermissionError: [Errno 1] a Stepgraph run cannot start other"),
        ("asyncio.sleep(asyncio.get_running_loop().add_signal_handler(2, print))", "NotImplementedError"),
    ],
)
def test_what_a_loop_cannot_do_is_one_clear_error(runner: Runner, execute: Any, call: str, words: str) -> None:
    outcome = execute(runner, f"import asyncio\nasync def main():\n    await {call}\nasyncio.run(main())\n")
    assert outcome.error.startswith(words)
    assert outcome.end["line"] == 3
    assert outcome.output.count("Traceback") == 1
    assert outcome.output.count('File "main.py"') == outcome.output.count('File "') == 2
