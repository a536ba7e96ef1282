"""Graphs as JSON, checkpoints, frozen graphs: what comes back is what was saved, and bad files say what is wrong."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import GraphError, StateError
from engine.ops.indexing import Slice
from engine.static import Graph, Node, Session, gradients, serialise


def network() -> tuple[Graph, dict[str, Node]]:
    g = Graph("net")
    x = g.placeholder((None, 3), name="x")
    with g.scope("layer"):
        w = g.variable(np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2), name="w")
        y = g.apply("relu", g.apply("add", x @ w, np.array([0.5, -0.5], np.float32)), name="y")
    loss = g.apply("mean", g.apply("square", y), name="loss")
    (slope,) = gradients(loss, [w])
    assert slope is not None
    train = g.add("assign_sub", [w, g.apply("mul", slope, 0.1)], name="train", role="update")
    return g, {"x": x, "w": w, "y": y, "loss": loss, "train": train}


DATA = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_a_graph_comes_back_whole() -> None:
    g, _ = network()
    init = g.initializer()
    text = serialise.graph_to_json(g)
    again = serialise.graph_from_json(text)
    assert serialise.graph_to_json(again) == text
    assert [(n.name, n.op, n.label, n.role, n.type) for n in again.nodes] == [
        (n.name, n.op, n.label, n.role, n.type) for n in g.nodes
    ]
    assert [n.mirrors is not None and n.mirrors.name for n in again.nodes] == [
        n.mirrors is not None and n.mirrors.name for n in g.nodes
    ]
    results = []
    for graph in (g, again):
        session = Session(graph)
        session.run(graph.find(init.name))
        fetches = [graph.find("loss"), graph.find("train")]
        results.append([session.run(fetches, {graph.find("x"): DATA})[1].tolist() for _ in range(3)])
    assert results[0] == results[1]
    more = again.apply("neg", again.find("layer/y"))
    assert more.name == "neg"
    with again.scope("layer/"):
        assert again.apply("neg", more, name="y").name == "layer/y_1"


def test_the_text_can_be_read() -> None:
    g = Graph()
    g.apply("sum", g.constant([[1.5, np.inf]], name="c"), axis=(0, 1), name="s")
    c, s = json.loads(serialise.graph_to_json(g))["nodes"]
    assert c == {
        "name": "c", "op": "constant", "role": "constant", "type": {"dtype": "float32", "shape": [1, 2]},
        "attributes": {"value": {"array": {"dtype": "float32", "shape": [1, 2], "data": [1.5, "inf"]}}},
    }  # fmt: skip
    assert s["inputs"] == ["c"]
    assert s["attributes"] == {"axis": {"tuple": [0, 1]}, "keepdims": False}


VALUES: list[Any] = [
    np.array([1.1, -0.0, np.nan, 1e-45, np.inf], np.float32), np.array(3, np.int64), np.array([True, False]),
    np.array([1 + 2j, complex(np.nan, -np.inf)]), np.array([b"caf\xc3\xa9", b""], object),
    np.array([2**63 - 1, -(2**63)]),
    np.zeros((0, 3), np.float16), np.array([255], np.uint8), np.float64(0.1) * np.ones(()),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{v.dtype}{v.shape}")
def test_constants_keep_every_bit(value: np.ndarray) -> None:
    g = Graph()
    g.constant(value, value.dtype, name="c")
    found = serialise.graph_from_json(serialise.graph_to_json(g)).find("c").attributes["value"]
    assert (found.dtype, found.shape) == (value.dtype, value.shape)
    assert found.tolist() == value.tolist() if value.dtype == object else found.tobytes() == value.tobytes()


def test_attributes_of_every_form() -> None:
    g = Graph()
    x = g.placeholder((4, 5), name="x")
    y = g.apply("getitem", x, index=(Slice(1, None, 2), Ellipsis, None, 0), name="y")
    z = g.apply("cast", g.apply("clip", y, low=-1.5, high=None), dtype=np.dtype("float64"), name="z")
    again = serialise.graph_from_json(serialise.graph_to_json(g))
    assert again.find("y").attributes == y.attributes
    assert again.find("z").attributes == z.attributes
    data = np.arange(20.0).reshape(4, 5)
    a, b = (Session(h).run(h.find("z"), {h.find("x"): data}) for h in (g, again))
    np.testing.assert_array_equal(a, b)


def test_decisions_and_loops_come_back() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    two = g.while_loop(lambda v: g.apply("less", v, 100.0), lambda v: (g.apply("add", v, 30.0),), [x])
    two = two[0] if isinstance(two, list | tuple) else two
    y = g.cond(g.apply("greater", x, 5.0), lambda: g.apply("neg", two), lambda: g.apply("exp", x))
    g.apply("identity", y, name="out")
    again = serialise.graph_from_json(serialise.graph_to_json(g))
    for value in (7.0, 0.0):
        a, b = (Session(h).run(h.find("out"), {h.find("x"): value}) for h in (g, again))
        assert a == b
    (slope,) = gradients(again.find("out"), [again.find("x")])
    assert Session(again).run(slope, {again.find("x"): 0.0}) == 1


def test_a_stream_of_a_dialect_cannot_be_written() -> None:
    class Stream:
        def uniform(self, shape: Any, dtype: Any) -> Any:
            return np.zeros(shape, dtype)

    g = Graph()
    g.apply("random_uniform", shape=(2,), generator=Stream(), name="r")
    with pytest.raises(GraphError, match="'r', generator: a Stream cannot be written down"):
        serialise.graph_to_json(g)


def broken(change: Any) -> str:
    g = Graph()
    g.apply("neg", g.placeholder((2,), name="x"), name="y")
    document = json.loads(serialise.graph_to_json(g))
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="other"), "this is no graph"),
        (lambda d: d.update(version=2), "has version 2; this engine reads version 1"),
        (lambda d: d["nodes"][1].update(op="explode"), "'y' is of the op 'explode', which this engine does not have"),
        (lambda d: d["nodes"][1].update(op="fused"), "does not have"),
        (lambda d: d["nodes"][1].update(inputs=["z"]), "'y' reads 'z', which does not come before it"),
        (lambda d: d["nodes"][1].update(inputs=[]), "'y' cannot be of type"),
        (lambda d: d["nodes"][1].update(name="x"), "'x' is no name for a node here"),
        (lambda d: d["nodes"][1].update(name=""), "'' is no name"),
        (lambda d: d["nodes"][1].update(type={"dtype": "int32", "shape": [2]}), "gives float32"),
        (lambda d: d["nodes"][0].update(type={"dtype": "float32", "shape": [-2]}), "no tensor type"),
        (lambda d: d["nodes"][0].update(type={"dtype": "V8", "shape": []}), "no tensor type"),
        (lambda d: d["nodes"][1].update(role="boss"), "unknown role 'boss'"),
        (lambda d: d["nodes"][1].update(attributes={"a": {"eval": "1"}}), "is no attribute value"),
        (lambda d: d.pop("nodes"), "cannot be read: KeyError"),
        (lambda d: d.update(nodes=3), "cannot be read: TypeError"),
        (lambda d: d["collections"].update(variables=["q"]), "no node 'q'"),
    ],
)
def test_broken_graphs_say_what_is_wrong(change: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        serialise.graph_from_json(broken(change))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000])
def test_no_json(text: str) -> None:
    with pytest.raises(GraphError, match=r"this is no (JSON|graph)"):
        serialise.graph_from_json(text)


# -- checkpoints ------------------------------------------------------------------------------------------------------
def test_a_checkpoint_needs_no_initializer(tmp_path: Path) -> None:
    g, k = network()
    session = Session(g)
    session.run(g.initializer())
    session.run(k["train"], {k["x"]: DATA})
    path = tmp_path / "step-1"
    assert serialise.save(session, path) == ["layer/w"]
    other = Session(g)
    with pytest.raises(StateError):
        other.run(k["w"])
    assert serialise.restore(other, path) == ["layer/w"]
    np.testing.assert_array_equal(other.run(k["w"]), session.run(k["w"]))
    with np.load(path) as plain:
        np.testing.assert_array_equal(plain["layer/w"], session.run(k["w"]))


def test_variables_may_go_by_other_names_and_be_chosen() -> None:
    g = Graph()
    a, b = g.variable([1.0, 2.0], name="file"), g.variable([0.0, 0.0], name="b")
    session = Session(g)
    session.run(g.initializer())
    file = io.BytesIO()
    assert serialise.save(session, file, [a]) == ["file"]
    file.seek(0)
    assert serialise.restore(session, file, {"file": b}) == ["file"]
    assert session.run(b).tolist() == [1, 2]


def test_a_checkpoint_that_does_not_fit_changes_nothing() -> None:
    g = Graph()
    a, b = g.variable([1.0, 2.0], name="a"), g.variable([[3.0]], name="b")
    session = Session(g)
    session.run(g.initializer())
    for values, error, message in (
        ({"a": np.zeros(2, np.float32)}, StateError, "Key b not found in checkpoint; it has a"),
        ({"a": np.zeros(2, np.float32), "b": np.zeros(1, np.float32)}, GraphError, "they must be equal"),
        ({"a": np.zeros(2, np.float32), "b": np.zeros((1, 1))}, GraphError, "float64"),
    ):
        file = io.BytesIO()
        np.savez(file, **values)
        file.seek(0)
        with pytest.raises(error, match=message):
            serialise.restore(session, file)
        assert session.run([a, b])[0].tolist() == [1, 2]
    with pytest.raises(StateError, match="no value"):
        serialise.save(Session(g), io.BytesIO())


def test_files_that_are_no_checkpoints_run_nothing() -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return (pytest.fail, ("unpickled",))

    objects = io.BytesIO()
    np.savez(objects, a=np.array([Bomb()], object))
    single = io.BytesIO()
    np.save(single, np.zeros(2))
    for content in (
        b"",
        b"nonsense",
        pickle.dumps(Bomb()),
        objects.getvalue(),
        single.getvalue(),
        objects.getvalue()[:40],
    ):
        with pytest.raises(GraphError, match="checkpoint"):
            serialise.values_in(io.BytesIO(content))


# -- frozen -----------------------------------------------------------------------------------------------------------
def test_a_frozen_graph_needs_no_session_state() -> None:
    g, k = network()
    session = Session(g)
    session.run(g.initializer())
    session.run(k["train"], {k["x"]: DATA})
    frozen = serialise.freeze(session, [k["y"]])
    assert {n.op for n in frozen.nodes} == {"placeholder", "constant", "matmul", "add", "relu"}
    y, x = frozen.find("layer/y"), frozen.find("x")
    expected = session.run(k["y"], {k["x"]: DATA})
    session.run(k["train"], {k["x"]: DATA})
    np.testing.assert_array_equal(Session(frozen).run(y, {x: DATA}), expected)
    text = serialise.graph_to_json(frozen)
    back = serialise.graph_from_json(text)
    np.testing.assert_array_equal(Session(back).run(back.find("layer/y"), {back.find("x"): DATA}), expected)


def test_what_cannot_be_frozen() -> None:
    g, k = network()
    session = Session(g)
    with pytest.raises(StateError, match="no value"):
        serialise.freeze(session, [k["y"]])
    session.run(g.initializer())
    with pytest.raises(GraphError, match="'train' writes a variable"):
        serialise.freeze(session, [k["train"]])
    with pytest.raises(GraphError, match="another graph"):
        serialise.freeze(session, [Graph().constant(1.0)])
