"""What a listener hears of a dynamic program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.dynamic import Tensor, backward, modes
from engine.dynamic.inplace import write
from engine.dynamic.tensor import Number
from engine.errors import ShapeError


def leaf(values: Any) -> Tensor:
    tensor = Tensor(np.array(values, np.float32))
    tensor._requires_grad = True
    return tensor


def test_an_op_joins_runs_and_is_taped(ops: Any, log: Any) -> None:
    x, w = Tensor(np.ones((2, 3), np.float32)), leaf(np.ones((3, 1)))
    out = ops.matmul(x, w)
    assert log.names() == [
        "graph_created", "node_created", "variable_written", "node_created", "variable_written",
        "node_created", "op_ran", "node_created", "node_created",
    ]  # fmt: skip
    data, weight, op, accumulate, gradient = log.named("node_created")
    assert data[1]["role"] == "input"
    assert weight[1]["role"] == "variable"
    assert op[0][2] == [(x._node, 0), (w._node, 0)]
    assert op[0][3].shape == (2, 1)
    assert accumulate[1]["mirrors"] == w._node
    assert gradient[1]["mirrors"] == out._node
    assert gradient[1]["saved"] == [x._node], "only x is needed for the gradient of w"
    assert gradient[1]["attributes"]["next"] == (-1, 3)
    (ran, where) = log.named("op_ran")[0]
    assert ran[0] == out._node
    assert ran[2] <= ran[3]
    assert where["version"] == 0


def test_backward_is_told_node_by_node(ops: Any, facade: Any, log: Any) -> None:
    w = leaf([1.0, 2.0])
    loss = ops.sum(ops.mul(ops.exp(w), 3.0))
    backward(facade, [loss], [Tensor(np.array(1, np.float32))])
    after = log.names()[log.names().index("backward_started") :]
    assert after == [
        "backward_started", "gradient_ran", "gradient_ran", "gradient_ran", "gradient_accumulated", "graph_freed",
        "backward_ended",
    ]  # fmt: skip
    sent = log.named("gradient_ran")[1][0][1]
    assert len(sent) == 1, "a Python number is no input of the op"
    np.testing.assert_array_equal(sent[0], [3.0, 3.0])
    value, existed = log.named("gradient_accumulated")[0][0][1:3]
    np.testing.assert_allclose(value, 3 * np.exp([1.0, 2.0]), rtol=1e-6)
    assert existed is False
    freed = log.named("graph_freed")[0][0][0]
    assert len(freed) == 2


def test_writes_are_told(ops: Any, facade: Any, log: Any) -> None:
    w = leaf([1.0, 2.0])
    with modes.grad_mode(False):
        write(facade.primitive("sub"), (w, Number(0.5)))
    node, written = log.named("node_created")[-1], log.named("variable_written")[-1]
    assert node[1]["role"] == "update"
    assert written[0][0] == w._node
    assert written[0][2] == "in-place"
    assert written[1]["version"] == 1
    y = ops.mul(w, 2.0)
    before = y._node
    write(facade.primitive("add"), (y, Number(1.0)))
    assert y._node != before, "a write that is on the tape makes a new value of the graph"


def test_a_failing_op_is_told(ops: Any, log: Any) -> None:
    with pytest.raises(ShapeError):
        ops.matmul(Tensor(np.ones((2, 3))), Tensor(np.ones((2, 3))))
    node, failed = log.named("node_created")[-1], log.named("op_failed")[-1]
    assert node[0][3] is None
    assert failed[0][0] == log.count - 1
    assert isinstance(failed[0][1], ShapeError)


def test_views_share_a_storage_number(ops: Any, log: Any) -> None:
    x = Tensor(np.arange(6.0))
    ops.reshape(x, shape=(2, 3))
    ops.mul(x, 2.0)
    view, product = (options["storage"] for _, options in log.named("op_ran"))
    assert view == log.named("variable_written")[0][1]["storage"]
    assert product != view
