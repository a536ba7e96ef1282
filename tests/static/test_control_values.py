"""Decisions and loops give what NumPy gives, whatever the passes and however they are run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import passes
from engine.errors import DtypeError, FeedError, GraphError, ShapeError, StateError, StepgraphError
from engine.static import Graph, Node, Session


def sessions(g: Graph) -> list[Session]:
    """A session of each kind, with every variable initialised."""
    made = [
        Session(g),
        Session(g, compile_at_once=True),
        Session(g, ()),
        Session(g, (passes.DeadCode(),)),
        Session(g, (passes.CommonSubexpressions(), passes.LoopInvariants(), passes.ConstantFolding())),
    ]
    for session in made:
        session.run(g.initializer())
    return made


def everywhere(g: Graph, fetch: Any, feeds: dict[Node, Any]) -> Any:
    """The value that all sessions agree on, run twice."""
    found = [session.run(fetch, feeds) for session in sessions(g) for _ in range(2)]
    for other in found[1:]:
        np.testing.assert_equal(other, found[0])
    for session in sessions(g):
        assert not session.plan(fetch, feeds).skipped
    return found[0]


INT = np.dtype("int32")


def always(g: Graph, x: Node, body: Any) -> Any:
    """A loop that never ends."""
    return g.while_loop(lambda a: True, body, [x])


def less(g: Graph, a: Any, b: Any) -> Node:
    return g.apply("less", a, b)


def test_only_the_chosen_branch_runs() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    taken = g.placeholder((), "bool", name="taken")
    w = g.variable([0.0, 0.0], name="w")
    y = g.cond(taken, lambda: g.add("assign_add", [w, x]), lambda: x * 0.0)
    session = Session(g)
    session.run(g.initializer())
    assert session.run(y, {x: [1, 2], taken: False}).tolist() == [0, 0]
    assert session.value(w).tolist() == [0, 0]
    for times in (1, 2):
        assert session.run(y, {x: [1, 2], taken: True}).tolist() == [times, 2 * times]
        assert session.value(w).tolist() == [times, 2 * times]


def test_branches_are_called_once_and_what_they_capture_always_runs() -> None:
    g = Graph()
    called = []
    x = g.placeholder((), name="x")
    w = g.variable(0.0, name="w")
    outside = g.add("assign_add", [w, g.constant(1.0)], name="outside")
    y = g.cond(
        less(g, x, 0.0), lambda: called.append("true") or outside * 1.0, lambda: called.append("false") or x * 1.0
    )
    session = Session(g)
    session.run(g.initializer())
    for times in (1, 2, 3):
        assert session.run(y, {x: 5.0}) == 5.0
        assert session.value(w) == times
    assert called == ["true", "false"]


def test_structures_go_through() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    found = g.cond(less(g, x, 0.0), lambda: {"a": (x, 1.0), "b": [x * 2.0]}, lambda: {"a": (-x, 2.0), "b": [x]})
    assert everywhere(g, found, {x: 3.0}) == {"a": (-3.0, 2.0), "b": [3.0]}
    assert everywhere(g, found, {x: -3.0}) == {"a": (-3.0, 1.0), "b": [-6.0]}


def test_a_result_may_be_what_was_there_before() -> None:
    g = Graph()
    x, n = g.placeholder((2,), name="x"), g.placeholder((), "int32", name="n")
    w = g.variable([5.0, 6.0], name="w")
    y = g.cond(less(g, n, 0), lambda: x, lambda: w)
    _, z = g.while_loop(lambda i, a: less(g, i, n), lambda i, a: (i + 1, g.apply("identity", w)), (0, x))
    assert everywhere(g, [y, z], {x: [1, 2], n: -1})[0].tolist() == [1, 2]
    first, second = everywhere(g, [y, z], {x: [1, 2], n: 2})
    assert first.tolist() == second.tolist() == [5, 6]
    session = sessions(g)[1]
    session.run([y, z], {x: [1, 2], n: 2})[0][:] = 0
    assert session.value(w).tolist() == [5, 6]


def test_branches_of_different_shapes() -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    y = g.cond(less(g, g.apply("sum", x), 0.0), lambda: x, lambda: g.apply("concat", x, x, axis=0))
    assert y.shape == (None,)
    assert everywhere(g, y, {x: [1, 2]}).tolist() == [1, 2, 1, 2]
    assert everywhere(g, y, {x: [-1, -2]}).tolist() == [-1, -2]


def test_case_takes_the_first_that_is_true() -> None:
    g = Graph()
    x = g.placeholder((), "int32", name="x")
    choices = [(g.apply("greater_equal", x, limit), lambda limit=limit: g.constant(limit)) for limit in (90, 80, 70)]
    y = g.case(choices, default=lambda: g.constant(-1))
    last = g.case(choices)
    for value, want, without in ((95, 90, 90), (85, 80, 80), (70, 70, 70), (3, -1, 70)):
        assert everywhere(g, [y, last], {x: value}) == [want, without]


def test_an_exclusive_case_refuses_two() -> None:
    g = Graph()
    x = g.placeholder((), "int32", name="x")
    low, lower = less(g, x, 10), less(g, x, 5)
    y = g.case([(low, lambda: g.constant(1)), (lower, lambda: g.constant(2))], lambda: g.constant(3), exclusive=True)
    session = Session(g)
    assert session.run(y, {x: 7}) == 1
    with pytest.raises(StateError, match="2 predicates are true at once"):
        session.run(y, {x: 3})


def test_a_loop_that_never_runs_and_one_that_does() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    i, a, b = g.while_loop(lambda i, a, b: less(g, i, n), lambda i, a, b: (i + 1, b, a + b), (0, 0, 1))
    for count, want in ((0, 0), (1, 1), (10, 55)):
        assert everywhere(g, [i, a], {n: count}) == [count, want]
    assert everywhere(g, b, {n: 10}) == 89


@pytest.mark.parametrize("wanted", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_any_loop_variables_can_be_fetched_without_the_others(wanted: tuple[int, ...]) -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    found = g.while_loop(
        lambda count, left, twice: g.apply("greater", left, 1),
        lambda count, left, twice: (count + 1, left - 2, twice * 2),
        [0, n, 3],
    )
    values = everywhere(g, [found[place] for place in wanted], {n: 8})
    assert [int(value) for value in values] == [[4, 0, 48][place] for place in wanted]


def test_loop_variables_are_not_overwritten_while_they_are_read() -> None:
    """A matrix product reads all of its operands until it is done: variables that change places share nothing."""
    g = Graph()
    m = g.placeholder((3, 3), "float64", name="m")
    _, a, b = g.while_loop(
        lambda i, a, b: less(g, i, 4), lambda i, a, b: (i + 1, b @ m, a @ m + b), (0, m * 1.0, m + 1.0)
    )
    value = np.random.default_rng(0).normal(size=(3, 3))
    p, q = value, value + 1
    for _ in range(4):
        p, q = q @ value, p @ value + q
    found = everywhere(g, [a, b], {m: value})
    np.testing.assert_allclose(found[0], p)
    np.testing.assert_allclose(found[1], q)


def test_a_loop_that_grows() -> None:
    g = Graph()
    x = g.placeholder((None, 2), name="x")
    _, grown = g.while_loop(
        lambda i, a: less(g, i, 3),
        lambda i, a: (i + 1, g.apply("concat", a, a, axis=0)),
        (0, x),
        shape_invariants=(..., (None, 2)),
    )
    assert everywhere(g, grown, {x: [[1, 2]]}).shape == (8, 2)


def test_at_most_so_many_iterations() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    i = g.while_loop(lambda i: less(g, i, 100), lambda i: i + 1, [0], maximum_iterations=n)[0]
    assert everywhere(g, i, {n: 7}) == 7
    assert everywhere(g, i, {n: 1000}) == 100


def test_nested_loops_and_decisions() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")

    def inner(i: Node, t: Node) -> Node:
        _, found = g.while_loop(lambda j, t: less(g, j, i), lambda j, t: (j + 1, t + j * i), (0, t))
        assert isinstance(found, Node)
        return found

    def body(i: Node, t: Node) -> tuple[Node, Node]:
        even = g.apply("equal", g.apply("mod", i, 2), 0)
        return i + 1, g.cond(even, lambda: inner(i, t), lambda: t - i)

    _, total = g.while_loop(lambda i, t: less(g, i, n), body, (0, 0))
    for count in (0, 1, 5, 8):
        want = 0
        for i in range(count):
            want = want + sum(j * i for j in range(i)) if i % 2 == 0 else want - i
        assert everywhere(g, total, {n: count}) == want


def test_writes_in_a_loop_happen_every_time() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    w = g.variable(1.0, name="w")
    before = g.apply("identity", w, name="before")

    def body(i: Node, seen: Node) -> tuple[Node, Node]:
        doubled = g.add("assign_add", [w, g.apply("identity", w)])
        return i + 1, seen + doubled

    _, seen = g.while_loop(lambda i, s: less(g, i, n), body, (0, before))
    for session in sessions(g):
        assert session.run([before, seen], {n: 3}) == [1.0, 1.0 + 2 + 4 + 8]
        assert session.value(w) == 8.0
        assert session.run(seen, {n: 1}) == 8.0 + 16


def test_effects_run_though_nobody_reads_them() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    w, v = g.variable(0.0, name="w"), g.variable(0.0, name="v")

    def branch(variable: Node) -> None:
        g.add("assign_add", [variable, x])

    done = g.cond(less(g, x, 0.0), lambda: branch(w), lambda: branch(v), effects=True)
    lazy = g.cond(less(g, x, 0.0), lambda: branch(w), lambda: branch(v))
    for session in sessions(g):
        assert session.run(done, {x: 2.0}) is None
        assert session.run(done, {x: -3.0}) is None
        assert session.run(lazy, {x: 5.0}) is None
        assert (session.value(w), session.value(v)) == (-3.0, 2.0)


def test_random_numbers_are_new_in_every_iteration() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")

    def body(i: Node, low: Node, high: Node) -> tuple[Node, ...]:
        drawn = g.apply("random_uniform", (), 0.0, 1.0)
        return i + 1, g.apply("minimum", low, drawn), g.apply("maximum", high, drawn)

    _, low, high = g.while_loop(lambda i, low, high: less(g, i, n), body, (0, 1.0, 0.0))
    for session in sessions(g):
        a, b = session.run([low, high], {n: 50})
        assert a < 0.2
        assert b > 0.8


def test_rows_are_mapped_scanned_and_folded() -> None:
    g = Graph()
    x, y = g.placeholder((None, 2), "float64", name="x"), g.placeholder((None,), "float64", name="y")
    mapped = g.map_fn(lambda row: (row[0] * row[1], row[1]), (x, y))
    running = g.scan(lambda total, row: total + row, x)
    reverse = g.scan(lambda total, row: total * 0.5 + row, y, 1.0 * y.graph.constant(0.0, "float64"), reverse=True)
    left, right = g.foldl(lambda a, b: a - b, y), g.foldr(lambda a, b: a - b, y)
    a, b = np.arange(6.0).reshape(3, 2), np.array([2.0, 3.0, 7.0])
    found = everywhere(g, [mapped, running, reverse, left, right], {x: a, y: b})
    np.testing.assert_array_equal(found[0][0], a * b[:, None])
    np.testing.assert_array_equal(found[0][1], b)
    np.testing.assert_array_equal(found[1], np.cumsum(a, axis=0))
    np.testing.assert_array_equal(found[2], [((7 * 0.5) + 3) * 0.5 + 2, 7 * 0.5 + 3, 7])
    assert found[3:] == [2 - 3 - 7, 7 - 3 - 2]


def test_no_rows_at_all() -> None:
    g = Graph()
    x = g.placeholder((None, 2), name="x")
    assert everywhere(g, g.map_fn(lambda row: row * 2.0, x), {x: np.zeros((0, 2))}).shape == (0, 2)


def test_plans_without_a_value_for_a_placeholder_of_the_other_branch() -> None:
    g = Graph()
    x, y = g.placeholder((), name="x"), g.placeholder((), name="y")
    z = g.cond(less(g, x, 0.0), lambda: x, lambda: y)
    with pytest.raises(FeedError, match="placeholder 'y' has no value"):
        Session(g).run(z, {x: -1.0})


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda g, x: g.cond(x, lambda: x, lambda: x), DtypeError, "'x' must be a bool, but it has dtype float32"),
        (lambda g, x: g.cond(g.constant([True]), lambda: x, lambda: x), ShapeError, r"it has shape \(1,\)"),
        (lambda g, x: g.cond(less(g, x, 0.0), lambda: x, lambda: 1), DtypeError, "dtype float32 and .* of dtype int32"),
        (lambda g, x: g.cond(less(g, x, 0.0), lambda: x, lambda: (x, x)), GraphError, "one value and a tuple of 2"),
        (lambda g, x: always(g, x, lambda a: g.apply("stack", a, a, axis=0)), ShapeError, r"\(\) and has shape \(2,\)"),
        (lambda g, x: always(g, x, lambda a: g.apply("cast", a, dtype=INT)), DtypeError, "float32 and has dtype int32"),
        (lambda g, x: g.while_loop(lambda a: a, lambda a: a, [x]), DtypeError, "must be a bool"),
        (lambda g, x: g.while_loop(lambda a: True, lambda a: (a, a), [x]), GraphError, "a tuple of 2"),
        (lambda g, x: g.map_fn(lambda row: row, x), ShapeError, "no rows to go through"),
        (lambda g, x: g.case([]), GraphError, "at least one"),
    ],
)  # fmt: skip
def test_mistakes_are_told_when_the_graph_is_built(build: Any, error: type[StepgraphError], words: str) -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    with pytest.raises(error, match=words):
        build(g, x)
    # The graph is as usable as before.
    assert Session(g).run(x * 2.0, {x: 2.0}) == 4.0


def test_what_lies_inside_stays_inside() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    kept: list[Node] = []

    def branch() -> Node:
        kept.append(x * 3.0)
        return kept[0]

    g.cond(less(g, x, 0.0), branch, lambda: x)
    with pytest.raises(GraphError, match="lies in the branch 'true' of 'cond'"):
        g.apply("neg", kept[0])
    with pytest.raises(GraphError, match="lies in the branch 'true'"), g.control_dependencies(kept):
        g.constant(1.0)
    with pytest.raises(FeedError, match="cannot be fetched: it lies in the branch 'true'"):
        Session(g).run(kept[0], {x: 1.0})
    with pytest.raises(FeedError, match="cannot be fed: it lies in the branch 'true'"):
        Session(g).run(x, {x: 1.0, kept[0]: 1.0})


def test_a_failure_inside_names_the_node_and_puts_variables_back() -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    w = g.variable([0.0, 0.0], name="w")

    def body(i: Node) -> Node:
        g.add("assign_add", [w, g.constant([1.0, 1.0])], name="step")
        bad = g.apply("take", x, i, axis=0, name="taken")
        return i + g.apply("cast", bad, dtype=np.dtype("int32"))

    n = g.while_loop(lambda i: less(g, i, 100), body, [0], effects=True)[0]
    session = Session(g)
    session.run(g.initializer())
    with pytest.raises(StepgraphError, match=r"running node 'while/body/taken' \(take\)"):
        session.run(n, {x: [1, 1, 1]})
    assert session.value(w).tolist() == [0, 0]


def test_variables_made_inside_live_outside() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    made: list[Node] = []

    def branch() -> Node:
        made.append(g.variable(2.0, name="w"))
        return made[0] * x

    y = g.cond(less(g, x, 0.0), branch, lambda: x)
    assert everywhere(g, [y, made[0]], {x: -3.0}) == [-6.0, 2.0]
