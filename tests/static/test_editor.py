"""Editing a graph: what reads what afterwards, what is refused, and what a session that has run makes of it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.errors import GraphError
from engine.recording import record
from engine.static import Graph, Node, Session, editor, gradients
from engine.static.editor import StalePlanWarning, sgv, sgv_scope
from engine.trace.reading import table

ONE = np.float32(1.0)


def small() -> tuple[Graph, dict[str, Node]]:
    """a -> e = exp(a) -> n = neg(e); b -> s = square(b)."""
    g = Graph()
    a, b = g.placeholder((2,), name="a"), g.placeholder((2,), name="b")
    e = g.apply("exp", a, name="e")
    n = g.apply("neg", e, name="n")
    s = g.apply("square", b, name="s")
    return g, {"a": a, "b": b, "e": e, "n": n, "s": s}


def reads(node: Node) -> list[str]:
    return [read.name for read, _ in node.inputs]


# -- views ------------------------------------------------------------------------------------------------------------
def test_views_know_their_doors() -> None:
    g, k = small()
    view = sgv(k["e"], k["n"])
    assert (view.inputs, view.outputs, len(view)) == ((k["a"],), (k["n"],), 2)
    assert sgv("e|n", graph=g) == view
    assert sgv(["e", k["n"]], graph=g) == view
    assert sgv(view) == view
    assert k["s"] not in view
    middle = sgv(k["e"])
    assert (middle.inputs, middle.outputs) == ((k["a"],), (k["e"],))


def test_a_scope_is_a_view() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    with g.scope("layer"):
        y = g.apply("exp", x, name="y")
        with g.scope("inner"):
            z = g.apply("neg", y, name="z")
    with g.scope("layer2"):
        g.apply("neg", z)
    assert sgv_scope("layer", g).nodes == (y, z)
    assert sgv_scope("layer/inner/", g).nodes == (z,)
    assert editor.select_ops(r"layer/.*z", graph=g) == [z]


def test_inputs_can_be_taken_in_another_order() -> None:
    g = Graph()
    x, y = g.placeholder((), name="x"), g.placeholder((), name="y")
    view = sgv(g.apply("sub", x, y))
    assert view.remap_inputs([1, 0]).inputs == (y, x)
    assert view.remap_inputs([1]).inputs == (y,)
    for wrong in ([0, 0], [2], [-1]):
        with pytest.raises(GraphError, match="at most once"):
            view.remap_inputs(wrong)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda g, k: sgv(), "at least one node"),
        (lambda g, k: sgv("e"), "in which graph"),
        (lambda g, k: sgv("nothing", graph=g), "at least one node"),
        (lambda g, k: sgv("(", graph=g), "no regular expression"),
        (lambda g, k: sgv_scope("nowhere", g), "no node in a scope 'nowhere'"),
        (lambda g, k: sgv(k["e"], Graph().constant(1.0)), r"Argument\[1\]: Wrong graph!"),
        (lambda g, k: sgv(k["e"], 3), r"Argument\[1\]: int is no node"),
    ],
)
def test_what_is_no_view(make: Any, message: str) -> None:
    g, k = small()
    with pytest.raises(GraphError, match=message):
        make(g, k)


# -- rerouting --------------------------------------------------------------------------------------------------------
def test_reroute_and_swap() -> None:
    g, k = small()
    assert editor.reroute_ts(k["b"], k["a"]) == 1
    assert (reads(k["e"]), reads(k["s"])) == (["b"], ["b"])
    g, k = small()
    assert editor.swap_ts(k["a"], k["b"]) == 2
    assert (reads(k["e"]), reads(k["s"])) == (["b"], ["a"])
    values = Session(g).run([k["n"], k["s"]], {k["a"]: [2, 2], k["b"]: [0, 0]})
    assert [v.tolist() for v in values] == [[-1, -1], [4, 4]]


def test_only_some_readers_change() -> None:
    g, k = small()
    more = g.apply("tanh", k["a"], name="more")
    assert editor.reroute_ts(k["b"], k["a"], can_modify=[more]) == 1
    assert (reads(more), reads(k["e"])) == (["b"], ["a"])
    assert editor.reroute_ts(k["b"], k["a"], cannot_modify=[k["e"]]) == 0


def test_a_node_may_come_to_read_one_that_was_made_later() -> None:
    g, k = small()
    late = g.apply("mul", k["b"], 10.0, name="late")
    editor.reroute_ts(late, k["e"])
    assert reads(k["n"]) == ["late"]
    assert late.order < k["n"].order
    assert sorted(node.order for node in g.nodes) == list(range(len(g.nodes)))
    feeds = {k["a"]: [0, 0], k["b"]: [1, 2]}
    session = Session(g)
    for _ in range(3):  # run once, then compiled
        assert session.run(k["n"], feeds).tolist() == [-10, -20]
    (slope,) = gradients(g.apply("sum", k["n"]), [k["b"]])
    assert Session(g).run(slope, feeds).tolist() == [-10, -10]


def test_a_cycle_is_refused_and_named() -> None:
    g, k = small()
    with pytest.raises(GraphError, match=r"this would be a cycle: e -> n -> e|this would be a cycle: n -> e -> n"):
        editor.reroute_ts(k["n"], k["a"])
    assert reads(k["e"]) == ["a"]
    assert g.generation == 0


def test_types_must_go_together() -> None:
    g, k = small()
    wrong, whole = g.placeholder((3,), name="wrong"), g.placeholder((2,), "int32", name="whole")
    with pytest.raises(GraphError, match=r"'wrong' of shape \(3,\) cannot stand for 'a' of shape \(2,\)"):
        editor.reroute_ts(wrong, k["a"])
    with pytest.raises(GraphError, match=r"'whole' \(int32\) cannot stand for 'a' \(float32\): dtypes differ"):
        editor.reroute_ts(whole, k["a"])
    with pytest.raises(GraphError, match="1 and 2 values cannot be paired"):
        editor.reroute_ts(k["a"], [k["a"], k["b"]])
    with pytest.raises(GraphError, match=r"Argument\[1\]: Wrong graph!"):
        editor.reroute_ts(k["a"], Graph().placeholder((2,)))


def test_shapes_follow_and_what_no_longer_fits_is_refused() -> None:
    g = Graph()
    loose, tight = g.placeholder((None, 4), name="loose"), g.placeholder((3, 4), name="tight")
    y = g.apply("exp", loose, name="y")
    z = g.apply("neg", y, name="z")
    editor.reroute_ts(tight, loose)
    assert (y.shape, z.shape) == ((3, 4), (3, 4))
    g = Graph()
    loose, tight = g.placeholder((None, 4), name="loose"), g.placeholder((3, 4), name="tight")
    other = g.placeholder((2, 4), name="other")
    total = g.apply("add", g.apply("exp", loose), other, name="total")
    with pytest.raises(ValueError, match="add"):
        editor.reroute_ts(tight, loose)
    assert (reads(total)[1], total.shape, g.generation) == ("other", (2, 4), 0)


def test_a_finalized_graph_is_left_alone() -> None:
    g, k = small()
    g.finalize()
    count = len(g.nodes)
    for edit in (
        lambda: editor.reroute_ts(k["b"], k["a"]),
        lambda: editor.detach_inputs(k["e"]),
        lambda: editor.bypass(k["e"]),
        lambda: editor.copy(k["e"]),
    ):
        with pytest.raises(GraphError, match="finalized"):
            edit()
    assert len(g.nodes) == count


def test_decisions_and_loops_are_left_alone() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    y = g.cond(g.apply("greater", x, 0.0), lambda: g.apply("neg", x), lambda: g.apply("exp", x))
    inner = next(node for node in g.nodes if node.region is not None)
    with pytest.raises(GraphError, match="decision or loop"):
        editor.copy([inner])
    with pytest.raises(GraphError, match=r"part of a decision or loop|lies in"):
        editor.reroute_ts(g.constant(ONE), x)
    assert Session(g).run(y, {x: 2.0}) == -2


# -- parts ------------------------------------------------------------------------------------------------------------
def test_detached_inputs_leave_placeholders() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    with g.scope("layer"):
        e = g.apply("exp", x, name="e")
    n = g.apply("neg", e, name="n")
    view, doors = editor.detach_inputs(n)
    assert [door.name for door in doors] == ["layer/geph__e_0"]
    assert view.inputs == tuple(doors)
    assert Session(g).run(n, {doors[0]: [5, 6]}).tolist() == [-5, -6]
    _, again = editor.detach_inputs(n)
    assert again[0].name == "layer/geph__e_0_1"


def test_detached_outputs_leave_placeholders_to_their_readers() -> None:
    g, k = small()
    _, before, after = editor.detach(k["e"])
    assert [d.name for d in (*before, *after)] == ["geph__a_0", "geph__e_0"]
    assert reads(k["n"]) == ["geph__e_0"]
    assert Session(g).run([k["e"], k["n"]], {before[0]: [0, 0], after[0]: [1, 1]})[1].tolist() == [-1, -1]


def test_waiting_ends_when_it_is_detached_too() -> None:
    g, k = small()
    with g.control_dependencies([k["s"]]):
        late = g.apply("tanh", k["a"], name="late")
    editor.detach_inputs(late)
    assert late.control == (k["s"],)
    editor.detach_inputs(late, control_inputs=True)
    assert late.control == ()


def test_connect() -> None:
    g, k = small()
    first, second = editor.connect(k["s"], [k["e"], k["n"]])
    assert reads(k["e"]) == ["s"]
    assert (first.outputs, second.inputs) == ((k["s"],), (k["s"],))
    assert Session(g).run(k["n"], {k["b"]: [0, 0]}).tolist() == [-1, -1]
    g, k = small()
    t = g.apply("tanh", k["s"], name="t")
    editor.connect(k["s"], k["e"], disconnect_first=True)
    assert reads(t) == ["geph__s_0"]
    with pytest.raises(GraphError, match="1 and 2 values cannot be paired"):
        editor.connect(k["s"], g.apply("add", k["a"], k["b"]))


def test_bypass() -> None:
    g, k = small()
    _, doors = editor.bypass(k["e"])
    assert (reads(k["n"]), reads(k["e"])) == (["a"], ["geph__a_0"])
    assert doors == [k["e"].inputs[0][0]]
    assert Session(g).run(k["n"], {k["a"]: [3, 4]}).tolist() == [-3, -4]


# -- copies -----------------------------------------------------------------------------------------------------------
def test_a_copy_in_the_same_graph_reads_the_same() -> None:
    g, k = small()
    view, copied = editor.copy([k["e"], k["n"]], dst_scope="twin")
    assert [node.name for node in view] == ["twin/e", "twin/n"]
    assert reads(copied.of[k["e"]]) == ["a"]
    assert copied.transformed(k["s"]) is None
    a, b = Session(g).run([k["n"], copied.of[k["n"]]], {k["a"]: [0, 1]})
    np.testing.assert_array_equal(a, b)
    again, _ = editor.copy([k["e"]], dst_scope="twin")
    assert again.nodes[0].name == "twin_1/e"


def test_a_copy_in_another_graph_reads_placeholders_and_has_its_own_variables() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    with g.scope("net"):
        w = g.variable([2.0, 3.0], name="w")
        y = g.apply("mul", g.apply("exp", x, name="e"), w, name="y")
    other = Graph()
    view, copied = editor.copy(sgv_scope("net", g), other, dst_scope="mine", src_scope="net")
    assert "mine/y" in [node.name for node in view]
    assert [door.name for door in copied.placeholders] == ["mine/geph__x_0"]
    session = Session(other)
    session.run(other.initializer())
    session.load(copied.of[w], [10.0, 10.0])
    assert session.run(copied.of[y], {copied.placeholders[0]: [0, 0]}).tolist() == [10, 10]
    first = Session(g)
    first.run(g.initializer())
    assert first.run(y, {x: [0, 0]}).tolist() == [2, 3]


def test_a_copy_can_read_something_else() -> None:
    g, k = small()
    view, copied = editor.copy_with_input_replacements([k["e"], k["n"]], {k["a"]: k["b"]}, dst_scope="c")
    assert view.inputs == (k["b"],)
    assert Session(g).run(copied.of[k["n"]], {k["b"]: [0, 0]}).tolist() == [-1, -1]
    with pytest.raises(GraphError, match="Wrong graph"):
        editor.copy_with_input_replacements([k["e"]], {k["a"]: Graph().placeholder((2,))})


# -- sessions ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("runs", [1, 2, 3])
def test_a_session_that_has_run_keeps_its_stale_plan(runs: int) -> None:
    g, k = small()
    feeds = {k["a"]: [0, 0], k["b"]: [3, 3]}
    old = Session(g)
    for _ in range(runs):
        assert old.run(k["n"], feeds).tolist() == [-1, -1]
    other = Session(g)
    with pytest.warns(
        StalePlanWarning, match="^Operation 'n' was changed by updating input tensor after it was run by a"
    ):
        editor.reroute_ts(k["s"], k["e"])
    assert old.run(k["n"], feeds).tolist() == [-1, -1]
    plan = old.plan(k["n"], feeds)
    assert plan.stale
    assert (plan.generation, g.generation) == (0, 1)
    assert other.run(k["n"], feeds).tolist() == [-9, -9]
    fresh = Session(g)
    assert fresh.run(k["n"], feeds).tolist() == [-9, -9]
    assert not fresh.plan(k["n"], feeds).stale


def test_no_warning_where_nobody_ran_it() -> None:
    g, k = small()
    session = Session(g)
    session.run(k["s"], {k["b"]: [1, 1]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        editor.reroute_ts(k["b"], k["e"])
    assert not session.plan(k["s"], {k["b"]: [1, 1]}).stale


def test_a_listener_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []

    class Ear:
        def __getattr__(self, name: str) -> Any:
            def note(*arguments: Any, **_more: Any) -> int:
                heard.append((name, *arguments))
                return len(heard)

            return note

    monkeypatch.setattr(events, "listener", Ear())
    _, k = small()
    editor.reroute_ts(k["b"], k["a"])
    (said,) = [one for one in heard if one[0] == "rewired"]
    assert said == ("rewired", k["e"].traced, [k["a"].traced], [k["b"].traced], "e reads b instead of a")


def test_an_edit_is_part_of_a_recording() -> None:
    trace = record(
        "import engine\n"
        "from engine.static import editor\n"
        "g = engine.Graph()\n"
        "a, b = g.placeholder((), name='a'), g.placeholder((), name='b')\n"
        "y = engine.exp(a)\n"
        "editor.reroute_ts(b, a)\n"
        "print(engine.Session(g).run(y, {b: 0.0}))\n"
    )
    strings = trace["strings"]
    (row,) = [row for row in table(trace, "events.rewrite") if strings[row["action"]] == "rewired"]
    assert row["plan"] == -1
    assert strings[row["reason"]] == "exp reads b instead of a"
    assert trace["stdout"] == "1.0\n"
