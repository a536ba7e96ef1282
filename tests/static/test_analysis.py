"""Levels, critical path, work and span; list schedules; measured times."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import GraphError
from engine.static import Graph, Session, analyse, measured
from engine.static.analysis import Analysis, list_schedule
from engine.static.costs import Rates, cost_of


def test_a_diamond() -> None:
    g = Graph()
    x = g.placeholder((None, 8), name="x")
    a = g.apply("cumsum", x, axis=0, name="a")
    slow = g.apply("matmul", a, g.constant(np.ones((8, 8), np.float32)), name="slow")
    quick = g.apply("cumsum", a, axis=1, name="quick")
    g.apply("maximum", slow, quick, name="out")
    plan = Session(g, passes=()).plan(g.find("out"), {x: np.ones((4, 8), np.float32)})
    seconds = {step: {"a": 1.0, "slow": 5.0, "quick": 2.0, "out": 1.0}.get(step.name, 0.0) for step in plan.draft.steps}
    found = analyse(plan.draft, seconds)
    assert [step.name for step in found.steps] == ["a", "slow", "quick", "out"]
    assert found.levels == (0, 1, 1, 2)
    assert [found.steps[i].name for i in found.critical] == ["a", "slow", "out"]
    assert (found.work, found.span, found.widest) == (9.0, 7.0, 2)
    assert found.speedup(1) == 1.0
    assert found.speedup(2) == pytest.approx(9 / 7)
    assert found.speedup(9) == pytest.approx(9 / 7)


def test_static_costs_come_from_the_table() -> None:
    g = Graph()
    x = g.placeholder((None, 16), name="x")
    product = g.apply("matmul", x, g.constant(np.ones((16, 4), np.float32)), name="product")
    out = g.apply("sum", g.apply("relu", g.apply("add", product, np.ones(4, np.float32))), name="out")
    plan = Session(g).plan(out, {x: np.ones((2, 16), np.float32)})
    fused = next(step for step in plan.draft.steps if step.op == "fused")
    cost = cost_of(fused)
    assert cost is not None
    assert cost.flops == 2 * 2 * 16 * 4 + 8 + 8
    assert cost.calls == 3
    found = analyse(plan.draft, rates=Rates(flops=1.0, bytes=1e12, call=0.0))
    assert found.work == pytest.approx(cost.flops + 7, abs=2)


def test_writes_and_reads_of_a_variable_wait_for_each_other() -> None:
    g = Graph()
    w = g.variable([1.0, 2.0], name="w")
    before = g.apply("cumsum", w, axis=0, name="before")
    up = g.add("assign_add", [w, g.constant([1.0, 1.0])], name="up")
    with g.control_dependencies([up]):
        after = g.apply("cumsum", w, axis=0, name="after")
    plan = Session(g, passes=()).plan([before, after])
    found = analyse(plan.draft)
    assert [step.name for step in found.steps] == ["before", "up", "after"]
    assert found.levels == (0, 1, 2)


def test_measured_times_leave_variables_alone() -> None:
    g = Graph()
    x = g.placeholder((None, None), name="x")
    w = g.variable(np.ones((64, 64)), name="w")
    up = g.add("assign_add", [w, g.apply("matmul", x, x, name="big")], name="up")
    session = Session(g, parallel=False)
    session.run(g.initializer())
    session.run(up, {x: np.eye(64)})
    kept = session.value(w)
    seconds = measured(session, up, {x: np.eye(64)})
    np.testing.assert_array_equal(session.value(w), kept + np.eye(64))
    found = analyse(session.plan(up, {x: np.eye(64)}).draft, seconds)
    assert found.work == found.span > 0
    assert {step.name for step in found.steps} == {"big", "up"}


def test_control_flow_and_unknown_costs_are_refused() -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    picked = (
        g.apply("neg", g.apply("unique", x)) if "unique" in __import__("engine.ops", fromlist=["TABLE"]).TABLE else None
    )
    if picked is not None:
        with pytest.raises(GraphError, match="measure times instead"):
            analyse(Session(g).plan(picked, {x: [1, 2]}).draft)
    with pytest.raises(GraphError, match="at least 1 worker"):
        list_schedule([1.0], [set()], 0)


@given(
    st.lists(st.tuples(st.floats(0.1, 9), st.sets(st.integers(1, 6), max_size=3)), min_size=1, max_size=14),
    st.integers(1, 4),
)
def test_list_schedules_keep_order_and_bounds(rows: list[tuple[float, set[int]]], workers: int) -> None:
    costs = tuple(cost for cost, _ in rows)
    before = tuple(frozenset(i - back for back in backs if i - back >= 0) for i, (_, backs) in enumerate(rows))
    found = Analysis((), costs, before)
    slots = {slot.index: slot for slot in found.schedule(workers)}
    assert set(slots) == set(range(len(rows)))
    for index, slot in slots.items():
        assert slot.end == pytest.approx(slot.start + costs[index])
        assert all(slots[earlier].end <= slot.start + 1e-9 for earlier in before[index])
    for worker in range(workers):
        mine = sorted((s.start, s.end) for s in slots.values() if s.worker == worker)
        assert all(a[1] <= b[0] + 1e-9 for a, b in itertools.pairwise(mine))
    end = max(slot.end for slot in slots.values())
    assert max(found.span, found.work / workers) <= end + 1e-9
    assert end <= found.work / workers + found.span + 1e-9
