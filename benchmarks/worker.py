"""One system in a process of its own, measured on demand: ``python -m benchmarks.worker PROGRAM SIZES``.

Reads one JSON object a line from standard input and answers each with one: ``{"times": n}`` with ``{"seconds": per
call}``, ``{"check": steps}`` with ``{"loss": after these steps}``. Begins with ``{"ready": version}`` or ``{"missing":
reason}``.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from importlib import import_module
from typing import Any

from benchmarks.environment import pinned
from benchmarks.network import Network
from benchmarks.timing import timed


def serve(program: str, sizes: str) -> None:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a framework prints is no answer

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    try:
        module = import_module(f"benchmarks.programs.{program}")
        step = module.build(Network.parse(sizes))
    except ImportError as error:
        answer(missing=str(error))
        return
    answer(ready=module.version())
    case = timed(step)
    gc.disable()
    turn = 0
    for line in sys.stdin:
        asked = json.loads(line)
        if "check" in asked:
            fresh = module.build(Network.parse(sizes))
            losses = [float(fresh()) for _ in range(asked["check"])]
            answer(loss=losses[-1])
        else:
            answer(seconds=case(asked["times"]))
            turn += 1
            if turn % 16 == 0:
                gc.collect()


if __name__ == "__main__":
    with pinned():  # before anything is imported: threads that a framework starts stay on this core, whoever asks
        serve(sys.argv[1], sys.argv[2])
