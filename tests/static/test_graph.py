"""Building graphs: names, scopes, control dependencies, errors that speak at build time."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import DtypeError, GraphError, ShapeError
from engine.static import Graph


def test_names_are_unique_whatever_their_case() -> None:
    g = Graph()
    names = [g.constant(1.0, name=name).name for name in ("c", "c", "c_1", "C", "c")]
    assert names == ["c", "c_1", "c_1_1", "C_2", "c_3"]


def test_scopes_nest_repeat_and_reenter() -> None:
    g = Graph()
    with g.scope("layer") as first:
        assert first == "layer/"
        with g.scope("inner") as inner:
            assert inner == "layer/inner/"
            assert g.constant(0.0, name="a").name == "layer/inner/a"
    with g.scope("layer") as second:
        assert second == "layer_1/"
    with g.scope(first):
        assert g.constant(0.0, name="b").name == "layer/b"
        with g.scope(None):
            assert g.constant(0.0, name="top").name == "top"


def test_version_is_the_number_of_nodes() -> None:
    g = Graph()
    assert g.version == 0
    x = g.placeholder((2,))
    _ = x + x
    assert g.version == 2


def test_numbers_become_constants_of_the_fitting_dtype_and_serve_their_op() -> None:
    g = Graph()
    x = g.placeholder((2,), "float64")
    y = x * 3
    constant = y.inputs[1][0]
    assert constant.op == "constant"
    assert constant.type is not None
    assert constant.type.dtype == np.float64
    assert constant.serves is y


def test_operands_are_cast_as_the_op_promotes_them() -> None:
    g = Graph()
    x, n = g.placeholder((2,), "float32"), g.placeholder((2,), "int64")
    y = x + n
    assert y.type is not None
    assert y.type.dtype == np.float32
    assert y.inputs[1][0].op == "cast"


def test_a_constant_is_a_copy() -> None:
    g = Graph()
    value = np.ones(2, np.float32)
    c = g.constant(value)
    value[:] = 5
    assert c.attributes["value"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="read-only"):
        c.attributes["value"][0] = 2


def test_shapes_that_cannot_go_together_are_refused_when_built() -> None:
    g = Graph()
    x, w = g.placeholder((None, 3), name="x"), g.constant(np.ones((4, 2), np.float32), name="w")
    with pytest.raises(
        ShapeError, match=r"cannot build node 'matmul' \(matmul\) from x \(None, 3\), w \(4, 2\)"
    ) as caught:
        _ = x @ w
    assert caught.value.op == "matmul"
    assert caught.value.shapes == ((None, 3), (4, 2))
    assert [node.name for node in g.nodes] == ["x", "w"]


def test_dtypes_that_cannot_go_together_are_refused_when_built() -> None:
    g = Graph()
    n = g.constant([True, False])
    with pytest.raises(DtypeError, match="'sub'"):
        _ = n - n


def test_unknown_ops_attributes_and_operands() -> None:
    g = Graph()
    x = g.placeholder((2,))
    with pytest.raises(GraphError, match="no op 'frobnicate'"):
        g.apply("frobnicate", x)
    with pytest.raises(TypeError, match="colour"):
        g.apply("sum", x, colour=3)
    with pytest.raises(TypeError):
        g.apply("add", x)


def test_nodes_of_another_graph_are_refused() -> None:
    g, other = Graph(), Graph()
    x, y = g.placeholder((2,), name="x"), other.placeholder((2,), name="y")
    with pytest.raises(GraphError, match="'y' belongs to another graph"):
        _ = x + y
    with pytest.raises(GraphError, match="another graph"), g.control_dependencies([y]):
        _ = x + x


def test_a_finalized_graph_takes_no_more_nodes() -> None:
    g = Graph()
    x = g.placeholder((2,))
    g.finalize()
    with pytest.raises(GraphError, match="finalized"):
        _ = x + x
    assert g.version == 1


def test_a_node_is_neither_true_nor_false() -> None:
    x = Graph().placeholder((), name="flag")
    with pytest.raises(TypeError, match="'flag' has no value while the graph is built"):
        bool(x)


def test_control_dependencies_skip_what_already_waits() -> None:
    g = Graph()
    a, b = g.add("no_op", name="a"), g.add("no_op", name="b")
    with g.control_dependencies([a]):
        x = g.constant(1.0)
        y = g.apply("neg", x)
        with g.control_dependencies([b]):
            z = g.apply("neg", y)
        with g.control_dependencies(None):
            free = g.constant(2.0)
    assert x.control == (a,)
    assert y.control == ()
    assert z.control == (b,)
    assert free.control == ()


def test_nodes_are_found_by_name() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    assert g.find("x") is x
    with pytest.raises(GraphError, match="no node 'y'"):
        g.find("y")
