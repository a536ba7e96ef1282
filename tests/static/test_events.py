"""What a listener hears, and that it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.errors import StepgraphError
from engine.static import Graph, Session, gradients


class Ear:
    """A listener that notes every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.nodes: list[dict[str, Any]] = []
        self.runs = self.plans = 0

    def node_created(self, graph: int, op: str, inputs: Any, output: Any, **more: Any) -> int:
        self.nodes.append({"op": op, "inputs": list(inputs), "output": output, **more})
        self.calls.append(("node_created", (op,), more))
        return len(self.nodes) - 1

    def graph_created(self, mode: str, name: str) -> int:
        self.calls.append(("graph_created", (mode, name), {}))
        return 0

    def run_started(self, *args: Any) -> int:
        self.calls.append(("run_started", args, {}))
        self.runs += 1
        return self.runs - 1

    def optimise_started(self, *args: Any) -> int:
        self.calls.append(("optimise_started", args, {}))
        self.plans += 1
        return self.plans - 1

    def __getattr__(self, name: str) -> Any:
        def note(*args: Any, **more: Any) -> None:
            kept = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)
            self.calls.append((name, kept, more))

        return note

    def named(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(args, more) for called, args, more in self.calls if called == name]

    def label(self, node: int) -> str:
        return str(self.nodes[node]["name"])


@pytest.fixture
def ear() -> Iterator[Ear]:
    events.listener = ear = Ear()  # type: ignore[assignment]
    yield ear
    events.listener = None


def program() -> tuple[Graph, Any, Any, Any]:
    g = Graph()
    x = g.placeholder((None, 2), name="x")
    w = g.variable(np.ones((2, 1), np.float32), name="w")
    loss = g.apply("mean", g.apply("square", x @ w, name="squares"), name="loss")
    (dw,) = gradients(loss, [w])
    assert dw is not None
    up = g.add("assign_sub", [w, dw * 0.1], name="up")
    return g, x, loss, up


def test_building_tells_of_every_node(ear: Ear) -> None:
    g, _, _, _ = program()
    assert len(ear.nodes) == g.version
    assert ear.named("graph_created") == [(("static", ""), {})]
    by_name = {n["name"]: n for n in ear.nodes}
    assert by_name["x"]["role"] == "input"
    assert by_name["w"]["role"] == "variable"
    assert by_name["w/assign"]["serves"] == g.find("w").traced
    assert by_name["squares"]["inputs"] == [(g.find("matmul").traced, 0)]
    gradient = [n for n in ear.nodes if n["role"] == "gradient"]
    assert {ear.label(n["mirrors"]) for n in gradient} == {"loss", "squares", "matmul"}


def test_one_run_in_order(ear: Ear) -> None:
    g, x, loss, up = program()
    s = Session(g)
    s.run(g.initializer())
    ear.calls.clear()
    s.run([loss, up], {x: [[1, 2], [3, 4]]})
    order = [name for name, _, _ in ear.calls]
    assert order[0] == "optimise_started"
    assert order.index("pass_ended") < order.index("compiled") < order.index("run_started") < order.index("fed")
    assert order[-3:] == ["fetched", "fetched", "run_ended"]
    ran = [ear.label(args[0]) for args, _ in ear.named("op_ran")]
    assert ran.index("matmul") < ran.index("squares") < ran.index("loss")
    assert ran.index("w") < ran.index("matmul")
    assert all(args[2] <= args[3] for args, _ in ear.named("op_ran"))
    (((node, value, how), more),) = ear.named("variable_written")
    assert (ear.label(node), how, more["version"]) == ("w", "in-place", 2)
    assert value.tolist() == s.value(g.find("w")).tolist()
    (((compiled), _),) = ear.named("compiled")
    assert "def run(f0):" in compiled[4]
    s.run([loss, up], {x: [[1, 2], [3, 4]]})
    assert len(ear.named("compiled")) == 1


def test_initial_values_say_so(ear: Ear) -> None:
    g, *_ = program()
    s = Session(g)
    s.run(g.initializer())
    s.run(g.initializer())
    assert [args[2] for args, _ in ear.named("variable_written")] == ["initial", "assign"]


def test_passes_say_what_they_did(ear: Ear) -> None:
    g, x, loss, _ = program()
    ear.calls.clear()
    Session(g).plan(loss, {x: [[1, 2]]})
    removed = [args for args, _ in ear.named("rewritten") if args[1] == "removed"]
    assert {"up", "w/assign"} <= {ear.label(n) for args in removed for n in args[2]}
    names = [(args[1], args[2] >= args[3]) for args, _ in ear.named("pass_ended")]
    assert all(less for _, less in names)
    assert names[0][0] == "dead code removal"


def test_a_folded_constant_is_a_node_of_the_plan(ear: Ear) -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    y = x * g.apply("add", g.constant(1.0, name="a"), g.constant(2.0, name="b"), name="sum")
    size = g.version
    assert Session(g).run(y, {x: [1, 2]}).tolist() == [3, 6]
    assert g.version == size
    folded = ear.nodes[-1]
    assert (folded["name"], folded["plan"], folded["role"]) == ("sum/folded", 0, "constant")
    (((plan, action, old, new, reason), _),) = [c for c in ear.named("rewritten") if c[0][1] == "folded"]
    assert (plan, action, [ear.label(n) for n in old], new) == (0, "folded", ["sum"], [len(ear.nodes) - 1])
    assert reason == "sum only depends on a and b, which never change"


def test_a_node_that_cannot_be_built_is_told(ear: Ear) -> None:
    g = Graph()
    x = g.placeholder((2, 3), name="x")
    with pytest.raises(StepgraphError):
        _ = x @ x
    assert ear.nodes[-1]["output"] is None
    (((node, error), _),) = ear.named("op_failed")
    assert node == len(ear.nodes) - 1
    assert "matmul" in str(error)


def test_a_node_that_cannot_run_is_told(ear: Ear) -> None:
    g = Graph()
    a, b = g.placeholder((None,), name="a"), g.placeholder((None,), name="b")
    c, w = g.apply("add", a, b, name="c"), g.variable([1.0], name="w")
    s = Session(g)
    for fetch, feeds, failed in ((c, {a: [1, 2], b: [1, 2, 3]}, "c"), (c, {a: [1, 2]}, "b"), (w, {}, "w")):
        ear.calls.clear()
        with pytest.raises(StepgraphError):
            s.run(fetch, feeds)
        (((node, _), _),) = ear.named("op_failed")
        assert ear.label(node) == failed


def test_listening_changes_no_number() -> None:
    g, x, loss, up = program()
    results = []
    for listen in (False, True):
        s = Session(g)
        events.listener = Ear() if listen else None  # type: ignore[assignment]
        try:
            s.run(g.initializer())
            results.append([float(s.run([loss, up], {x: [[1, 2], [3, 4]]})[0]) for _ in range(4)])
        finally:
            events.listener = None
    assert results[0] == results[1]


def test_appending_says_what_it_cost(ear: Ear) -> None:
    g, x, loss, up = program()
    s = Session(g)
    s.run(g.initializer())
    s.run([loss, up], {x: [[1, 2]]})
    assert [args for args, _ in ear.named("rewritten") if args[1] == "extended"] == [], "nothing was appended yet"
    known = g.version - 1  # the initializer is the last node
    before, compiles = len(ear.calls), s.compiles
    doubled = g.apply("neg", loss)
    s.run([loss, up], {x: [[1, 2]]})
    assert s.compiles == compiles, "what was compiled stays"
    s.run(doubled, {x: [[1, 2]]})
    assert s.compiles == compiles + 1
    del ear.calls[:before]
    (told,) = [args for args, _ in ear.named("rewritten") if args[1] == "extended"]
    assert told[4].startswith(f"1 new node joins the {known + 1} that the session knows; 2 plans stay as they are, ")
    assert told[4].endswith(" µs to prepare")


def test_what_a_failed_run_undoes_is_told(ear: Ear) -> None:
    g = Graph()
    w, x = g.variable([1.0, 2.0], name="w"), g.placeholder((1,), "int32", name="x")
    up = g.add("assign_add", [w, g.constant([1.0, 1.0])])
    with g.control_dependencies([up]):
        taken = g.apply("take", g.constant([1.0, 2.0]), x, axis=0)
    for keeps, values in ((False, [[1, 2], [2, 3], [1, 2]]), (True, [[1, 2], [2, 3]])):
        ear.calls.clear()
        s = Session(g)
        s.keeps_writes = keeps
        s.run(g.initializer())
        with pytest.raises(StepgraphError, match="7"):
            s.run(taken, {x: [7]})
        assert [args[1].tolist() for args, _ in ear.named("variable_written")] == values
        assert s.value(w).tolist() == values[-1]
