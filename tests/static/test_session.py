"""Running graphs: fetches, feeds, variables, plans and when they are made, what a failed run leaves behind."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

import engine
from engine.errors import FeedError, ShapeError, StateError, StepgraphError
from engine.static import Graph, Node, Session

Pair = collections.namedtuple("Pair", ["first", "second"])


@pytest.fixture(params=["first run", "compiled"])
def session_of(request: pytest.FixtureRequest) -> Any:
    """Sessions that run node by node the first time, and sessions that compile at once: nobody may see a difference."""
    return lambda graph: Session(graph, compile_at_once=request.param == "compiled")


def doubled(shape: Any = (3,)) -> tuple[Graph, Node, Node]:
    g = Graph()
    x = g.placeholder(shape, name="x")
    return g, x, x * 2.0


def test_fetches_keep_their_structure(session_of: Any) -> None:
    g, x, y = doubled()
    s = session_of(g)
    feeds = {x: [1, 2, 3]}
    assert s.run(y, feeds).tolist() == [2, 4, 6]
    for fetches in ([y, x], (y, x), Pair(y, x)):
        for _ in range(2):
            found = s.run(fetches, feeds)
            assert type(found) is type(fetches)
            assert [a.tolist() for a in found] == [[2, 4, 6], [1, 2, 3]]
    found = s.run({"a": y, "deep": [x, {"b": y}]}, feeds)
    assert found["deep"][1]["b"].tolist() == found["a"].tolist() == [2, 4, 6]
    assert s.run([], feeds) == []


def test_rank_0_comes_as_a_numpy_scalar(session_of: Any) -> None:
    g, x, y = doubled()
    total = g.apply("sum", y)
    s = session_of(g)
    for _ in range(3):
        found = s.run(total, {x: [1, 2, 3]})
        assert type(found) is np.float32
        assert found == 12


def test_what_is_fetched_belongs_to_the_caller() -> None:
    g = Graph()
    x, c, w = g.placeholder((2,)), g.constant([1.0, 1.0]), g.variable([3.0, 3.0])
    y = x + c
    views = [g.apply("reshape", y, (2, 1)), g.apply("transpose", g.apply("reshape", c, (2, 1)))]
    s = Session(g)
    s.run(g.initializer())
    fed = np.array([1, 2], np.float32)
    fetches = [x, c, w, y, *views, y]
    results = [s.run(fetches, {x: fed}) for _ in range(3)]
    for found in results:
        assert [a.ravel().tolist() for a in found] == [[1, 2], [1, 1], [3, 3], [2, 3], [2, 3], [1, 1], [2, 3]]
        for a in found:
            a[...] = 99
    assert fed.tolist() == [1, 2]
    assert s.run([c, w, y], {x: fed})[2].tolist() == [2, 3]


def test_any_node_can_be_fed_and_is_a_boundary(session_of: Any) -> None:
    g, x, y = doubled()
    z = y + 1.0
    s = session_of(g)
    for _ in range(2):
        assert s.run(z, {y: [10, 20, 30]}).tolist() == [11, 21, 31]
        assert s.run([x, z], {x: [1, 1, 1], y: [0, 0, 0]})[1].tolist() == [1, 1, 1]


def test_each_session_has_its_own_variables(session_of: Any) -> None:
    g = Graph()
    w = g.variable([1.0, 2.0], name="w")
    up = g.add("assign_add", [w, g.constant([1.0, 1.0])])
    init = g.initializer()
    first, second = session_of(g), session_of(g)
    for s in (first, second):
        assert s.run(init) is None
    for _ in range(3):
        first.run(up)
    assert first.run(w).tolist() == [4, 5]
    assert second.run(w).tolist() == [1, 2]
    second.load(w, [7, 7])
    assert second.value(w).tolist() == [7, 7]
    assert first.value(w).tolist() == [4, 5]
    first.run(init)
    assert first.run(w).tolist() == [1, 2]


def test_a_variable_without_a_value_is_named(session_of: Any) -> None:
    g = Graph()
    w = g.variable([1.0], name="w")
    y, up = w * 2.0, g.add("assign_add", [w, g.constant([1.0])])
    s = session_of(g)
    for fetch in (w, y, up):
        with pytest.raises(StateError, match="variable 'w' has no value in this session: run its initializer first"):
            s.run(fetch)
    s.run(g.initializer())
    assert s.run(y).tolist() == [2]


def test_a_read_keeps_the_value_from_before_a_later_write() -> None:
    g = Graph()
    w = g.variable([1.0])
    before = g.apply("identity", w)
    up = g.add("assign_add", [w, g.constant([1.0])])
    with g.control_dependencies([up]):
        after = g.apply("identity", w)
        sum_of_both = before + after
    for s in (Session(g), Session(g, compile_at_once=True)):
        s.run(g.collections["initializers"])
        for i in range(3):
            found = s.run([before, after, sum_of_both, w])
            assert [a.item() for a in found] == [i + 1, i + 2, 2 * i + 3, i + 2]


def test_plans_are_made_once_for_each_signature() -> None:
    g, x, y = doubled((None,))
    s = Session(g)
    for _ in range(5):
        s.run(y, {x: [1.0, 2.0]})
    assert s.compiles == 1
    for _ in range(3):
        s.run(y, {x: [1.0]})
        s.run([y, x], {x: [1.0]})
    assert s.compiles == 3
    s.run([y], {x: [1.0, 2.0]})
    assert s.compiles == 3


def test_appending_compiles_nothing_anew() -> None:
    g, x, y = doubled()
    s = Session(g, compile_at_once=True)
    s.run(y, {x: [1, 2, 3]})
    plan = s.plan(y, {x: [1, 2, 3]})
    for i in range(5):
        y2 = y + float(i)
        assert s.run(y2, {x: [1, 2, 3]}).tolist() == [2 + i, 4 + i, 6 + i]
        assert s.run(y, {x: [1, 2, 3]}).tolist() == [2, 4, 6]
    assert s.compiles == 6
    assert s.plan(y, {x: [1, 2, 3]}) is plan


def test_a_run_made_only_once_compiles_nothing() -> None:
    g, x, y = doubled()
    s = Session(g)
    s.run(y, {x: [1, 2, 3]})
    assert s.compiles == 0


def test_the_source_of_a_plan_can_be_read() -> None:
    g, x, y = doubled()
    plan = Session(g).plan(g.apply("relu", y, name="out"), {x: [1, 2, 3]})
    assert "multiply(f0, " in plan.source
    assert "# out" in plan.source
    assert [step.name for step in plan.steps] == ["out/fused"]
    compile(plan.source, "plan", "exec")


def test_hostile_names_stay_inside_comments() -> None:
    g = Graph()
    x = g.placeholder((1,), name="x\nraise SystemExit")
    y = g.apply("neg", x, name="y\n        import os; os._exit(3)\n#")
    assert Session(g, compile_at_once=True).run(y, {x: [1]}).tolist() == [-1]


def test_buffers_are_used_again_when_dead() -> None:
    g = Graph()
    x = g.placeholder((64,))
    y = x
    for _ in range(20):
        y = g.apply("tanh", g.apply("softplus", y))
    plan = Session(g).plan(g.apply("sum", y), {x: np.zeros(64, np.float32)})
    assert plan.buffers <= 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1.0, 2.0], r"'x' has shape \(3,\), a value of shape \(2,\) does not fit"),
        ("text", "'x' takes float32 values"),
        (None, "'x' has shape"),
        ([[1, 2], [3]], "'x' takes float32 values"),
    ],
)
def test_feeds_that_do_not_fit(session_of: Any, value: Any, message: str) -> None:
    g, x, y = doubled()
    with pytest.raises(FeedError, match=message):
        session_of(g).run(y, {x: value})


def test_feeds_and_fetches_that_are_no_nodes_of_the_graph(session_of: Any) -> None:
    g, x, y = doubled()
    _, x2, y2 = doubled()
    s = session_of(g)
    with pytest.raises(FeedError, match="placeholder 'x' has no value: feed it"):
        s.run(y)
    with pytest.raises(FeedError, match="belongs to another graph"):
        s.run(y2, {x: [1, 2, 3]})
    with pytest.raises(FeedError, match="belongs to another graph"):
        s.run(y, {x2: [1, 2, 3]})
    with pytest.raises(FeedError, match="only nodes can be fed"):
        s.run(y, {"x": [1, 2, 3]})
    with pytest.raises(FeedError, match="feed a value"):
        s.run(y, {x: y})
    with pytest.raises(FeedError, match="cannot fetch int"):
        s.run([y, 3], {x: [1, 2, 3]})


def test_feeds_whose_shapes_cannot_go_together_are_named(session_of: Any) -> None:
    g = Graph()
    a, b = g.placeholder((None,), name="a"), g.placeholder((None,), name="b")
    c = g.apply("add", a, b, name="c")
    s = session_of(g)
    for _ in range(2):
        with pytest.raises(ShapeError, match=r"cannot run node 'c' \(add\) on a \(2,\), b \(3,\)"):
            s.run(c, {a: [1, 2], b: [1, 2, 3]})


def test_a_failed_run_leaves_variables_as_they_were(session_of: Any) -> None:
    g = Graph()
    w, v = g.variable([1.0, 2.0], name="w"), g.variable([5.0, 6.0], name="v")
    place = g.placeholder((), "int64", name="place")
    up = g.add("assign_add", [w, g.constant([1.0, 1.0])])
    with g.control_dependencies([up]):
        picked = g.apply("take", w, place, name="picked")
    again = g.add("assign", [v, g.apply("broadcast_to", picked, (2,))])
    s = session_of(g)
    s.run(g.initializer())
    for _ in range(3):
        with pytest.raises(StepgraphError, match="picked"):
            s.run([again, up], {place: 7})
        assert s.value(w).tolist() == [1, 2]
        assert s.value(v).tolist() == [5, 6]
    for i in range(2):
        s.run([again, up], {place: 1})
        assert s.value(w).tolist() == [2 + i, 3 + i]
        assert s.value(v).tolist() == [3 + i, 3 + i]


def test_a_closed_session(session_of: Any) -> None:
    g, x, y = doubled()
    s = session_of(g)
    s.run(y, {x: [1, 2, 3]})
    s.close()
    with pytest.raises(StateError, match="closed"):
        s.run(y, {x: [1, 2, 3]})


def test_division_by_zero_is_a_value_and_says_nothing(session_of: Any) -> None:
    g, x, _ = doubled()
    y = 1.0 / x
    s = session_of(g)
    with np.errstate(all="raise"):
        for _ in range(3):
            assert s.run(y, {x: [0, 1, 2]}).tolist() == [np.inf, 1, 0.5]
        with pytest.raises(FloatingPointError):
            np.float32(1) / np.float32(0)


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_fed_in_vain_takes_no_place_from_what_is_needed(at_once: bool) -> None:
    g = Graph()
    a, b = g.placeholder((), name="a"), g.placeholder((), name="b")
    y = g.apply("neg", b)
    session = Session(g, compile_at_once=at_once)
    for _ in range(3):
        assert session.run(y, {a: 100.0, b: 1.0}) == -1


def test_a_gradient_goes_on_from_the_distance_that_its_loss_left_behind() -> None:
    g = engine.Graph()
    a, b = g.placeholder((3, 4), name="a"), g.placeholder((3, 4), name="b")
    loss = engine.mse_loss(a, b)
    (gradient,) = engine.gradients(loss, [a])
    assert gradient is not None
    session = engine.Session(g, compile_at_once=True)
    rng = np.random.default_rng(0)
    feeds = {a: rng.standard_normal((3, 4), np.float32), b: rng.standard_normal((3, 4), np.float32)}
    wanted = [loss, -gradient]
    assert session.plan(wanted, feeds).source.count("subtract(") == 1
    difference = feeds[a] - feeds[b]
    for _ in range(2):
        found = session.run(wanted, feeds)
        np.testing.assert_allclose(found[0], np.mean(difference**2), rtol=1e-6)
        np.testing.assert_allclose(found[1], -2 * difference / difference.size, rtol=1e-6)


def test_a_gradient_of_a_variable_that_was_written_after_the_loss_takes_the_distance_anew() -> None:
    g = engine.Graph()
    w = g.variable(np.zeros((2, 2), np.float32))
    target = g.constant(np.ones((2, 2), np.float32))
    loss = engine.mse_loss(w, target)
    with g.control_dependencies([loss]):
        moved = g.assign_sub(w, g.constant(np.full((2, 2), 2.0, np.float32)))
    with g.control_dependencies([moved]):
        gradient = g.apply("mse_loss_grad", g.constant(np.float32(1)), w, target, reduction="mean")
    session = engine.Session(g, compile_at_once=True)
    session.run(g.initializer())
    found = session.run([loss, -gradient])
    np.testing.assert_allclose(found[0], 1.0)
    np.testing.assert_allclose(found[1], np.full((2, 2), 1.5))
