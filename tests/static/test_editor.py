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
from engine.static.serialise import freeze
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


# -- decisions and loops ----------------------------------------------------------------------------------------------
def controlled() -> tuple[Graph, dict[str, Node]]:
    """y = while i < 3: y = (y > 0 ? -y : exp(y)) * s + x."""
    g = Graph()
    x, s = g.placeholder((), name="x"), g.constant(ONE * 2, name="s")

    def body(i: Node, y: Node) -> Any:
        scaled = g.cond(g.apply("greater", y, 0.0), lambda: g.apply("neg", y, name="n"), lambda: g.apply("exp", y))
        return i + 1.0, g.apply("add", g.apply("mul", scaled, s, name="m"), x, name="a")

    _, y = g.while_loop(lambda i, y: g.apply("less", i, 3.0), body, [0.0, x])
    return g, {"x": x, "s": s, "y": y, "m": g.find("while/body/m"), "n": g.find("while/body/cond/true/n")}


def expected(x: float, s: float = 2.0, added: float | None = None, start: float | None = None) -> float:
    y = np.float32(x if start is None else start)
    for _ in range(3):
        y = (-y if y > 0 else np.exp(y)) * np.float32(s) + np.float32(x if added is None else added)
    return float(y)


def test_readers_inside_change_with_those_outside() -> None:
    g, k = controlled()
    other = g.placeholder((), name="other")
    assert editor.reroute_ts(other, k["x"]) == 2  # the sum in the body, and the loop that it enters
    assert "x" not in reads(g.find("while"))
    assert Session(g).run(k["y"], {other: 0.5}) == pytest.approx(expected(0.5), rel=1e-6)
    assert editor.reroute_ts(k["x"], other, can_modify=[g.find("while/body/a")]) == 2
    found = Session(g).run(k["y"], {other: 0.5, k["x"]: 7.0})
    assert found == pytest.approx(expected(0.5, added=7.0), rel=1e-6)


def test_what_regions_read_follows_from_them() -> None:
    g, k = controlled()
    assert "s" in reads(g.find("while"))
    three = g.constant(ONE * 3, name="three")
    editor.reroute_ts(three, k["s"])
    assert "s" not in reads(g.find("while"))
    assert "three" in reads(g.find("while"))
    assert Session(g).run(k["y"], {k["x"]: 0.5}) == pytest.approx(expected(0.5, s=3.0), rel=1e-6)


def test_results_of_a_branch_can_be_others() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    y = g.cond(g.apply("greater", x, 0.0), lambda: g.apply("neg", x, name="n"), lambda: g.apply("exp", x, name="e"))
    negated = g.find("cond/true/n")
    _view, copied = editor.copy(sgv(negated), dst_scope="again")
    assert copied.of[negated].region is negated.region
    editor.reroute_ts(copied.of[negated], negated)
    assert Session(g).run(y, {x: 2.0}) == -2.0
    editor.reroute_ts(x, copied.of[negated])  # the branch hands on what comes from outside
    session = Session(g)
    assert [float(session.run(y, {x: value})) for value in (2.0, 3.0)] == [2.0, 3.0]


def test_a_decision_inside_a_loop_takes_another_predicate() -> None:
    g, k = controlled()
    predicate = g.find("while/body/greater")
    body = predicate.region
    always = editor.copy(sgv(predicate))[1].of[predicate]
    assert always.region is body
    zero = g.constant(ONE * -100, name="low")
    editor.reroute_ts(zero, always.inputs[1][0], can_modify=[always])
    editor.reroute_ts(always, predicate)
    y = 0.5
    for _ in range(3):
        y = -y * 2.0 + 0.5
    assert Session(g).run(k["y"], {k["x"]: 0.5}) == pytest.approx(y)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda g, k: editor.reroute_ts(k["m"], k["x"]), "lies in the body"),
        (lambda g, k: editor.reroute_ts(g.find("while/body/variable_1"), k["s"], can_modify=[k["y"]]), None),
        (lambda g, k: editor.reroute_ts(g.constant(True), g.constant(False)), None),
        (lambda g, k: editor.swap_ts(k["m"], g.find("while/body/a")), "cycle"),
        (lambda g, k: editor.reroute_ts(g.placeholder((None,), name="v"), k["x"]), "stand for"),
        (lambda g, k: editor.reroute_ts(g.apply("sum", k["y"]), k["x"], can_modify=[k["m"], g.find("while")]), "cycle"),
    ],
)
def test_what_cannot_be_edited_says_so_and_stays(edit: Any, message: str | None) -> None:
    g, k = controlled()
    if message is None:
        assert edit(g, k) == 0
    else:
        with pytest.raises(GraphError, match=message):
            edit(g, k)
    assert Session(g).run(k["y"], {k["x"]: 0.5}) == pytest.approx(expected(0.5), rel=1e-6)


def test_a_predicate_stays_a_single_bool() -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    p, many = g.apply("all", g.apply("greater", x, 0.0)), g.apply("greater", x, 0.0)
    wild = g.placeholder(None, "bool", name="wild")
    y = g.cond(p, lambda: g.apply("neg", x), lambda: x * 1.0)
    with pytest.raises(GraphError, match="stand for"):
        editor.reroute_ts(many, p)
    editor.reroute_ts(wild, p)  # of unknown rank
    assert Session(g).run(y, {x: [1.0], wild: np.array(True)}).tolist() == [-1.0]


def test_a_loop_is_copied_with_all_that_lies_in_it() -> None:
    g, k = controlled()
    count = len(g.nodes)
    view, copied = editor.copy(sgv(g.find("while"), k["y"]), dst_scope="twice")
    twin = copied.of[k["y"]]
    assert twin.name == f"twice/{k['y'].name}"
    assert copied.of[k["n"]].name == "twice/while/body/cond/true/n"
    assert copied.of[k["n"]].region is not k["n"].region
    assert len(g.nodes) == count + len(view.nodes)
    both = Session(g).run([k["y"], twin], {k["x"]: 0.5})
    assert both == pytest.approx([expected(0.5)] * 2, rel=1e-6)
    # Each can be edited alone.
    editor.reroute_ts(g.constant(ONE * 3), k["s"], can_modify=[copied.of[k["m"]]])
    both = Session(g).run([k["y"], twin], {k["x"]: 0.5})
    assert both == pytest.approx([expected(0.5), expected(0.5, s=3.0)], rel=1e-6)
    again = editor.copy(sgv(g.find("while"), k["y"]))[1]
    assert again.of[k["n"]].name == "while_1/body/cond/true/n"


def test_a_loop_is_copied_into_another_graph_and_differentiated_there() -> None:
    g, k = controlled()
    other = Graph()
    _, copied = editor.copy(sgv(g.find("while"), k["y"]), other)
    doors = {node.name: node for node in copied.placeholders}
    feeds = {doors["geph__x_0"]: 0.5, doors["geph__s_0"]: 2.0, doors["geph__constant_0"]: 0.0}
    twin = copied.of[k["y"]]
    assert Session(other).run(twin, feeds) == pytest.approx(expected(0.5), rel=1e-6)
    (slope,) = gradients(twin, [doors["geph__x_0"]])
    (wanted,) = gradients(k["y"], [k["x"]])
    assert slope is not None
    assert wanted is not None
    assert Session(other).run(slope, feeds) == pytest.approx(Session(g).run(wanted, {k["x"]: 0.5}), rel=1e-6)


def test_a_part_of_a_body_is_copied_without_its_loop() -> None:
    g, k = controlled()
    other = Graph()
    _, copied = editor.copy(sgv(k["m"]), other)
    assert copied.of[k["m"]].region is None
    assert len(copied.placeholders) == 2
    found = Session(other).run(copied.of[k["m"]], dict(zip(copied.placeholders, (3.0, 5.0), strict=True)))
    assert found == 15.0
    with pytest.raises(GraphError, match="copy the whole loop"):
        editor.copy(sgv(g.find("while/body/variable_1")), Graph())


def test_a_loop_is_detached_connected_and_bypassed() -> None:
    g, k = controlled()
    _view, doors = editor.detach_inputs(sgv(g.find("while"), k["y"]))
    names = {door.name: door for door in doors}
    assert set(names) == {"while/geph__constant_0", "geph__x_0", "geph__s_0"}
    feeds = {names["while/geph__constant_0"]: 0.0, names["geph__x_0"]: 0.25, names["geph__s_0"]: 3.0}
    assert Session(g).run(k["y"], feeds) == pytest.approx(expected(0.25, s=3.0), rel=1e-6)
    h, n = controlled()
    scaled = h.apply("mul", n["y"], 10.0, name="scaled")
    editor.bypass(sgv(n["m"]).remap_inputs([0]))
    y = np.float32(0.5)
    for _ in range(3):
        y = (-y if y > 0 else np.exp(y)) + np.float32(0.5)
    assert Session(h).run(scaled, {n["x"]: 0.5}) == pytest.approx(float(y) * 10, rel=1e-6)


def test_a_loop_is_frozen() -> None:
    g = Graph()
    x, w = g.placeholder((2,), name="x"), g.variable(np.array([2.0, 3.0], np.float32), name="w")
    y, _ = g.for_loop(lambda y, _: (g.cond(g.constant(True), lambda: y * w, lambda: y), None), x, count=3)
    session = Session(g)
    session.run(g.initializer())
    frozen = freeze(session, [y])
    assert not any(node.op == "variable" for node in frozen.nodes)
    assert frozen.find(y.name).name == y.name
    assert Session(frozen).run(frozen.find(y.name), {frozen.find("x"): [1.0, 1.0]}).tolist() == [8.0, 27.0]


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
    assert not late.control


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
    (gone, made) = [(row["edge"], row["added"]) for row in table(trace, "events.edited")]
    edges, names = table(trace, "edges"), [strings[row["name"]] for row in table(trace, "nodes")]

    def ends(edge: int) -> tuple[str, str]:
        return names[edges[edge]["source"]], names[edges[edge]["target"]]

    assert (gone[1], made[1]) == (0, 1)
    assert (ends(gone[0]), ends(made[0])) == (("a", "exp"), ("b", "exp"))
