"""What this machine can do, measured when somebody first needs to know: rates, and what handing work over costs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.static.costs import Rates
from engine.static.crew import Crew, Job, crew_of

Array = NDArray[Any]


@dataclass(frozen=True)
class Machine:
    """``rates`` of one worker; ``handing`` seconds that one task costs the crew beside its work; how much faster the
    crew is than one worker (``workers`` at best) at equal, independent matrix products (``products``) and elementwise
    ops (``others``). The two differ where processors share what multiplies."""

    rates: Rates
    handing: float
    products: float
    others: float


def _once(function: Any, operands: tuple[Array, ...], _worker: int) -> None:
    function(*operands)


def best(function: Callable[[], object], times: int, rounds: int = 5) -> float:
    """Seconds of one call: the fastest of some rounds."""
    found = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(times):
            function()
        found = min(found, (perf_counter() - start) / times)
    return found


def rates() -> Rates:
    """Measured in about 3 ms."""
    small, a, big = np.zeros(4, np.float32), np.ones((160, 160), np.float32), np.ones(1 << 18, np.float32)
    out, matrix = np.empty_like(big), np.empty_like(a)
    call = best(lambda: np.add(small, small, small), 200)
    flops = 2 * 160**3 / best(lambda: np.dot(a, a, matrix), 2)
    return Rates(flops, 3 * big.nbytes / best(lambda: np.add(big, big, out), 2), call)


def measure(crew: Crew) -> Machine:
    """Rates, and the crew's: takes about 20 ms."""
    nothing = Job([lambda worker: None] * 8, [set(), *({i // 2} for i in range(7))], [0.0] * 8)
    handing = best(lambda: crew.run(nothing), 5) / 8
    return Machine(rates(), handing, _gain(crew, np.dot), _gain(crew, np.tanh))


def _gain(crew: Crew, function: Any) -> float:
    a = np.full((256, 256), 0.5, np.float32)
    outs = [np.empty_like(a) for _ in range(2 * crew.workers)]
    tasks = [partial(_once, function, (a, a, out) if function is np.dot else (a, out)) for out in outs]
    job = Job(tasks, [set() for _ in outs], [0.0] * len(outs))
    alone = best(lambda: [task(0) for task in tasks], 2)
    return max(1.0, alone / best(lambda: crew.run(job), 2))


@lru_cache
def _measured(_process: int, workers: int) -> Machine:
    return measure(crew_of(workers))


def machine(workers: int) -> Machine:
    """What was measured for a crew of so many, once in a process.

    :raises RuntimeError: this process may not start threads.
    """
    return _measured(os.getpid(), workers)


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
