"""Small traces by hand, in the form of ``docs/trace.md``: as much of it as a layout reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from app.layout.curves import Place

CATEGORIES = {
    "input": "input",
    "constant": "input",
    "variable": "variable",
    "gradient": "gradient",
    "accumulate": "gradient",
}
NODE_COLUMNS = ("graph", "plan", "definition", "name", "variable", "type", "slot", "mirrors", "serves", "episode")


class TraceBuilder:
    """Adds graphs and nodes one by one; :meth:`trace` gives the document."""

    def __init__(self, mode: str = "dynamic") -> None:
        self.strings: dict[str, int] = {}
        self.definitions: dict[tuple[str, str, str], int] = {}
        self.types: list[Any] = []
        self.nodes: dict[str, list[int]] = {name: [] for name in NODE_COLUMNS}
        self.edges: dict[str, list[int]] = {"source": [], "port": [], "target": [], "input": [], "kind": []}
        self.modes: list[int] = []
        self.lists: list[list[int]] = []
        self.events: dict[str, dict[str, list[int]]] = {}
        self.forced: int | None = None
        self.graph(mode)

    def text(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings)) if text else -1

    def graph(self, mode: str) -> None:
        self.modes.append(self.text(mode))

    def listed(self, items: Sequence[int]) -> int:
        self.lists.append(list(items))
        return len(self.lists) - 1

    def event(self, table: str, **row: int) -> None:
        columns = self.events.setdefault(table, {name: [] for name in row})
        for name, value in row.items():
            columns[name].append(value)

    def node(
        self,
        label: str,
        inputs: Sequence[int] = (),
        *,
        role: str = "op",
        shape: Sequence[int | None] | None = (4, 3),
        variable: str = "",
        name: str = "",
        mirrors: int = -1,
        serves: int = -1,
        plan: int = -1,
        slot: int | None = None,
        saved: Sequence[int] = (),
        control: Sequence[int] = (),
        category: str = "",
    ) -> int:
        """One node; its slot is its own unless ``slot`` (or :attr:`forced`) names an older one."""
        category = category or CATEGORIES.get(role, "arith")
        definition = self.definitions.setdefault((label, role, category), len(self.definitions))
        self.types.append({"dtype": "float32", "shape": None if shape is None else list(shape)})
        number = len(self.nodes["graph"])
        slots = self.nodes["slot"]
        if slot is None:
            slot = self.forced if self.forced is not None else max(slots, default=-1) + 1
            if self.forced is not None:
                self.forced += 1
        row = {
            "graph": len(self.modes) - 1, "plan": plan, "definition": definition, "name": self.text(name),
            "variable": self.text(variable), "type": len(self.types) - 1, "slot": slot, "mirrors": mirrors,
            "serves": serves, "episode": -1,
        }  # fmt: skip
        for column, value in row.items():
            self.nodes[column].append(value)
        for kind, sources in (("data", inputs), ("control", control), ("saved", saved)):
            for position, source in enumerate(sources):
                edge = {"source": source, "port": 0, "target": number, "input": position, "kind": self.text(kind)}
                for column, value in edge.items():
                    self.edges[column].append(value)
        return number

    def trace(self) -> dict[str, Any]:
        slots: dict[int, int] = {}
        for slot in self.nodes["slot"]:
            slots[slot] = slots.get(slot, 0) + 1
        return {
            "format": "stepgraph-trace",
            "version": 1,
            "strings": list(self.strings),
            "types": self.types,
            "definitions": [
                {"label": label, "op": label, "role": role, "category": c} for label, role, c in self.definitions
            ],
            "graphs": {"mode": self.modes},
            "nodes": self.nodes,
            "edges": self.edges,
            "slots": {"count": [slots[s] for s in sorted(slots)]},
            "lists": self.lists,
            "events": self.events,
        }


class Tape:
    """Forward ops whose gradient nodes are made with them, as a dynamic graph does."""

    def __init__(self, builder: TraceBuilder) -> None:
        self.b = builder
        self.grad: dict[int, int] = {}
        self.taped = "static" not in builder.strings

    def parameter(self, name: str, shape: Sequence[int | None] = (3, 1), **more: Any) -> int:
        node = self.b.node("tensor", role="variable", variable=name, shape=shape, **more)
        self.grad[node] = -1
        return node

    def data(self, name: str, shape: Sequence[int | None] = (4, 2)) -> int:
        return self.b.node("tensor", role="input", variable=name, shape=shape)

    def op(self, label: str, inputs: Sequence[int], saves: str = "", **more: Any) -> int:
        """``saves``: ``i`` for the inputs, ``o`` for the result."""
        for x in inputs:
            if self.taped and self.grad.get(x) == -1:
                self.grad[x] = self.b.node("AccumulateGrad", role="accumulate", mirrors=x)
        out = self.b.node(label, inputs, **more)
        following = [self.grad[x] for x in inputs if x in self.grad]
        if following and self.taped:
            saved = [*(inputs if "i" in saves else ()), *((out,) if "o" in saves else ())]
            name = label[:1].upper() + label[1:] + "Backward0"
            self.grad[out] = self.b.node(name, following, role="gradient", mirrors=out, saved=saved)
        return out


def linear_torch(passes: int = 2) -> TraceBuilder:
    """Linear regression: forward, backward, and a step under no_grad; later passes take the slots of the first."""
    b = TraceBuilder()
    tape = Tape(b)
    x, y = tape.data("X"), tape.data("y", (4, 1))
    w, bias = tape.parameter("w", (2, 1)), tape.parameter("b", (1,))
    for i in range(passes):
        b.forced = 4 if i else None
        if i:
            tape.grad = {w: tape.grad[w], bias: tape.grad[bias]}
            b.forced = 5
        mm = tape.op("mm", [x, w], "i", shape=(4, 1), category="matmul")
        if i:
            b.forced = 8
        pred = tape.op("add", [mm, bias], variable="pred", shape=(4, 1))
        error = tape.op("sub", [pred, y], shape=(4, 1))
        square = tape.op("pow", [error], "i", shape=(4, 1))
        tape.op("mean", [square], variable="loss", shape=(), category="reduction")
        for p in (w, bias):
            step = b.node("mul", [tape.grad[p]], shape=(2, 1))
            b.node("sub_", [p, step], role="update", shape=(2, 1))
    return b


def xor_torch() -> TraceBuilder:
    b = TraceBuilder()
    tape = Tape(b)
    x, y = tape.data("X"), tape.data("y", (4, 1))
    w1, b1, w2, b2 = (tape.parameter(n, s) for n, s in (("W1", (2, 3)), ("b1", (3,)), ("W2", (3, 1)), ("b2", (1,))))
    h = tape.op("add", [tape.op("mm", [x, w1], "i", category="matmul"), b1])
    h = tape.op("relu", [h], "o", variable="h", category="activation")
    pred = tape.op(
        "add", [tape.op("mm", [h, w2], "i", shape=(4, 1), category="matmul"), b2], variable="pred", shape=(4, 1)
    )
    tape.op("mse_loss", [pred, y], "i", variable="loss", shape=(), category="reduction")
    for p in (w1, b1, w2, b2):
        step = b.node("mul", [tape.grad[p]])
        b.node("sub_", [p, step], role="update")
    return b


def linear_tf1() -> TraceBuilder:
    """Placeholders, two variables, gradient ops, update ops grouped by a train op, a folded constant."""
    b = TraceBuilder("static")
    x = b.node("Placeholder", role="input", name="x", variable="x", shape=(None, 2))
    y = b.node("Placeholder", role="input", name="y", variable="y", shape=(None, 1))
    w = b.node("VariableV2", role="variable", name="W", variable="W", shape=(2, 1))
    initial = b.node("Const", role="constant", name="W/initial_value", serves=w)
    b.node("Assign", [w, initial], role="update", name="W/Assign", serves=w)
    read = b.node("Identity", [w], name="W/read", serves=w)
    bias = b.node("VariableV2", role="variable", name="b", variable="b", shape=(1,))
    two, four = (b.node("Const", role="constant", name=n, shape=()) for n in ("Const", "Const_1"))
    half = b.node("RealDiv", [two, four], name="div", shape=())
    mm = b.node("MatMul", [x, read], name="MatMul", shape=(None, 1), category="matmul")
    pred = b.node("Add", [mm, bias], name="add", variable="pred", shape=(None, 1))
    error = b.node("Sub", [pred, y], name="sub", shape=(None, 1))
    square = b.node("Square", [error], name="Square", shape=(None, 1))
    scaled = b.node("Mul", [square, half], name="mul", shape=(None, 1))
    loss = b.node("Mean", [scaled], name="Mean", variable="loss", shape=(), category="reduction")
    ones = b.node("Fill", role="gradient", name="gradients/Fill", mirrors=loss, shape=())
    tile = b.node("Tile", [ones, scaled], role="gradient", name="gradients/Mean_grad/Tile", mirrors=loss)
    gmul = b.node("Mul", [tile, half], role="gradient", name="gradients/mul_grad/Mul", mirrors=scaled)
    two_c = b.node("Const", role="constant", name="gradients/Square_grad/Const", shape=())
    gsq = b.node("Mul", [error, two_c], role="gradient", name="gradients/Square_grad/Mul", mirrors=square)
    gsq = b.node("Mul", [gmul, gsq], role="gradient", name="gradients/Square_grad/Mul_1", mirrors=square)
    gadd = b.node("Sum", [gsq], role="gradient", name="gradients/add_grad/Sum", mirrors=pred)
    gmm = b.node("MatMul", [x, gsq], role="gradient", name="gradients/MatMul_grad/MatMul_1", mirrors=mm)
    rate = b.node("Const", role="constant", name="GradientDescent/learning_rate", shape=())
    steps = [
        b.node("ApplyGradientDescent", [v, rate, g], role="update", name=f"GradientDescent/update_{n}")
        for v, g, n in ((w, gmm, "W"), (bias, gadd, "b"))
    ]
    train = b.node("NoOp", control=steps, name="GradientDescent", role="control", shape=None, variable="train")
    folded = b.node("Const", role="constant", name="folded", shape=(), plan=0)
    b.event("rewrite", plan=0, action=b.text("folded"), old=b.listed([half]), new=b.listed([folded]), reason=-1)
    b.event("run", plan=0, run=0, fetches=b.listed([loss, pred, train]), feeds=b.listed([x, y]))
    return b


def while_chain(turns: int = 9) -> TraceBuilder:
    """``while s < 1000: s = s * w``: one growing graph, with a comparison for each turn."""
    b = TraceBuilder()
    tape = Tape(b)
    s = w = tape.parameter("w", ())
    for _ in range(turns):
        b.node("lt", [s], shape=(), category="arith")
        s = tape.op("mul", [s, w], "i", shape=(), variable="s")
    return b


def rnn(steps: int = 10) -> TraceBuilder:
    b = TraceBuilder()
    tape = Tape(b)
    wx, wh, bias = (tape.parameter(n) for n in ("Wx", "Wh", "b"))
    h = tape.data("h0")
    for t in range(steps):
        x = tape.data(f"x{t}")
        a = tape.op("mm", [x, wx], "i", category="matmul")
        c = tape.op("mm", [h, wh], "i", category="matmul")
        h = tape.op("tanh", [tape.op("add", [tape.op("add", [a, c]), bias])], "o", variable="h", category="activation")
    tape.op("sum", [h], variable="loss", shape=(), category="reduction")
    return b


def two_branches(mode: str = "dynamic") -> TraceBuilder:
    b = TraceBuilder(mode)
    tape = Tape(b)
    x = tape.data("x")
    ends = []
    for side in ("left", "right"):
        w, bias = tape.parameter(f"W_{side}"), tape.parameter(f"b_{side}")
        ends.append(tape.op("relu", [tape.op("linear", [x, w, bias], "i", category="matmul")], "o", variable=side))
    skip = tape.op("add", ends)
    tape.op("mean", [tape.op("mul", [skip, ends[0]], "i")], variable="out", shape=())
    return b


def two_losses() -> TraceBuilder:
    """Two losses that share a prediction, in a static graph; one subtraction is merged, one op is never fetched."""
    b = TraceBuilder("static")
    x, y = (b.node("Placeholder", role="input", name=n, variable=n, shape=(None, 2)) for n in "xy")
    w = b.node("VariableV2", role="variable", name="W", variable="W", shape=(2, 1))
    half = b.node(
        "RealDiv", [b.node("Const", role="constant", shape=(), name=f"c{i}") for i in range(2)], name="div", shape=()
    )
    mm = b.node("MatMul", [x, w], category="matmul", shape=(None, 1))
    relu = b.node("Relu", [b.node("Add", [mm, half], shape=(None, 1))], variable="pred", category="activation")
    sub, again = b.node("Sub", [relu, y]), b.node("Sub", [relu, y])
    loss = b.node("Mean", [b.node("Square", [sub])], variable="loss", shape=(), category="reduction")
    mae = b.node("Mean", [b.node("Abs", [again])], variable="mae", shape=(), category="reduction")
    peak = b.node("Max", [relu], variable="peak", shape=(), category="reduction")
    folded = b.node("Const", role="constant", shape=(), plan=0)
    b.event("rewrite", plan=0, action=-1, old=b.listed([peak]), new=b.listed([]), reason=-1)
    b.event("rewrite", plan=0, action=-1, old=b.listed([again]), new=b.listed([sub]), reason=-1)
    b.event("rewrite", plan=0, action=-1, old=b.listed([half]), new=b.listed([folded]), reason=-1)
    b.event("run", plan=0, run=0, fetches=b.listed([loss, mae]), feeds=b.listed([x, y]))
    return b


def single() -> TraceBuilder:
    b = TraceBuilder()
    b.node("tensor", role="input", variable="x")
    return b


def residual(blocks: int = 4) -> TraceBuilder:
    """Skip connections over three ops, and pieces that have nothing to do with each other."""
    b = TraceBuilder()
    tape = Tape(b)
    h = tape.data("x")
    for i in range(blocks):
        w = tape.parameter(f"w{i}")
        inner = tape.op("relu", [tape.op("mm", [h, w], "i", category="matmul")], "o", category="activation")
        h = tape.op("add", [tape.op("mul", [inner, inner], "i"), h])
    for i in range(6):
        a = tape.data(f"a{i}")
        b.node("abs", [b.node("neg", [a])])
    return b


def second_order() -> TraceBuilder:
    """Gradients of gradients, and a graph in which some gradient nodes mirror nothing."""
    b = TraceBuilder()
    tape = Tape(b)
    x = tape.parameter("x", ())
    y = tape.op("mul", [x, tape.op("mul", [x, x], "i", shape=())], "i", shape=(), variable="y")
    inner = b.node("MulBackward0", [tape.grad[y]], role="gradient", mirrors=tape.grad[y])
    b.node("AddBackward0", [inner], role="gradient")
    b.node("Loose", role="gradient")
    b.node("norm", [tape.grad[x]], variable="n", shape=())
    return b


def second_order_tf1() -> TraceBuilder:
    """``tf.gradients`` of ``tf.gradients``: the placeholder gets a gradient too, which stands inside the wall."""
    b = TraceBuilder("static")
    x = b.node("Placeholder", role="input", name="x", variable="x", shape=())
    square = b.node("Mul", [x, x], name="square", variable="y", shape=())

    def gradient(inputs: Sequence[int], mirrors: int, name: str, label: str = "Mul") -> int:
        return b.node(label, inputs, role="gradient", mirrors=mirrors, name=name, shape=())

    seed = gradient([], square, "seed", "Const")
    left, right = gradient([seed, x], square, "left"), gradient([seed, x], square, "right")
    slope = gradient([left, right], x, "slope", "AddV2")
    again = gradient([], slope, "seed_1", "Const")
    parts = [gradient([again, seed], of, f"curved_{i}") for i, of in enumerate((left, right))]
    curve = gradient(parts, x, "curve", "AddV2")
    b.event("run", plan=0, run=0, fetches=b.listed([slope, curve]), feeds=b.listed([x]))
    return b


def initial_values() -> TraceBuilder:
    """Variables that begin with what ops compute, with and without an op that initialises them."""
    b = TraceBuilder("static")
    assigns = []
    for name in ("a", "b"):
        noise = b.node("RandomStandardNormal", name=f"{name}/noise")
        start = b.node("Mul", [noise, b.node("Const", role="constant", shape=())], name=f"{name}/start")
        variable = b.node("VariableV2", role="variable", name=name, variable=name)
        assigns.append(b.node("Assign", [variable, start], role="update", serves=variable))
    loose = b.node("VariableV2", role="variable", name="c", variable="c")
    b.node("Assign", [loose, b.node("Const", role="constant", name="c/start")], role="update", serves=loose)
    b.node("NoOp", control=assigns, role="control", name="init", shape=None)
    return b


def gradients_only() -> TraceBuilder:
    """Nothing forward to mirror: laid out as it is."""
    b = TraceBuilder()
    a = b.node("A", role="gradient")
    c = b.node("C", [b.node("B", [a], role="gradient")], role="gradient")
    b.node("D", [a, c], role="gradient")
    return b


def hostile() -> TraceBuilder:
    b = TraceBuilder()
    tape = Tape(b)
    x = tape.data('"]; } digraph { x -> y [label=<&>')
    w = tape.parameter("w\n\\N\x00" + "'" * 40)
    h = tape.op("a" * 10_000, [x, w], "i", shape=(10**12,) * 40, variable="<script>")
    tape.op("\\n\\l%s{|}<&>\u202e\ud800", [h], shape=None)
    return b


PROGRAMS: dict[str, Callable[[], TraceBuilder]] = {
    "empty": TraceBuilder,
    "empty_static": lambda: TraceBuilder("static"),
    "two_branches_static": lambda: two_branches("static"),
    **{
        make.__name__: make
        for make in (
            single, linear_torch, linear_tf1, while_chain, xor_torch, rnn, two_branches, two_losses, residual,
            second_order, second_order_tf1, gradients_only, initial_values, hostile,
        )
    },
}  # fmt: skip


@pytest.fixture(params=sorted(PROGRAMS))
def program(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The trace of each program in turn."""
    return PROGRAMS[request.param]().trace()


@pytest.fixture
def programs() -> dict[str, Callable[[], TraceBuilder]]:
    """All programs by name."""
    return PROGRAMS


@pytest.fixture
def builder() -> type[TraceBuilder]:
    return TraceBuilder


Box = tuple[float, float, float, float]


class Geometry:
    """What the tests measure."""

    @staticmethod
    def boxes(graph: dict[str, Any]) -> dict[int, Box]:
        s = graph["slots"]
        return dict(zip(s["slot"], zip(s["x"], s["y"], s["width"], s["height"], strict=True), strict=True))

    @staticmethod
    def overlap(a: Box, b: Box, above: float = 0, below: float = 0) -> bool:
        across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
        along = min(a[1] + a[3] + below, b[1] + b[3] + below) - max(a[1] - above, b[1] - above)
        return across > 0.01 and along > 0.01

    @staticmethod
    def passes(line: list[Place], box: Box) -> bool:
        """Whether a polyline enters the inside of a box (its border does not count)."""
        left, top, right, bottom = box[0] + 0.5, box[1] + 0.5, box[0] + box[2] - 0.5, box[1] + box[3] - 0.5
        for (x1, y1), (x2, y2) in pairwise(line):
            low, high = 0.0, 1.0
            for start, delta, least, most in ((x1, x2 - x1, left, right), (y1, y2 - y1, top, bottom)):
                if delta == 0:
                    if not least < start < most:
                        low, high = 1.0, 0.0
                    continue
                a, b = sorted(((least - start) / delta, (most - start) / delta))
                low, high = max(low, a), min(high, b)
            if low < high:
                return True
        return False


@pytest.fixture
def geometry() -> type[Geometry]:
    return Geometry
