"""Parallel plans: the same bits, on workers that really ran; the order that must be kept; where no thread may start."""

from __future__ import annotations

import _thread
import itertools
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import events
from engine.errors import StepgraphError
from engine.static import Graph, Node, Session, crew, parallel
from engine.static.crew import Crew, Job
from engine.static.machine import Machine, Rates
from engine.static.tasks import Waits, between, chains

DATA = np.random.default_rng(3).normal(size=(24, 24)).astype(np.float32)


def wide(g: Graph, width: int = 4) -> tuple[Node, Node]:
    x = g.placeholder((None, None), name="x")
    parts = [g.apply("tanh", g.apply("matmul", g.apply("mul", x, float(k + 1)), x)) for k in range(width)]
    total = parts[0]
    for part in parts[1:]:
        total = g.apply("add", total, part)
    return x, g.apply("sum", total, name="out")


def test_a_crew_keeps_the_order_and_uses_every_worker() -> None:
    both = threading.Barrier(2, timeout=10)
    seen: list[tuple[str, int]] = []

    def meet(name: str) -> Any:
        def task(worker: int) -> None:
            both.wait()  # only passes if two workers are inside at the same time
            seen.append((name, worker))

        return task

    last: list[int] = []
    job = Job([meet("a"), meet("b"), lambda worker: last.append(len(seen))], [set(), set(), {0, 1}], [1, 1, 0])
    two = Crew(2)
    for _ in range(20):
        two.run(job)
    assert last == list(range(2, 42, 2))
    assert {worker for _, worker in seen} == {0, 1}


def test_an_error_in_a_worker_reaches_the_caller_and_the_crew_goes_on() -> None:
    two = Crew(2)
    done: list[int] = []

    def fails(worker: int) -> None:
        raise ValueError("in a worker")

    for _ in range(5):
        with pytest.raises(ValueError, match="in a worker"):
            two.run(Job([fails, lambda worker: done.append(1)], [set(), {0}], [1, 0]))
    assert done == []
    two.run(Job([lambda worker: done.append(2)], [set()], [0]))
    assert done == [2]


@pytest.mark.parametrize("workers", [2, 3])
def test_results_are_those_of_the_serial_plan(workers: int) -> None:
    g = Graph()
    x, out = wide(g)
    serial = Session(g, compile_at_once=True, parallel=False).run(out, {x: DATA})
    session = Session(g, compile_at_once=True, parallel=True, workers=workers)
    plan = session.plan(out, {x: DATA})
    assert plan.decision.workers == workers
    assert plan.decision.reason == "parallel running is on"
    assert plan.parallel is not None
    assert "def task_1(worker):" in plan.source
    for _ in range(10):
        assert session.run(out, {x: DATA}).tobytes() == serial.tobytes()


def test_what_waits_for_what() -> None:
    g = Graph()
    x = g.placeholder((4,), name="x")
    w = g.variable(np.zeros(4), name="w")
    a, b = g.apply("exp", x, name="a"), g.apply("cumsum", w, axis=0, name="b")
    c = g.apply("cumsum", x, axis=0, name="c")
    with g.control_dependencies([a]):
        up = g.add("assign_add", [w, c], name="up")
    with g.control_dependencies([up]):
        after = g.apply("cumsum", w, axis=0, name="after")
    plan = Session(g, parallel=True, workers=2).plan([b, after, a], {x: np.ones(4)})
    names = [step.name for step in plan.steps]
    before = {names[i]: {names[j] for j in waits} for i, waits in enumerate(Waits(plan.emitter).before)}
    assert before["a"] == before["b"] == before["c"] == set()
    assert before["up"] == {"a", "b", "c"}
    assert before["after"] == {"up"}


def test_lines_in_a_row_are_one_task() -> None:
    before: list[set[int]] = [set(), {0}, {0, 1}, set(), {2, 3}, {4}]
    tasks = chains(before)
    assert tasks == [[0, 1, 2], [3], [4, 5]]
    assert between(tasks, before) == [set(), set(), {0, 1}]


def random_graph(program: list[tuple[str, int, int]]) -> tuple[Graph, Node, Node, list[Node]]:
    g = Graph()
    x, w = g.placeholder((3, 3), name="x"), g.variable(np.full((3, 3), 0.5, np.float32), name="w")
    values: list[Node] = [x, g.apply("identity", w)]
    for op, i, j in program:
        a, b = values[-1 - i % len(values)], values[-1 - j % len(values)]
        if op == "write":
            values.append(g.add("assign" if j % 2 else "assign_add", [w, g.apply("tanh", a)]))
        elif op == "wait":
            with g.control_dependencies([a]):
                values.append(g.apply("neg", b))
        elif op == "read":
            values.append(g.apply("transpose", w))
        elif op in ("tanh", "transpose", "cumsum"):
            values.append(g.apply(op, a, **({"axis": 0} if op == "cumsum" else {})))
        else:
            values.append(g.apply("tanh", g.apply(op, a, b)))
    return g, x, w, values


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["add", "matmul", "tanh", "transpose", "cumsum", "write", "read", "wait"]),
            st.integers(0, 6), st.integers(0, 6),
        ),
        min_size=3, max_size=14,
    ),
    st.lists(st.integers(0, 13), min_size=1, max_size=3),
)  # fmt: skip
def test_random_graphs_with_writes(program: Any, picks: Any) -> None:
    g, x, w, values = random_graph(program)
    fetches = [*(values[p % len(values)] for p in picks), w]
    data = np.linspace(-1, 1, 9, dtype=np.float32).reshape(3, 3)
    results = []
    for mode in (False, True):
        session = Session(g, compile_at_once=True, parallel=mode, workers=3)
        session.run(g.initializer())
        results.append([[np.asarray(v).tobytes() for v in session.run(fetches, {x: data})] for _ in range(3)])
    assert results[0] == results[1]


def test_random_streams_keep_their_order() -> None:
    g = Graph()
    parts = [g.apply("random_normal", shape=(3,)) for _ in range(6)]
    plan = Session(g, parallel=True).plan(parts)
    waits = Waits(plan.emitter).before
    assert [min(w, default=None) for w in waits] == [None, 0, 1, 2, 3, 4]


def test_a_step_that_fails_in_a_worker_is_named_and_nothing_is_written() -> None:
    g = Graph()
    x, i = g.placeholder((None,), name="x"), g.placeholder((None,), "int32", name="i")
    w = g.variable([1.0, 1.0], name="w")
    up = g.add("assign_add", [w, g.apply("mul", w, 2.0)])
    picked = g.apply("gather", g.apply("exp", x), i, axis=0, name="picked")
    s = Session(g, compile_at_once=True, parallel=True)
    s.run(g.initializer())
    assert s.run([picked, up], {x: [0, 1, 2], i: [0]})[0].tolist() == [1]
    with pytest.raises(StepgraphError, match="running node 'picked'"):
        s.run([picked, up], {x: [0, 1, 2], i: [7]})
    assert s.run(w).tolist() == [3, 3]


class Heard:
    def __init__(self) -> None:
        self.ops: list[tuple[int, int, int, int, Any]] = []
        self.said: list[tuple[str, str]] = []
        self.written: list[Any] = []
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        def note(*arguments: Any, **more: Any) -> int:
            if name == "op_ran":
                node, value, start, end = arguments
                self.ops.append((node, start, end, more.get("worker", 0), None if value is None else value.copy()))
            elif name == "rewritten" and arguments[1] == "scheduled":
                self.said.append((arguments[1], arguments[4]))
            elif name == "variable_written":
                self.written.append(arguments[1].copy())
            self.count += 1
            return self.count

        return note


def test_events_say_who_really_ran_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran_by: dict[int, str] = {}
    g = Graph()
    x = g.placeholder((None, None), name="x")
    parts = [g.apply("cumsum", g.apply("mul", x, float(k + 2)), axis=0, name=f"p{k}") for k in range(4)]
    w = g.variable(np.zeros(24, np.float32), name="w")
    before = g.apply("identity", w, name="before")
    with g.control_dependencies([before]):
        up = g.add("assign_add", [w, g.apply("sum", parts[0], axis=0)], name="up")
    fetches = [g.apply("sum", p) for p in parts] + [up]
    session = Session(g, parallel=True, workers=2)
    session.run(g.initializer())
    plain = Session(g, parallel=False)
    plain.run(g.initializer())
    heard = Heard()
    monkeypatch.setattr(events, "listener", heard)
    session._plans.clear()
    with monkeypatch.context() as patch:
        real = Crew._work

        def work(self: Crew, number: int) -> None:
            ran_by[number] = threading.current_thread().name
            real(self, number)

        patch.setattr(Crew, "_work", work)
        big = np.ones((400, 24), np.float32)
        found = session.run(fetches, {x: big})
        found = session.run(fetches, {x: big})
    workers = {worker for _, _, _, worker, _ in heard.ops}
    assert workers <= set(ran_by)
    assert ran_by[0] == threading.main_thread().name
    for worker in workers:
        # One worker does one thing at a time.
        mine = sorted((start, end) for _, start, end, by, _ in heard.ops if by == worker and end > start)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(mine))
    assert heard.said == [("scheduled", "parallel running is on")]
    assert [one.tolist() for one in heard.written[-1:]] == [found[-1].tolist()]
    monkeypatch.setattr(events, "listener", None)
    for _ in range(2):
        expected = plain.run(fetches, {x: big})
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_values_told_are_those_of_their_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    g = Graph()
    w = g.variable([1.0, 2.0], name="w")
    one = g.add("assign_add", [w, g.constant([10.0, 10.0])], name="one")
    with g.control_dependencies([one]):
        two = g.add("assign_add", [w, g.constant([100.0, 100.0])], name="two")
    session = Session(g, parallel=True)
    session.run(g.initializer())
    heard = Heard()
    monkeypatch.setattr(events, "listener", heard)
    session.run([two])
    assert [v.tolist() for v in heard.written] == [[11, 12], [111, 112]]
    told = {node: value for node, _, _, _, value in reversed(heard.ops) if value is not None}
    assert told[w.traced].tolist() == [1, 2]


# -- deciding ---------------------------------------------------------------------------------------------------------
def measured(gain: float) -> Any:
    return lambda workers: Machine(Rates(1e9, 1e9, 1e-6), 1e-5, gain, gain)


def test_small_plans_are_not_shared_and_nothing_is_measured_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "machine", lambda workers: pytest.fail("measured"))
    g = Graph()
    x, out = wide(g)
    plan = Session(g, parallel="auto").plan(out, {x: DATA})
    assert plan.parallel is None
    assert "too little to share" in plan.decision.reason


@pytest.mark.parametrize(("gain", "shared"), [(1.9, True), (1.05, False)])
def test_large_plans_are_shared_where_this_machine_gains(
    gain: float, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "machine", measured(gain))
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    g = Graph()
    x, out = wide(g)
    plan = Session(g, parallel="auto").plan(out, {x: np.ones((400, 400), np.float32)})
    assert (plan.parallel is not None) == shared
    assert ("runs in parallel: estimated" if shared else "runs serially: estimated") in plan.decision.reason
    assert plan.decision.parallel < plan.decision.serial * (0.85 if shared else 1.2)


def test_a_chain_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "machine", measured(2.0))
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    g = Graph()
    x = y = g.placeholder((None, None), name="x")
    for _ in range(6):
        y = g.apply("matmul", y, x)
    plan = Session(g, parallel="auto").plan(y, {x: np.ones((400, 400), np.float32)})
    assert plan.decision.reason == "runs serially: steps that wait for each other are 100% of the work"
    assert plan.decision.parallel == plan.decision.serial > 0


def test_where_no_thread_may_start_the_plan_says_so_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **more: Any) -> None:
        raise RuntimeError("can't start new thread: a Stepgraph run has one thread")

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    monkeypatch.setattr(crew, "_crews", {})
    g = Graph()
    x, out = wide(g)
    session = Session(g, compile_at_once=True, parallel=True)
    with pytest.warns(RuntimeWarning, match="threads cannot be started here, so this plan runs serially: can't start"):
        found = session.run(out, {x: DATA})
    assert found == Session(g, compile_at_once=True, parallel=False).run(out, {x: DATA})
    assert session.plan(out, {x: DATA}).decision.workers == 1
    quiet = Session(g, compile_at_once=True, parallel="auto").plan(out, {x: np.ones((600, 600), np.float32)})
    assert quiet.parallel is None
