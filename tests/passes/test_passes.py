"""Each pass on its own: what it changes, what it must leave alone, what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import passes
from engine.errors import GraphError
from engine.passes import CommonSubexpressions, ConstantFolding, DeadCode, Draft, Redundant, optimise
from engine.static import Graph, Node, Session
from engine.static.specialise import draft_for
from engine.tensor_type import TensorType


def run_pass(
    one: passes.Pass, graph: Graph, fetches: list[Node], fed: dict[Node, Any] | None = None
) -> tuple[Draft, list[Any]]:
    types = {node: TensorType(node.type.dtype, shape) for node, shape in (fed or {}).items() if node.type is not None}
    draft = draft_for(graph, fetches, types, whole=True)
    said: list[Any] = []
    one.requires(draft)
    one.apply(draft, lambda action, old, new, reason: said.append((action, names(old), names(new), reason)))
    one.ensures(draft)
    draft.check()
    return draft, said


def names(steps: Any) -> list[str]:
    return [step.name for step in steps]


def test_dead_code_keeps_what_the_fetches_need() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    y = g.apply("neg", x, name="y")
    g.apply("exp", y, name="unused")
    draft, said = run_pass(DeadCode(), g, [y], {x: (2,)})
    assert names(draft.steps) == ["x", "y"]
    assert said == [("removed", ["unused"], [], "not needed by any fetch of this run")]


def test_dead_code_stops_at_what_is_fed() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    y = g.apply("neg", x, name="y")
    z = g.apply("exp", y, name="z")
    draft, said = run_pass(DeadCode(), g, [z], {y: (2,)})
    assert names(draft.steps) == ["y", "z"]
    assert said == [("removed", ["x"], [], "only needed to compute what is fed")]


def test_equal_steps_are_merged_into_the_first() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    a, b = g.apply("exp", x, name="a"), g.apply("exp", x, name="b")
    out = g.apply("add", g.apply("neg", a, name="c"), g.apply("neg", b, name="d"), name="out")
    draft, said = run_pass(CommonSubexpressions(), g, [out], {x: (2,)})
    assert names(draft.steps) == ["x", "a", "c", "out"]
    assert [s[:3] for s in said] == [("merged", ["b"], ["a"]), ("merged", ["d"], ["c"])]
    assert draft.steps[1].origins == (a.index, b.index)


def test_what_only_looks_equal_is_not_merged() -> None:
    g = Graph()
    x = g.placeholder((2, 2), name="x")
    parts = [
        g.apply("sum", x, axis=0), g.apply("sum", x, axis=1), g.apply("sum", x, axis=(0,)),
        g.apply("cast", g.constant(1), np.dtype("float32")), g.apply("cast", g.constant(True), np.dtype("float32")),
    ]  # fmt: skip
    other = [g.apply("random_normal", shape=(2,)), g.apply("random_normal", shape=(2,))]
    out = [g.apply("neg", p) for p in (*parts, *other)]
    draft, said = run_pass(CommonSubexpressions(), g, out, {x: (2, 2)})
    assert said == []
    assert len(draft.steps) == len(g.nodes)


def test_fetched_and_fed_steps_are_never_merged_away() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    a, b, c = (g.apply("exp", x, name=name) for name in "abc")
    out = g.apply("add", b, c, name="out")
    draft, _ = run_pass(CommonSubexpressions(), g, [b, out], {x: (2,), c: (2,)})
    assert {"b", "c", "out"} <= set(names(draft.steps))
    s = Session(g, compile_at_once=True)
    assert [v.tolist() for v in s.run([b, out, a], {x: [0, 0], c: [5, 5]})] == [[1, 1], [6, 6], [1, 1]]


def test_reads_around_a_write_are_not_merged() -> None:
    g = Graph()
    w = g.variable([1.0], name="w")
    before = g.apply("identity", w, name="before")
    up = g.add("assign_add", [w, g.constant([1.0])])
    with g.control_dependencies([up]):
        after = g.apply("identity", w, name="after")
    _, said = run_pass(CommonSubexpressions(), g, [before, after])
    assert not [s for s in said if set(s[1]) & {"before", "after"}]


def test_constants_are_folded_and_say_from_what() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    a, b = g.constant(2.0, name="a"), g.constant(3.0, name="b")
    c = g.apply("mul", a, b, name="c")
    out = g.apply("mul", x, c, name="out")
    draft, said = run_pass(ConstantFolding(), g, [out], {x: (2,)})
    folded = draft.steps[names(draft.steps).index("c/folded")]
    assert folded.attributes["value"] == 6
    assert folded.origins == (c.index,)
    assert folded.key < 0
    assert said == [("folded", ["c"], ["c/folded"], "c only depends on a and b, which never change")]


def test_what_must_not_be_folded() -> None:
    g = Graph()
    c = g.constant([1.0, 2.0], name="c")
    fetched = g.apply("neg", c, name="fetched")
    random = g.apply("random_uniform", shape=(2,), name="random")
    fed = g.apply("exp", c, name="fed")
    big = g.apply("broadcast_to", g.constant(1.0), (2000, 2000), name="big")
    with g.control_dependencies([random]):
        waits = g.apply("square", c, name="waits")
    out = g.apply("add", g.apply("add", random, fed), g.apply("add", waits, g.apply("max", big)))
    _, said = run_pass(ConstantFolding(), g, [fetched, out], {fed: (2,)})
    assert said == []


def test_redundant_steps_disappear_once_shapes_are_known() -> None:
    g = Graph()
    x, y = g.placeholder((None, 2), name="x"), g.placeholder((None, 2), name="y")
    summed = g.apply("sum_to_like", x, y, name="summed")
    out = g.apply("neg", g.apply("identity", summed, name="same"), name="out")
    draft, said = run_pass(Redundant(), g, [out], {x: (3, 2), y: (3, 2)})
    assert names(draft.steps) == ["x", "y", "out"]
    assert [s[:3] for s in said] == [("replaced", ["summed"], ["x"]), ("replaced", ["same"], ["x"])]
    draft, said = run_pass(Redundant(), g, [out], {x: (3, 2), y: (1, 2)})
    assert names(draft.steps) == ["x", "y", "summed", "out"]


class Breaks:
    name = "breaks"

    def requires(self, draft: Draft) -> None:
        return None

    def apply(self, draft: Draft, report: passes.Report) -> None:
        draft.steps[-1].inputs = []
        draft.steps.reverse()
        report("removed", [], [], "mischief")
        raise ValueError("half-way")

    def ensures(self, draft: Draft) -> None:
        return None


class Lies(Breaks):
    name = "lies"

    def apply(self, draft: Draft, report: passes.Report) -> None:
        draft.steps.pop()

    def ensures(self, draft: Draft) -> None:
        draft.check()


@pytest.mark.parametrize("bad", [Breaks(), Lies()])
def test_a_pass_that_fails_is_skipped_and_leaves_nothing_behind(bad: passes.Pass) -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    out = g.apply("add", g.apply("neg", x), g.apply("exp", x), name="out")
    draft = draft_for(g, [out], {x: TensorType(np.dtype("float32"), (2,))}, whole=False)
    before = [(step.name, list(step.inputs)) for step in draft.steps]
    assert optimise(draft, [bad]) == [bad.name]
    assert [(step.name, list(step.inputs)) for step in draft.steps] == before
    assert Session(g, [bad], compile_at_once=True).run(out, {x: [0, 0]}).tolist() == [1, 1]


def test_a_broken_draft_is_noticed() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    out = g.apply("neg", x, name="out")
    draft = draft_for(g, [out], {x: TensorType(np.dtype("float32"), (2,))}, whole=False)
    draft.steps.reverse()
    with pytest.raises(GraphError, match="'out' reads 'x', which does not come before it"):
        draft.check()


def test_folding_comes_before_arithmetic() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    half = g.apply("div", g.constant(1.0), g.constant(2.0), name="half")
    draft = draft_for(g, [g.apply("mul", half, x, name="out")], {x: TensorType(x.type.dtype, (2,))}, whole=True)  # type: ignore[union-attr]
    assert optimise(draft) == []
    assert "half/folded" in names(draft.steps)
    assert not {"div", "reciprocal"} & {step.op for step in draft.steps}


class Stumbles(Breaks):
    name = "stumbles"

    def apply(self, draft: Draft, report: passes.Report) -> None:
        draft.steps.pop()
        raise AttributeError("a mistake in the pass itself")


def test_a_pass_with_a_mistake_in_it_is_skipped_too() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    out = g.apply("neg", x, name="out")
    session = Session(g, [Stumbles(), *passes.DEFAULT], compile_at_once=True)
    assert session.run(out, {x: [1, 2]}).tolist() == [-1, -2]
    assert session.plan(out, {x: [1, 2]}).skipped == ("stumbles",)
