"""Symbolic capture: what is written down, surgery, regenerated source, graphs."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.bridges.capture import CaptureError, Entry, capture
from engine.errors import GraphError, StateError
from engine.tensor_type import TensorType

W = engine.tensor([[1.0, -1.0], [2.0, 0.5]], requires_grad=True)


def network(x, scale=2.0):
    hidden = engine.relu(x @ W) * scale
    return {"sum": hidden.sum(axis=1), "pair": (hidden[0], hidden.T)}


def test_a_captured_program_computes_what_the_function_does():
    x = engine.tensor([[1.0, 2.0], [-3.0, 4.0]])
    program = capture(network, x)
    wanted, got = network(x), program(x)
    for a, b in [(wanted["sum"], got["sum"]), *zip(wanted["pair"], got["pair"], strict=True)]:
        np.testing.assert_array_equal(a.detach().numpy(), b.detach().numpy())
    got["sum"].sum().backward()
    assert W.grad is not None
    W.grad = None


def test_entries_name_arguments_tensors_calls_and_the_output():
    program = capture(network, np.ones((2, 2), np.float32))
    assert [(e.kind, e.target) for e in program.entries] == [
        ("placeholder", "x"), ("get_attr", "tensor_0"), ("call", "matmul"), ("call", "relu"), ("call", "mul"),
        ("call", "sum"), ("call", "getitem"), ("call", "transpose"), ("output", "output"),
    ]  # fmt: skip
    assert program.tensors["tensor_0"] is W
    assert program.find("sum").type == TensorType(np.dtype("float32"), (2,))
    assert program.table().splitlines()[3].split() == ["call", "matmul", "matmul", "x,", "tensor_0"]


def test_the_source_can_be_read_and_run():
    program = capture(lambda x: engine.softmax(x * 3.0, axis=0)[1:])
    assert program.code.splitlines() == [
        "def forward(x):",
        "    mul = F.mul(x, 3.0)",
        "    softmax = F.softmax(mul, axis=0)",
        "    getitem = F.getitem(softmax, index=(Slice(1, None, None),))",
        "    return getitem",
    ]


def test_a_traceback_shows_the_generated_line():
    program = capture(lambda x: engine.matmul(x, W))
    with pytest.raises(engine.ShapeError) as error:
        program(engine.tensor([[1.0, 2.0, 3.0]]))
    assert any("captured program" in str(entry.path) for entry in error.traceback)


def test_an_argument_may_have_the_name_of_the_op_table():
    program = capture(lambda F, self: F * self)
    assert program(engine.tensor(3.0), engine.tensor(4.0)).item() == 12


def test_replace_insert_and_erase():
    program = capture(lambda x: engine.relu(x) + 1.0)
    relu = program.find("relu")
    tanh = program.insert("tanh", [program.find("x")], after=relu)
    assert program.replace(relu, tanh) == 1
    with pytest.raises(GraphError, match="'tanh' cannot be erased: add read it"):
        program.erase(tanh)
    program.erase(relu)
    program.lint()
    assert program(engine.tensor(0.5)).item() == pytest.approx(np.tanh(0.5) + 1)


def test_insert_by_default_before_the_output_and_dead_code():
    program = capture(lambda x: engine.exp(x))
    made = program.insert("sum", [program.find("exp")], axis=0)
    assert program.entries[-2] is made
    assert made.attributes == {"axis": 0, "keepdims": False}
    assert program.eliminate_dead_code() == 1
    assert [e.name for e in program.entries] == ["x", "exp", "output"]


def test_a_new_use_of_an_old_entry_does_not_read_itself():
    program = capture(lambda x: engine.exp(x))
    x = program.find("x")
    twice = program.insert("mul", [x, 2.0], after=x)
    program.replace(x, twice)
    assert program(engine.tensor(1.0)).item() == pytest.approx(np.exp(2.0))


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda p: p.entries.append(p.entries.pop(0)), "reads 'x', that comes later"),
        (lambda p: p.entries.insert(1, Entry("call", "x", "relu", (p.find("x"),))), "two entries are called 'x'"),
        (
            lambda p: p.entries.insert(1, Entry("call", "new", "relu", (p.find("exp"),))),
            "reads 'exp', that comes later",
        ),
        (lambda p: p.entries.insert(1, Entry("call", "new", "nothing", ())), "'nothing', which is no op"),
        (
            lambda p: p.entries.insert(1, Entry("call", "n", "relu", (Entry("call", "y", "exp"),))),
            "not in this program",
        ),
        (lambda p: p.entries.insert(1, Entry("get_attr", "new", "lost")), "the tensor 'lost'"),
        (lambda p: p.entries.pop(), None),
    ],
)
def test_lint_finds_what_cannot_run(break_it, words):
    program = capture(lambda x: engine.exp(x))
    break_it(program)
    if words is None:
        with pytest.raises(GraphError, match="one output, at its end"):
            program.to_graph()
        return
    with pytest.raises(GraphError, match=words):
        program.lint()


def test_the_static_graph_computes_the_same():
    program = capture(network, np.ones((2, 2), np.float32))
    graph, (x,), result = program.to_graph(TensorType(np.dtype("float32"), (None, 2)))
    values = np.float32([[1, 2], [3, -4], [5, 6]])
    got = engine.Session(graph).run(result["sum"], {x: values})
    np.testing.assert_allclose(got, network(engine.tensor(values))["sum"].detach().numpy())


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x if x > 0 else -x, "symbolically traced variables cannot be used as inputs to control flow"),
        (lambda x: list(x), "iter of a proxy"),
        (lambda x: x.item(), "item of a proxy .* return the tensor"),
        (lambda x: x * float(x), "float of a proxy"),
        (lambda x: x * x.shape[0], "shape of a proxy .* give capture"),
        (lambda x: np.asarray(x), "numpy of a proxy"),
    ],
)
def test_values_are_refused_with_what_to_do(function, words):
    with pytest.raises(CaptureError, match=words):
        capture(function)


def test_with_an_example_shapes_are_known_and_rows_unroll():
    program = capture(lambda x: [row * x.shape[1] for row in [x[i] for i in range(len(x))]], np.ones((2, 3)))
    assert [e.target for e in program.entries].count("mul") == 2


def test_python_values_are_built_in():
    program = capture(lambda x, flag: x * 2.0 if flag else x, values={"flag": True})
    assert [e.target for e in program.entries] == ["x", "mul", "output"]


def test_writing_into_a_tensor_from_outside_is_refused():
    outside = engine.tensor(1.0)
    with pytest.raises(StateError, match="writes in place"):
        capture(lambda x: outside.add_(x))
    assert outside.item() == 1.0


def test_no_event_and_no_value_is_left_behind():
    from engine import events
    from engine.dynamic import modes

    with pytest.raises(CaptureError):
        capture(lambda x: bool(x))
    assert modes.tracer is None
    assert events.listener is None
