"""Where the systems that are not ours live, and how a worker is started there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
ONE_THREAD: Mapping[str, str] = {
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "JAX_PLATFORMS": "cpu",
}
"""One thread for every library that would start more."""


@contextmanager
def pinned() -> Iterator[None]:
    """One core for this process and those that it starts, where the system can say so: a process that moves about
    brings no caches along, and some frameworks start pools of their own, whatever the environment says."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def peers_folder() -> Path:
    """The peers' environment: ``STEPGRAPH_PEERS``, or a folder in the user's cache. Never inside the checkout.

    :raises ValueError: ``STEPGRAPH_PEERS`` lies inside the checkout.
    """
    named = os.environ.get("STEPGRAPH_PEERS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = (Path(named) if named else cache / "stepgraph" / "peers").expanduser().absolute()
    if folder.resolve().is_relative_to(CHECKOUT):
        raise ValueError(f"STEPGRAPH_PEERS is {folder}, inside the checkout; choose a folder outside it")
    return folder


def peers_python() -> Path:
    """The interpreter of the peers' environment, whether it is there or not."""
    folder = peers_folder()
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class Worker:
    """A running :mod:`benchmarks.worker`. A case for :func:`benchmarks.timing.interleave`."""

    def __init__(self, program: str, sizes: str, python: Path | None = None) -> None:
        self.missing = ""
        self.version = ""
        python = python or Path(sys.executable)
        self._process: subprocess.Popen[str] | None = None
        if not python.exists():
            self.missing = "peers are not installed: make bench-peers"
            return
        self._process = subprocess.Popen(
            [str(python), "-m", "benchmarks.worker", program, sizes],
            cwd=CHECKOUT,
            env={**os.environ, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        first = self._read()
        self.version = first.get("ready", "")
        self.missing = first.get("missing", "")

    def _read(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return {"missing": f"the worker ended with status {self._process.wait()}"}
        return json.loads(line)  # type: ignore[no-any-return]

    def _ask(self, **fields: Any) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(fields) + "\n")
        self._process.stdin.flush()
        answer = self._read()
        if "missing" in answer:
            raise RuntimeError(answer["missing"])
        return answer

    def __call__(self, times: int) -> float:
        return float(self._ask(times=times)["seconds"])

    def loss(self, steps: int) -> float:
        """The loss after this many steps from the beginning."""
        return float(self._ask(check=steps)["loss"])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
