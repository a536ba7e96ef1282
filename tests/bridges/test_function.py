"""Traced functions: keys, retracing, captures, writes, gradients."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import engine
from engine.bridges.function import RetracingWarning, TensorSpec, function
from engine.errors import StateError

F32 = np.dtype("float32")


def counted(body, **options):
    """``body`` as a traced function that notes how often it is traced."""
    traces = []

    def wrapped(*arguments, **more):
        traces.append(arguments)
        return body(*arguments, **more)

    return function(**options)(wrapped), traces


def test_python_runs_once_and_the_graph_every_time(capsys):
    @function
    def square(x):
        print("tracing")
        return x * x

    assert [square(engine.tensor(v)).item() for v in (2.0, 3.0, 4.0)] == [4, 9, 16]
    assert capsys.readouterr().out == "tracing\n"
    assert square.calls == 3
    assert square.traces[0].calls == 3
    assert [n.op for n in square.traces[0].graph.nodes] == ["placeholder", "mul"]


@pytest.mark.parametrize(
    ("first", "second", "traces"),
    [
        (engine.tensor([1.0]), engine.tensor([2.0]), 1),
        (engine.tensor([1.0]), np.float32([2.0]), 1),
        (engine.tensor([1.0]), engine.tensor([1.0, 2.0]), 2),
        (engine.tensor([1.0]), engine.tensor([1]), 2),
        (2, 2, 1),
        (2, 3, 2),
        (1, 1.0, 2),
        (1, True, 2),
        ("a", "a", 1),
        ([engine.tensor(1.0), 2], [engine.tensor(5.0), 2], 1),
        ([engine.tensor(1.0), 2], (engine.tensor(1.0), 2), 2),
        ({"a": 1}, {"b": 1}, 2),
    ],
)
def test_what_counts_in_a_trace_key(first, second, traces):
    traced, seen = counted(lambda x: engine.tensor(1.0) * 2.0)
    traced(first)
    traced(second)
    assert len(seen) == traces == len(traced.traces)


def test_variables_count_by_identity():
    traced, seen = counted(lambda w: w * 2.0)
    w, v = (engine.tensor([1.0], requires_grad=True) for _ in range(2))
    traced(w), traced(w), traced(v)
    assert len(seen) == 2
    assert traced.traces[0].guards == ["argument 0: variable 0 (float32 (1,))"]


def test_keyword_arguments_and_defaults_are_the_same_call():
    @function
    def f(x, scale=2.0):
        return x * scale

    x = engine.tensor(3.0)
    assert f(x).item() == f(x, 2.0).item() == f(x=x, scale=2.0).item() == f(scale=2.0, x=x).item() == 6
    assert len(f.traces) == 1


def test_globals_and_closures_are_not_in_the_key():
    scale = 2.0
    traced = function(lambda x: x * scale)
    x = engine.tensor(1.0)
    assert traced(x).item() == 2
    scale = 3.0
    assert traced(x).item() == 2


def test_reasons_say_what_differs():
    traced = function(lambda x, n: x * n)
    traced(engine.tensor([1.0]), 2)
    traced(engine.tensor([1.0, 2.0]), 2)
    traced(engine.tensor([1.0, 2.0]), 3)
    traced(engine.tensor([1, 2]), 3)
    assert [t.reason for t in traced.traces] == [
        "this is the first call",
        "x has shape (2,), trace 0 takes (1,)",
        "n is the int 3, trace 1 takes the int 2",
        "x has dtype int64, trace 2 takes float32",
    ]
    assert "trace 3: x: tensor int64 (2,), n: the int 3; 1 call; made because: x has dtype int64" in traced.explain()


def test_relaxed_shapes_serve_later_sizes():
    traced, seen = counted(lambda x: x.sum(axis=0), relax_shapes=True)
    for n in (1, 2, 3, 4):
        assert traced(engine.tensor(np.ones((n, 3), np.float32))).tolist() == [n] * 3
    assert len(seen) == 2
    assert traced.traces[1].specs == [TensorSpec(F32, (None, 3))]
    assert [t.calls for t in traced.traces] == [1, 3]


def test_the_most_specific_trace_wins():
    traced, _ = counted(lambda x: x * 1.0, relax_shapes=True)
    for n in (2, 3, 2):
        traced(engine.tensor(np.ones(n, np.float32)))
    assert [t.calls for t in traced.traces] == [2, 1]


def test_retracing_is_warned_of_twice_at_most():
    traced, _ = counted(lambda x: x * 2.0)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for n in range(12):
            traced(engine.tensor(np.ones(n, np.float32)))
    assert [w.category for w in heard] == [RetracingWarning] * 2
    assert str(heard[0].message).startswith("5 out of the last 5 calls to wrapped triggered retracing.")
    assert str(heard[1].message).startswith("6 out of the last 6 calls")
    assert "shape (4,)" in str(heard[0].message)
    assert heard[0].filename == __file__


def test_now_and_then_a_trace_is_no_reason_to_warn():
    traced, _ = counted(lambda x: x * 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(8):
            for _ in range(4):
                traced(engine.tensor(np.ones(n, np.float32)))


def test_tensors_from_outside_are_read_at_each_call():
    w = engine.tensor([1.0, 2.0])
    traced = function(lambda x: x * (w + 1.0))
    assert traced(engine.tensor(1.0)).tolist() == [2, 3]
    w.copy_([5.0, 6.0])
    assert traced(engine.tensor(1.0)).tolist() == [6, 7]


def test_writes_happen_when_the_graph_runs_not_when_it_is_traced():
    total = engine.tensor(0.0)

    @function
    def add(x):
        total.add_(x)
        return total * 10.0

    add.trace_for(engine.tensor(1.0))
    assert total.item() == 0
    assert [add(engine.tensor(v)).item() for v in (1.0, 2.0)] == [10, 30]
    assert total.item() == 3
    assert total.version == 2


def test_gradients_reach_arguments_and_captured_variables():
    w = engine.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)

    def network(x):
        return engine.tanh(x @ w).sum(), x * 2.0

    def gradients(f):
        w.grad = None
        x = engine.tensor([[0.1, 0.2]], requires_grad=True)
        y, z = f(x * 1.0)
        (y + (z * z).sum()).backward()
        return x.grad.numpy(), w.grad.numpy()

    for a, b in zip(gradients(function(network)), gradients(network), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_second_derivatives():
    traced = function(lambda x: (x * x * x).sum())
    x = engine.tensor([1.0, 2.0], requires_grad=True)
    (g,) = engine.grad(traced(x * 1.0), [x], create_graph=True)
    (h,) = engine.grad(g.sum(), [x])
    assert g.tolist() == [3, 12]
    assert h.tolist() == [6, 12]


def test_the_gradient_sees_the_random_numbers_of_its_own_run():
    engine.seed(0)
    traced = function(lambda x: x * engine.random_uniform((4,)))
    x = engine.tensor(np.ones(4, np.float32), requires_grad=True)
    for _ in range(2):
        x.grad = None
        y = traced(x * 1.0)
        y.sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), y.detach().numpy())
    with pytest.raises(StateError, match="draws random numbers"):
        engine.grad(traced(x * 1.0).sum(), [x], create_graph=True)


def test_variables_may_be_made_on_the_first_call_only():
    kept = {}

    @function
    def good(x):
        if "w" not in kept:
            kept["w"] = engine.tensor(5.0, requires_grad=True)
        return kept["w"] * x

    assert good(engine.tensor(2.0)).item() == 10
    assert good(engine.tensor([2.0])).tolist() == [10]

    @function
    def bad(x):
        return engine.tensor(5.0, requires_grad=True) * x

    with pytest.raises(StateError, match="may make variables only on its first call"):
        bad(engine.tensor(2.0))


def test_a_traced_function_inside_another_is_part_of_it():
    inner, seen = counted(lambda x: x + 1.0)
    outer = function(lambda x: inner(x) * inner(x))
    assert outer(engine.tensor(2.0)).item() == 9
    assert len(seen) == 2
    assert not inner.traces


def test_results_keep_their_structure():
    traced = function(lambda x: {"a": (x, [x * 2.0]), "n": 3, "none": None})
    result = traced(engine.tensor(1.0))
    assert result["a"][1][0].item() == 2
    assert (result["n"], result["none"]) == (3, None)


def test_methods_have_traces_of_their_own():
    class Model:
        def __init__(self, w):
            self.w = engine.tensor(w)

        @function
        def __call__(self, x):
            return self.w * x

    a, b = Model(2.0), Model(3.0)
    assert (a(engine.tensor(1.0)).item(), b(engine.tensor(1.0)).item()) == (2, 3)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (lambda x: x.item(), "item of a traced tensor .* return the tensor"),
        (lambda x: float(x), "float of a traced tensor"),
        (lambda x: x if x > 0 else -x, None),
        (lambda x: engine.reshape(x, (5,)), "reshape"),
    ],
)
def test_errors_while_tracing(body, words):
    traced = function(autograph=False)(body)
    if words is None:
        with pytest.raises(StateError, match=r"Python bool is not allowed.*AutoGraph did not convert"):
            traced(engine.tensor(1.0))
        return
    with pytest.raises(Exception, match=words):
        traced(engine.tensor(1.0))
    assert not traced.traces


def test_an_argument_that_is_written_stays_the_callers():
    @function
    def f(x):
        x.add_(1.0)
        return x

    x = engine.tensor(1.0)
    assert f(x).item() == 2
    assert x.item() == 1
