"""The native API in static mode: functions on nodes, graphs, sessions, gradients, errors with lines."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import engine


def here() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_functions_add_nodes() -> None:
    g = engine.Graph()
    x = g.placeholder((None, 2), name="x")
    y = engine.softmax(engine.matmul(x, [[1.0, 2.0], [3.0, 4.0]]), axis=-1)
    z = engine.concat([y, x], axis=1)
    assert isinstance(z, engine.Node)
    assert z.shape == (None, 4)
    found = engine.Session(g).run(z, {x: [[1, 0]]})
    np.testing.assert_allclose(found[0, :2], np.exp([1, 2]) / np.exp([1, 2]).sum(), rtol=1e-6)
    assert g.ops.full((2,), 3.0).shape == (2,)
    assert "relu" in dir(g.ops)
    with pytest.raises(AttributeError, match="no op 'rellu'"):
        _ = g.ops.rellu


def test_training_step_equals_the_dynamic_one() -> None:
    rng = np.random.default_rng(0)
    data, first = rng.standard_normal((8, 3), np.float32), rng.standard_normal((3, 1), np.float32)
    g = engine.Graph()
    x, w = g.placeholder((None, 3), name="x"), g.variable(first, name="w")
    loss = engine.mean(engine.square(engine.tanh(x @ w) - 0.5))
    (dw,) = engine.gradients(loss, [w])
    assert dw is not None
    train = g.group([g.assign_sub(w, dw * 0.1)])
    session = engine.Session(g)
    session.run(g.initializer())
    v = engine.tensor(first, requires_grad=True)
    for _ in range(5):
        static, _ = session.run([loss, train], {x: data})
        dynamic = engine.mean(engine.square(engine.tanh(engine.tensor(data) @ v) - 0.5))
        dynamic.backward()
        with engine.no_grad():
            v -= 0.1 * v.grad
            v.grad = None
        assert static == pytest.approx(dynamic.item(), rel=1e-6)
    np.testing.assert_allclose(session.value(w), v.detach().numpy(), rtol=1e-5)


def test_two_sessions_share_nothing() -> None:
    g = engine.Graph()
    w = g.variable(1.0)
    up, start = g.assign_add(w, 1.0), g.initializer()
    one, two = engine.Session(g), engine.Session(g)
    one.run(start)
    two.run(start)
    assert (one.run(up), one.run(up), two.run(up)) == (2.0, 3.0, 2.0)


def test_build_errors_name_types_line_and_fix() -> None:
    g = engine.Graph()
    x = g.placeholder((None, 3), name="x")
    line = here() + 2
    with pytest.raises(engine.ShapeError) as caught:
        engine.matmul(x, [[1.0, 2.0]])
    for word in ("matmul", "x: float32 (?, 3)", "float32 (1, 2)", "must be equal", f"line {line}", __file__):
        assert word in str(caught.value)


def test_run_errors_name_the_node_and_its_line() -> None:
    g = engine.Graph()
    line = here() + 1
    x = g.placeholder((None,), name="x")
    w = g.variable([1.0], name="w")
    session = engine.Session(g)
    with pytest.raises(engine.FeedError, match=rf"'x'.*feed it.*float32 \(\?,\), made at .*line {line}\b"):
        session.run(x * 2.0)
    with pytest.raises(engine.StateError, match=rf"'w'.*initializer.*float32 \(1,\), made at .*line {line + 1}\b"):
        session.run(w * 2.0)
    with pytest.raises(engine.FeedError, match=rf"'x' has shape \(\?,\), a value of shape \(1, 1\).*line {line}\b"):
        session.run(x * 2.0, {x: [[1.0]]})
    with pytest.raises(engine.FeedError, match=rf"'x' takes float32 values.*made at .*line {line}\b"):
        session.run(x * 2.0, {x: "text"})


def test_tensors_and_nodes_do_not_mix() -> None:
    g = engine.Graph()
    x = g.placeholder((2,), name="x")
    with pytest.raises(engine.GraphError, match=r"add: .*node.*tensor of float32 \(2,\).*placeholder"):
        engine.add(x, engine.tensor([1.0, 2.0]))
    with pytest.raises(engine.GraphError, match="another graph"):
        engine.add(x, engine.Graph().placeholder((2,)))
    g.finalize()
    with pytest.raises(engine.GraphError, match="finalized"):
        engine.relu(x)


def test_a_failed_run_changes_nothing() -> None:
    g = engine.Graph()
    x = g.placeholder(None, "int32", name="x")
    w = g.variable([1.0, 2.0])
    up = g.assign_add(w, [1.0, 1.0])
    with g.control_dependencies([up]):
        taken = engine.take(g.constant([1.0, 2.0]), x)
    session = engine.Session(g)
    session.run(g.initializer())
    for _ in range(2):
        with pytest.raises(engine.BoundsError, match=r"take.*made at .*test_native_static.py, line"):
            session.run(taken, {x: [7]})
        assert session.value(w).tolist() == [1.0, 2.0]
