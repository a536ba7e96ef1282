"""The training step of one network in every system, all of them taking turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.environment import Worker, peers_python
from benchmarks.floors import Floor
from benchmarks.report import Result, Row
from benchmarks.timing import ROUNDS, Samples, interleave

NUMPY = "NumPy expressions"
OURS = {
    NUMPY: "numpy_expressions",
    "NumPy in place": "numpy_in_place",
    "static": "native_static",
    "dynamic": "native_dynamic",
    "torch dialect": "torch_dialect",
}
PEERS = {
    "JAX jit": "jax_jit_fed",
    "JAX jit, batch on device": "jax_jit",
    "TensorFlow 1 Session": "tensorflow_session",
    "tf.function": "tensorflow_function",
    "torch eager": "torch_eager",
    "torch eager, optim.SGD": "torch_optimizer",
    "HIPS autograd": "hips_autograd",
}
STEPS = 5
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Bound:
    """``case`` takes at most ``times`` what ``other`` takes."""

    case: str
    other: str
    times: float


def compare(sizes: str, bounds: Sequence[Bound], rounds: int = 0) -> Result:
    """Measure all systems on the network of these sizes. A system whose loss differs is refused, not timed.

    :raises ArithmeticError: one of our own programs computes something else than NumPy.
    """
    workers = {name: Worker(program, sizes) for name, program in OURS.items()}
    workers |= {name: Worker(program, sizes, peers_python()) for name, program in PEERS.items()}
    try:
        missing = _refused(workers)
        for name in OURS:
            if name in missing:
                raise ArithmeticError(f"{name}: {missing[name]}")
        samples = interleave({n: w for n, w in workers.items() if n not in missing}, rounds=rounds or ROUNDS)
    finally:
        for worker in workers.values():
            worker.close()
    yardstick = samples[NUMPY]
    result = Result(f"Training step, {sizes}, float32: forward, backward, gradient descent", NUMPY)
    for name, worker in workers.items():
        found = samples.get(name)
        if found is None:
            result.rows.append(Row(name, None, note=missing[name]))
        else:
            result.rows.append(Row(name, found.median, found.ratio(yardstick), worker.version))
    result.floors = [_floor(sizes, bound, samples, missing) for bound in bounds]
    return result


def _refused(workers: dict[str, Worker]) -> dict[str, str]:
    """Why some of the systems cannot be measured."""
    missing = {name: worker.missing for name, worker in workers.items() if worker.missing}
    expected = workers[NUMPY].loss(STEPS)
    for name, worker in workers.items():
        if name not in missing:
            try:
                loss = worker.loss(STEPS)
            except RuntimeError as error:
                missing[name] = str(error)
                continue
            if not abs(loss - expected) <= TOLERANCE * abs(expected):
                missing[name] = f"computes something else: the loss after {STEPS} steps is {loss}, not {expected}"
    return missing


def _floor(sizes: str, bound: Bound, samples: dict[str, Samples], missing: dict[str, str]) -> Floor:
    name = f"{bound.case} / {bound.other} at {sizes}"
    for case in (bound.case, bound.other):
        if case in missing:
            return Floor(name, bound.times, None, why=f"{case}: {missing[case]}")
    return Floor(name, bound.times, samples[bound.case].ratio(samples[bound.other]))
