"""The benchmarks themselves: turns, floors, missing peers, equal work, the copy without checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from benchmarks.__main__ import COMPARISONS, main
from benchmarks.comparisons import training
from benchmarks.comparisons.training import NUMPY, OURS, PEERS, Bound
from benchmarks.environment import CHECKOUT, ONE_THREAD, Worker, peers_folder, peers_python
from benchmarks.floors import Floor, exit_status, verdict
from benchmarks.network import Network
from benchmarks.peers import PINNED
from benchmarks.programs import native_dynamic, native_static, numpy_expressions, numpy_in_place, torch_dialect
from benchmarks.timing import interleave
from benchmarks.unobservable import unobservable_engine

SMALL = Network.parse("8x5x6x3")


def test_cases_take_turns_in_both_orders() -> None:
    order: list[str] = []

    def case(name: str, seconds: float):
        def run(times: int) -> float:
            order.append(name)
            return seconds

        return run

    found = interleave({"a": case("a", 1.0), "b": case("b", 4.0)}, rounds=4, times=1)
    assert order == ["a", "b", "b", "a", "a", "b", "b", "a"]
    assert found["a"].ratio(found["b"]) == 0.25
    assert found["b"].median == 4.0


def test_a_busy_moment_does_not_decide() -> None:
    slow = iter([1.0, 1.0, 90.0, 1.0, 1.0])
    found = interleave({"a": lambda times: next(slow), "b": lambda times: 2.0}, rounds=5, times=1)
    assert found["a"].ratio(found["b"]) == 0.5


def test_what_was_not_measured_never_holds() -> None:
    floors = [
        Floor("x", 1.0, None, why="peers are not installed"),
        Floor("y", 1.0, 0.5),
        Floor("z", 5.0, 4.0, at_least=True),
    ]
    assert [floor.holds for floor in floors] == [None, True, False]
    assert verdict(floors) == "Floors: 1 of 3 hold (y); 1 missed (z); 1 not measured (x)."
    assert exit_status(floors) == 1
    assert exit_status(floors[:2]) == 0
    assert "not measured (peers are not installed)" in floors[0].text


def test_a_missing_peer_is_named_and_its_floor_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEPGRAPH_PEERS", str(tmp_path / "nothing"))
    monkeypatch.setattr(training, "OURS", {NUMPY: "numpy_expressions", "static": "native_static"})
    monkeypatch.setattr(training, "PEERS", {"JAX jit": "jax_jit"})
    bounds = [Bound("static", "JAX jit", 0.4), Bound("static", NUMPY, 1e6)]
    result = training.compare(str(SMALL).replace(" ", ""), bounds, rounds=1)
    assert [floor.holds for floor in result.floors] == [None, True]
    assert "make bench-peers" in result.floors[0].text
    row = next(row for row in result.rows if row.case == "JAX jit")
    assert row.seconds is None


def test_a_peer_that_computes_something_else_is_refused() -> None:
    class Fake:
        missing = ""

        def __init__(self, value: float) -> None:
            self.value = value

        def loss(self, steps: int) -> float:
            if self.value < 0:
                raise RuntimeError("the worker ended with status 1")
            return self.value

    workers = {
        NUMPY: Fake(1.0),
        "right": Fake(1.0 + 1e-7),
        "wrong": Fake(1.1),
        "nan": Fake(float("nan")),
        "dead": Fake(-1),
    }
    refused = training._refused(workers)  # type: ignore[arg-type]
    assert set(refused) == {"wrong", "nan", "dead"}
    assert "something else" in refused["wrong"]


def test_a_worker_without_its_system_says_so() -> None:
    worker = Worker("jax_jit", "8x5x6x3")  # our own environment has no peers
    worker.close()
    assert "jax" in worker.missing


def test_peers_live_outside_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEPGRAPH_PEERS", str(CHECKOUT / "peers"))
    with pytest.raises(ValueError, match="outside"):
        peers_folder()
    monkeypatch.setenv("STEPGRAPH_PEERS", str(tmp_path))
    assert peers_python().is_relative_to(tmp_path)
    monkeypatch.delenv("STEPGRAPH_PEERS")
    assert not peers_folder().is_relative_to(CHECKOUT)
    assert {p.partition("==")[0] for p in PINNED} == {"torch", "jax", "jaxlib", "tensorflow-cpu", "autograd"}
    assert ONE_THREAD["OPENBLAS_NUM_THREADS"] == "1"
    assert set(PEERS).isdisjoint(OURS)


@pytest.mark.parametrize("program", [numpy_in_place, native_static, native_dynamic, torch_dialect])
def test_our_programs_do_the_work_of_the_expressions(program) -> None:
    steps = [numpy_expressions.build(SMALL), program.build(SMALL)]
    for _ in range(10):
        expected, found = (float(step()) for step in steps)
        assert found == pytest.approx(expected, rel=1e-5)


def test_the_copy_has_no_checks_and_is_another_engine() -> None:
    copy, removed = unobservable_engine(lambda copy: (copy.Tensor, native_dynamic.build(SMALL, copy)()))
    assert removed >= 10
    assert copy is not engine
    assert copy.Tensor is not engine.Tensor
    assert sys.modules["engine"] is engine
    with_checks, without = native_dynamic.build(SMALL, engine), native_dynamic.build(SMALL, copy)
    for _ in range(3):
        np.testing.assert_array_equal(with_checks().detach().numpy(), without().detach().numpy())


def test_main_prints_writes_and_judges(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    status = main(["compile", "batching", "--rounds", "2", "--json", str(path)])
    text = capsys.readouterr().out
    document = json.loads(path.read_text())
    floors = [floor for comparison in document["comparisons"] for floor in comparison["floors"]]
    assert text.strip().splitlines()[-1].startswith("Floors: ")
    assert status == int(any(floor["holds"] is False for floor in floors))
    assert {row["case"] for row in document["comparisons"][0]["rows"]} >= {"together"}
    assert set(COMPARISONS) >= {"parallel", "recording"}
