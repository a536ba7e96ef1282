"""Fusion: which chains become one step, what a fused step really does, and what must not be fused across."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.ops import TABLE
from engine.passes import DEFAULT, Fusion, optimise, without
from engine.passes.fusion import CALLS
from engine.static import Graph, Node, Session, gradients
from engine.static.specialise import draft_for
from engine.tensor_type import TensorType

DATA = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)


def layer(g: Graph, activation: str = "relu") -> tuple[Node, Node]:
    x = g.placeholder((None, 4), name="x")
    product = g.apply("matmul", x, g.constant(DATA.T.copy(), name="w"), name="product")
    biased = g.apply("add", product, g.constant([1.0, -1.0, 0.5], name="b"), name="biased")
    return x, g.apply(activation, biased, name="active")


def plan_of(g: Graph, fetch: Any, feeds: Any, passes: Any = DEFAULT) -> Any:
    return Session(g, passes).plan(fetch, feeds)


def numpy_calls(text: str) -> int:
    return len(re.findall(r"\b(dot|add|subtract|multiply|maximum|negative|exp|tanh|sigmoid_kernel)\(", text))


def test_a_layer_is_one_step_of_three_calls_in_one_buffer() -> None:
    g = Graph()
    x, active = layer(g)
    out = g.apply("sum", active, name="out")
    plan = plan_of(g, out, {x: DATA})
    first = plan.source.splitlines()[2]
    assert re.fullmatch(
        r" +dot\(f0, (c\d+), (b\d+)\); add\(\2, (c\d+), \2\); maximum\(\2, zero, out=\2\) +# active/fused", first
    )
    fused = plan.steps[0]
    assert fused.attributes == {"ops": ("matmul", "add", "relu"), "calls": 3, "buffers": 1}
    assert fused.label == "matmul+add+relu"
    assert [g.nodes[key].name for key in fused.origins] == ["active", "biased", "product"]
    assert numpy_calls(first) == 3
    assert plan.buffers == 1
    assert plan.emitter.calls == 4


@pytest.mark.parametrize("activation", ["relu", "sigmoid", "tanh", "softplus", "square", "neg", "exp"])
@pytest.mark.parametrize("fetched", [True, False])
def test_every_bit_is_the_same(activation: str, fetched: bool) -> None:
    g = Graph()
    x, active = layer(g, activation)
    out = active if fetched else g.apply("reshape", g.apply("copy", active), (-1,))
    with_it, bare = Session(g, compile_at_once=True), Session(g, without("fusion"), compile_at_once=True)
    assert any(step.op == "fused" for step in with_it.plan(out, {x: DATA}).steps)
    for _ in range(2):
        assert with_it.run(out, {x: DATA}).tobytes() == bare.run(out, {x: DATA}).tobytes()


def test_a_fetched_chain_hands_out_a_new_array() -> None:
    g = Graph()
    x, active = layer(g)
    session = Session(g, compile_at_once=True)
    first = session.run(active, {x: DATA})
    kept = first.copy()
    second = session.run(active, {x: -DATA})
    assert first is not second
    np.testing.assert_array_equal(first, kept)


def test_a_value_that_somebody_else_reads_or_fetches_ends_a_chain() -> None:
    g = Graph()
    x = g.placeholder((3, 4), name="x")
    a = g.apply("neg", x, name="a")
    b = g.apply("exp", a, name="b")
    c = g.apply("tanh", b, name="c")
    d = g.apply("add", c, a, name="d")
    draft = draft_for(g, [b, d], {x: TensorType(np.dtype("float32"), (3, 4))}, whole=False)
    optimise(draft, [Fusion()])
    assert [(s.name, s.op) for s in draft.steps] == [
        ("x", "placeholder"),
        ("a", "neg"),
        ("b", "exp"),
        ("d/fused", "fused"),
    ]
    values = Session(g, compile_at_once=True).run([b, d], {x: DATA})
    np.testing.assert_allclose(values[1], np.tanh(np.exp(-DATA)) - DATA, rtol=1e-6)


def test_an_operand_that_a_later_part_reads_keeps_its_buffer() -> None:
    g = Graph()
    x = g.placeholder((3, 4), name="x")
    a = g.apply("cumsum", g.apply("neg", x), axis=0)
    kept = g.apply("square", a, name="kept")
    out = g.apply("sum", g.apply("mul", g.apply("exp", kept), kept))
    plan = plan_of(g, out, {x: DATA})
    assert any(step.op == "fused" for step in plan.steps)
    found = Session(g, compile_at_once=True).run(out, {x: DATA})
    square = np.square(np.cumsum(-DATA, axis=0))
    np.testing.assert_allclose(found, (np.exp(square) * square).sum(), rtol=1e-5)


def test_nothing_is_fused_past_a_write_to_what_it_reads() -> None:
    g = Graph()
    w = g.variable(DATA, name="w")
    before = g.apply("neg", w, name="before")
    with g.control_dependencies([before]):
        up = g.add("assign_add", [w, g.constant(np.full_like(DATA, 100))], name="up")
    other = g.apply("neg", w, name="other")
    late = g.apply("add", other, g.apply("neg", up), name="late")
    s = Session(g, compile_at_once=True)
    s.run(g.initializer())
    bare = Session(g, (), compile_at_once=True)
    bare.run(g.initializer())
    for fetch in ([late, before], [g.apply("exp", before), up], late):
        for a, b in zip(np.atleast_1d(s.run(fetch)), np.atleast_1d(bare.run(fetch)), strict=True):
            np.testing.assert_array_equal(a, b)


def test_unknown_shapes_random_ops_and_scalars_are_left() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    r = g.apply("exp", g.apply("random_normal", shape=(3,)))
    out = [g.apply("exp", g.apply("neg", x)), r]
    plan = plan_of(g, out, {x: 1.0})
    assert all(step.op != "fused" for step in plan.steps)


@pytest.mark.parametrize("op", [op for op in CALLS if op != "relu"])
def test_kernels_make_as_many_calls_as_the_plan_says(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = TABLE[op].kernel
    made: list[str] = []

    class Counting:
        def __getattr__(self, name: str) -> Any:
            found = getattr(np, name)
            return counted(found) if isinstance(found, np.ufunc) else found

    def counted(ufunc: np.ufunc) -> Any:
        def call(*arguments: Any, **more: Any) -> Any:
            made.append(ufunc.__name__)
            return ufunc(*arguments, **more)

        return call

    module = sys.modules[kernel.__module__]
    monkeypatch.setattr(module, "np", Counting())
    if hasattr(module, "_exp"):
        monkeypatch.setattr(module, "_exp", counted(np.exp))
    operands = [np.ones((2, 3), np.float32) for _ in TABLE[op].inputs]
    kernel(*operands, out=np.empty((2, 3), np.float32))
    assert len(made) == CALLS[op]


class Told:
    """A listener that keeps what the optimiser says."""

    def __init__(self) -> None:
        self.said: list[tuple[Any, ...]] = []
        self.nodes: list[str] = []
        self.fetches: list[int] = []
        self.runs: list[int] = []

    def __getattr__(self, name: str) -> Any:
        def note(*arguments: Any, **more: Any) -> int:
            if name == "rewritten":
                self.said.append(arguments[1:])
            elif name == "node_created":
                self.nodes.append(f"{more['name']}:{more['label']}")
                return len(self.nodes) - 1
            elif name == "fetched":
                self.fetches.append(arguments[0])
            elif name == "op_ran":
                self.runs.append(arguments[0])
            return 0

        return note


def test_what_a_listener_hears(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    monkeypatch.setattr(events, "listener", told)
    g = Graph()
    x, active = layer(g)
    Session(g).run(active, {x: DATA})
    (fused,) = [said for said in told.said if said[0] == "fused"]
    product, biased, wanted = (g.find(name).traced for name in ("product", "biased", "active"))
    assert fused[1] == [product, biased, wanted]
    assert told.nodes[fused[2][0]] == "active/fused:matmul+add+relu"
    assert fused[3] == (
        "product, biased and active are 1 plan step: 3 NumPy calls, 1 buffer; 2 values in between are not kept"
    )
    assert told.fetches == [wanted]
    assert fused[2][0] in told.runs
    assert not {product, biased, wanted} & set(told.runs)


def test_memory_is_planned_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    monkeypatch.setattr(events, "listener", told)
    g = Graph()
    x = g.placeholder((None, 64), name="x")
    y = x
    for _ in range(5):
        y = g.apply("tanh", g.apply("matmul", y, g.constant(np.eye(64, dtype=np.float32))))
    out = g.apply("sum", y)
    plan = Session(g).plan(out, {x: np.ones((8, 64), np.float32)})
    size = 8 * 64 * 4
    assert plan.memory.values == 11
    assert plan.memory.peak_before == 10 * size + 4
    assert plan.memory.peak_after == 2 * size + 4
    assert plan.memory.buffers == 2
    assert told.said[-1][0] == "planned"
    assert told.said[-1][3] == f"11 values share 2 buffers: {2 * size + 4:,} bytes instead of {10 * size + 4:,}"


def test_a_training_step_has_the_same_bits_with_every_pass() -> None:
    g = Graph()
    x, y = g.placeholder((None, 4), name="x"), g.placeholder((None, 3), name="y")
    w, b = g.variable(DATA.T.copy(), name="w"), g.variable(np.zeros(3, np.float32), name="b")
    loss = g.apply("mse_loss", g.apply("relu", g.apply("add", x @ w, b)), y)
    steps = [
        g.add("assign_sub", [v, g.apply("mul", d, 0.1)]) for v, d in zip((w, b), gradients(loss, [w, b]), strict=True)
    ]
    train = g.add("group", control=steps, name="train")
    found = []
    for passes in (DEFAULT, ()):
        session = Session(g, passes, compile_at_once=True)
        session.run(g.initializer())
        found.append([session.run([loss, train], {x: DATA, y: DATA[:, :3]})[0] for _ in range(4)] + [session.value(w)])
    assert [np.asarray(a).tobytes() for a in found[0]] == [np.asarray(a).tobytes() for a in found[1]]


def test_a_product_does_not_wait_for_another_one() -> None:
    """Two products could run at the same time: no fused step may make one wait for the other."""
    g = Graph()
    x = g.placeholder((3, 3), name="x")
    left, right = g.apply("matmul", x, x, name="left"), g.apply("matmul", x, g.apply("exp", x), name="right")
    out = g.apply("tanh", g.apply("add", g.apply("tanh", left), right), name="out")
    plan = plan_of(g, out, {x: DATA[:, :3]})
    fused = [step.attributes["ops"] for step in plan.steps if step.op == "fused"]
    assert fused == [("matmul", "tanh"), ("add", "tanh")]
    again = g.apply("add", g.apply("matmul", left, x), left)
    plan = plan_of(g, again, {x: DATA[:, :3]})
    assert [step.attributes["ops"] for step in plan.steps if step.op == "fused"] == [("matmul", "add")]


def loops(g: Graph, x: Any) -> Any:
    _, y = g.while_loop(lambda i, y: i < 3.0, lambda i, y: (i + 1.0, y * 2.0 + 1.0), [0.0, x])
    return y


@pytest.mark.parametrize(
    ("build", "said"),
    [
        # Buffers are rounded up to cache lines; what nobody has a value in is not counted.
        (lambda g, x: g.apply("sum", x * 2.0), "1 buffer: nothing is saved, 40 bytes instead of 40"),
        (
            lambda g, x: g.apply("sum", g.apply("tanh", x * 2.0 + 1.0)),
            "4 values share 1 buffer: 40 bytes instead of 112",
        ),
        (loops, "nothing is saved"),
    ],
)
def test_the_memory_plan_is_never_praised_for_nothing(build: Any, said: str) -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    memory = Session(g).plan(build(g, x), {x: np.ones(9, np.float32)}).memory
    assert said in memory.sentence()
    assert ("share" in memory.sentence()) == (memory.peak_after < memory.peak_before)
