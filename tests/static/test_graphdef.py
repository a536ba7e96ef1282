"""GraphDefs: those that TensorFlow 2.21 wrote run here with its values, ours come back, broken ones say what is wrong.

The fixtures are graphs of ``tf.compat.v1`` as ``graph.as_graph_def()`` gives them, beside inputs and what its session
computed (``.npz``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.adapters import graphdef
from engine.adapters.graphdef_messages import tensor_message
from engine.adapters.graphdef_schema import GraphDef, TensorProto
from engine.adapters.graphdef_values import tensor_of
from engine.errors import GraphError
from engine.ops import TABLE
from engine.static import Graph, Session, gradients

FIXTURES = Path(__file__).parent / "fixtures"


def values(name: str) -> dict[str, np.ndarray]:
    with np.load(FIXTURES / name) as found:
        return {key: found[key] for key in found.files}


def test_a_network_of_tensorflow_has_its_values() -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_network.pb").read_bytes())
    wanted = values("tensorflow_network.npz")
    x = wanted.pop("x")
    found = Session(g).run({name: g.find(name) for name in wanted}, {g.find("x"): x})
    for name, value in wanted.items():
        assert found[name].dtype == value.dtype, name
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6, err_msg=name)
    assert g.find("dense/h").label == "Relu"


@pytest.mark.parametrize("name", ["training", "regression", "convolution", "recurrent"])
def test_gradient_graphs_of_tensorflow_have_its_values(name: str) -> None:
    """A classifier, a regression (unknown batch: sizes are operands), a convolution, a frozen recurrent network."""
    g = graphdef.loads((FIXTURES / f"tensorflow_{name}.pb").read_bytes())
    given = values(f"tensorflow_{name}.npz")
    feeds = {g.find(key[3:]): value for key, value in given.items() if key.startswith("in:")}
    wanted = {key[4:]: value for key, value in given.items() if key.startswith("out:")}
    session = Session(g)
    start = g.by_name("init")
    if start is not None:
        session.run(start)
    for _ in range(2):  # node by node, then as a plan
        found = session.run({key: g.find(key) for key in wanted}, feeds)
        for key, value in wanted.items():
            assert found[key].dtype == value.dtype, key
            np.testing.assert_allclose(found[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


def test_a_training_step_of_tensorflow_trains() -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_training.pb").read_bytes())
    given = values("tensorflow_training.npz")
    feeds = {g.find(key[3:]): value for key, value in given.items() if key.startswith("in:")}
    session = Session(g)
    session.run(g.find("init"))
    session.run(g.find("step"), feeds)
    before = next(node for node in g.nodes if node.label == "Const" and node.name == "w/initial_value")
    slope = given["out:" + next(key[4:] for key in given if key.startswith("out:gradients_1/MatMul_grad/MatMul_1"))]
    np.testing.assert_allclose(
        session.value(g.find("w")), before.attributes["value"] - 0.1 * slope, rtol=1e-5, atol=1e-6
    )


def test_variables_and_order_of_tensorflow() -> None:
    g = graphdef.loads_text((FIXTURES / "tensorflow_variable.pbtxt").read_text())
    wanted = values("tensorflow_variable.npz")
    session = Session(g)
    session.run(g.find("init"))
    feeds = {g.find("x"): wanted["x"]}
    np.testing.assert_allclose(session.run(g.find("y"), feeds), wanted["y"], rtol=1e-6)
    np.testing.assert_allclose(session.run(g.find("after"), feeds), wanted["after"], rtol=1e-6)
    assert [v.name for v in g.collections["variables"]] == ["w"]


def test_resource_variables() -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_resource.pb").read_bytes())
    wanted = values("tensorflow_resource.npz")
    session = Session(g)
    session.run(g.find("init"))
    np.testing.assert_allclose(session.run(g.find("y"), {g.find("x"): wanted["x"]}), wanted["y"], rtol=1e-6)


@pytest.mark.parametrize("name", ["tensorflow_network.pb", "tensorflow_resource.pb"])
def test_what_was_read_can_be_written(name: str) -> None:
    g = graphdef.loads((FIXTURES / name).read_bytes())
    once = graphdef.dumps(g)
    assert graphdef.dumps(graphdef.loads(once)) == once
    message = GraphDef.FromString(once)
    assert {node.name for node in g.nodes} <= {node.name for node in message.node}
    text = graphdef.dumps_text(g)
    assert graphdef.dumps(graphdef.loads_text(text)) == graphdef.dumps(graphdef.loads(once))


def build_everything() -> Graph:
    g = Graph()
    x = g.placeholder((None, 4), name="x")
    w = g.variable(np.linspace(-1, 1, 8, dtype=np.float32).reshape(4, 2), name="w")
    h = g.apply("relu", x @ w + 0.5, name="h")
    parts = [
        g.apply("softmax", h), g.apply("log_softmax", h), g.apply("clip", h, low=-0.5, high=0.75),
        g.apply("transpose", g.apply("transpose", h)), g.apply("squeeze", g.apply("expand_dims", h, 0), 0),
        g.apply("reshape", g.apply("reshape", h, (-1,)), (-1, 2)),
        g.apply("cast", g.apply("cast", h, np.dtype("f8")), np.dtype("f4")),
        g.apply("where", g.apply("greater", h, 0.6), h, g.apply("neg", h)), g.apply("add_n", h, h, h),
        g.apply("take", g.apply("pad", h, widths=((0, 0), (1, 1)), value=2.0), np.array([0, 2], np.int32), axis=1),
    ]  # fmt: skip
    joined = g.apply("concat", *parts, axis=1, name="joined")
    stacked = g.apply("stack", joined, g.apply("exp", joined), axis=0)
    g.apply("matmul", stacked, stacked, transpose_b=True, name="batch")
    g.apply("mse_loss", joined, g.apply("zeros_like", joined), name="loss")
    g.apply("all", g.apply("isfinite", joined), axis=None, name="fine")
    g.apply("argmax", joined, axis=1, name="best")
    g.apply("mean", g.apply("tile", joined, repeats=(1, 2)), axis=(0,), keepdims=True, name="average")
    with g.control_dependencies([g.find("loss")]):
        g.add("assign_sub", [w, g.apply("mul", w, 0.5)], name="step", role="update")
    g.initializer()
    return g


FETCHES = ("batch", "loss", "fine", "best", "average")


@pytest.mark.parametrize("text", [False, True])
def test_ours_come_back(text: bool) -> None:
    g = build_everything()
    again = graphdef.loads_text(graphdef.dumps_text(g)) if text else graphdef.loads(graphdef.dumps(g))
    data = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
    results = []
    for graph in (g, again):
        session = Session(graph)
        session.run(graph.find("init"))
        feeds = {graph.find("x"): data}
        first = session.run([graph.find(name) for name in FETCHES], feeds)
        results.append([*first, session.run(graph.find("step"), feeds), session.value(graph.find("w"))])
    for mine, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-6)


def test_every_op_said_to_be_known_exists() -> None:
    assert set(TABLE) >= graphdef.WRITTEN
    from engine.adapters import graphdef_ops as ops

    assert set(TABLE) >= {*ops.SAME.values(), *ops.ALSO.values()}
    assert len(graphdef.READ) > 90


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, -2.5], np.float16), np.array([[1, 2], [3, 4]], np.int64), np.array([True, False]),
        np.array(3.5, np.float64), np.array([1 + 2j], np.complex64), np.array([b"a", b"\xff"], object),
        np.zeros((0, 2), np.float32), np.array([200], np.uint8),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)  # fmt: skip
def test_tensors_keep_every_bit(array: np.ndarray) -> None:
    found = tensor_of(tensor_message(array), "here")
    assert (found.dtype, found.shape, found.tolist()) == (array.dtype, array.shape, array.tolist())


def test_short_tensors_repeat_their_last_value() -> None:
    message = TensorProto(dtype=1, float_val=[1.0, 2.0])
    message.tensor_shape.dim.add(size=4)
    assert tensor_of(message, "here").tolist() == [1, 2, 2, 2]
    half = TensorProto(dtype=19, half_val=[0x3C00])
    half.tensor_shape.dim.add(size=2)
    assert tensor_of(half, "here").tolist() == [1, 1]


def message_of(*rows: tuple[str, str, list[str]]) -> Any:
    message = GraphDef()
    for name, op, reads in rows:
        message.node.add(name=name, op=op).input.extend(reads)
    return message


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (message_of(("a", "Explode", [])), "node 'a' is of the op 'Explode', which this engine does not have"),
        (message_of(("a", "NoOp", []), ("a", "NoOp", [])), "two nodes of this GraphDef have the same name"),
        (message_of(("a", "Neg", ["b"])), "node 'a' reads 'b', which is not in this GraphDef"),
        (message_of(("a", "Neg", ["b"]), ("b", "Neg", ["a"])), r"node 'a' \(Neg\) is in a cycle"),
        (message_of(("a", "NoOp", []), ("b", "Neg", ["a:1"])), "it reads 'a:1': this engine's ops have one result"),
        (message_of(("a", "NoOp", []), ("b", "Neg", ["a"])), "node 'b'"),
        (message_of(("a", "Placeholder", [])), "the attribute 'dtype' is missing"),
        (message_of(("", "NoOp", [])), "'' is no name for a node"),
        (message_of(("a", "Neg", [])), r"node 'a' \(Neg\)"),
        (message_of(), "without nodes"),
    ],
)
def test_broken_graphdefs_say_what_is_wrong(message: Any, error: str) -> None:
    with pytest.raises(GraphError, match=error):
        graphdef.loads(message.SerializeToString())


def test_hostile_tensors_take_no_memory() -> None:
    message = message_of(("a", "Const", []))
    tensor = message.node[0].attr["value"].tensor
    tensor.dtype = 1
    for _ in range(3):
        tensor.tensor_shape.dim.add(size=1 << 40)
    with pytest.raises(GraphError, match="is too large"):
        graphdef.loads(message.SerializeToString())
    tensor.ClearField("tensor_shape")
    tensor.tensor_content = b"abc"
    with pytest.raises(GraphError, match="3 bytes are not 1 values of float32"):
        graphdef.loads(message.SerializeToString())


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x0a\xff\xff", b"\xff" * 50])
def test_no_graphdef(data: bytes) -> None:
    with pytest.raises(GraphError, match="this is no GraphDef"):
        graphdef.loads(data)
    with pytest.raises(GraphError, match="this is no GraphDef"):
        graphdef.loads_text(data.decode("latin-1"))


@pytest.mark.parametrize(
    ("op", "attributes", "error"),
    [
        ("masked_select", {}, "node 'n': the op 'masked_select' has no form in a GraphDef"),
        ("softmax", {"axis": 0}, "over the last axis only"),
        ("mean", {"ddof": 1}, "a mean over n - 1"),
        ("elu", {"alpha": 2.0}, "alpha=2.0 has no form there"),
        ("clip", {"low": 0.0}, "clip is written with both bounds"),
    ],
)
def test_what_has_no_form_there(op: str, attributes: dict[str, Any], error: str) -> None:
    g = Graph()
    x = g.placeholder((2, 3))
    g.apply(op, *([x, x > 0.0] if op == "masked_select" else [x]), name="n", **attributes)
    with pytest.raises(GraphError, match=error):
        graphdef.dumps(g)


def test_names_that_may_not_be_there_are_changed() -> None:
    g = Graph()
    x = g.placeholder((), name="_x y")
    g.apply("neg", x, name="n@1")
    g.apply("neg", x, name="n 1")
    assert [node.name for node in GraphDef.FromString(graphdef.dumps(g)).node] == ["n_x_y", "n_1", "n_1_1"]


def train(loss: str, batch: int | None) -> tuple[Graph, dict[str, np.ndarray]]:
    """A network of two layers with its gradients and updates, and what is fed."""
    g, random = Graph(), np.random.default_rng(0)
    classes = loss == "cross_entropy"
    x = g.placeholder((batch, 5), name="x")
    t = g.placeholder((batch,) if classes else (batch, 3), "int64" if classes else "float32", name="t")
    shapes = {"w1": (5, 7), "b": (7,), "w2": (7, 3)}
    weights = [g.variable(random.normal(size=s).astype(np.float32), name=name) for name, s in shapes.items()]
    hidden = g.apply("tanh", x @ weights[0] + weights[1])
    total = g.apply(loss, hidden @ weights[2], t, name="loss")
    for variable, gradient in zip(weights, gradients(total, weights), strict=True):
        assert gradient is not None
        g.add("assign_sub", [variable, gradient * 0.1], role="update", name=f"step/{variable.name}")
    g.initializer()
    labels = random.integers(0, 3, 4) if classes else random.normal(size=(4, 3)).astype(np.float32)
    return g, {"x": random.normal(size=(4, 5)).astype(np.float32), "t": labels}


LOSSES = ["mse_loss", "cross_entropy", "l1_loss", "huber_loss", "binary_cross_entropy_with_logits"]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("batch", [None, 4])
def test_training_graphs_come_back(loss: str, batch: int | None) -> None:
    g, feeds = train(loss, batch)
    message = graphdef.dumps(g)
    for row in GraphDef.FromString(message).node:
        assert row.op in graphdef.READ, row.op
    again = graphdef.loads(message)
    found = []
    for graph in (g, again):
        session = Session(graph)
        session.run(graph.find("init"))
        given = {graph.find(name): value for name, value in feeds.items()}
        for _ in range(3):
            session.run([graph.find(f"step/{name}") for name in ("w1", "b", "w2")], given)
        found.append([session.value(graph.find(name)) for name in ("w1", "b", "w2")])
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)


def test_a_write_waits_for_what_reads_before_it() -> None:
    """TensorFlow keeps only the order that it is told."""
    g, _ = train("mse_loss", None)
    rows = {row.name: row for row in GraphDef.FromString(graphdef.dumps(g)).node}
    readers = {name for name, row in rows.items() if "w2" in row.input and not name.startswith(("step", "w2/"))}
    assert len(readers) == 2
    waited = set(rows["step/w2"].input)
    assert {f"^{name}" for name in readers} <= waited
