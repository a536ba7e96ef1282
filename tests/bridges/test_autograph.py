"""Control flow from source: each function gives traced what it gives run directly."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.bridges.function import function
from engine.bridges.function.autograph import converted_source
from engine.errors import StateError


def branches(x):
    y = x * 2.0
    if y.sum() > 0:
        y = y + 1.0
        z = y * 3.0
    elif y.sum() > -10.0:
        z = -y
    else:
        z = y * 0.0
    return y, z


def early_returns(x):
    if x.sum() > 10.0:
        return x
    if x.sum() < 0.0:
        y = -x
        return y * 2.0
    return x * 0.5


def one_way_returns_and_goes_on(x):
    if x.sum() > 0.0:
        if x.sum() > 10.0:
            return x * 100.0
        x = x + 1.0
    else:
        x = x - 1.0
    return x


def doubling(x):
    steps = 0
    while x.sum() < 100.0:
        x = x * 2.0 + 1.0
        steps += 1
    return x, steps


def nested_loops(x):
    total = x * 0.0
    i = 0
    while i < x.sum():
        j = 0
        while j < i:
            total += x
            j += 1
        i += 1
    return total


def rows(x):
    total = x[0] * 0.0
    for row in x:
        if row.sum() > 0.0:
            total += row
    return total


def python_loops(x, n=3):
    for i in range(n):
        if i % 2:
            x = x + i
    names = [name for name in ("a", "b") if name != "a"]
    return x * len(names)


def expressions(x):
    y = x if x.sum() > 0.0 and x.max() < 5.0 else -x
    z = x if not (x.sum() > 0.0 or x.min() < -5.0) else x * 2.0
    return y + z, (0.0 < x.sum() < 1e9) == (x.sum() > 0.0)


def helper(x):
    if x.sum() > 0.0:
        return x
    return x * 10.0


def calls_another(x):
    return helper(x) + 1.0


def breaks_a_while(x):
    steps = 0
    while True:
        x = x * 2.0 + 1.0
        steps += 1
        if x.sum() > 60.0:
            break
        if steps > 20:
            x = x * 0.0
            break
    return x, steps


def skips_and_stops(x):
    total = x[0] * 0.0
    for row in x:
        if row < 0.0:
            continue
        twice = row * 2.0
        if twice > 30.0:
            total = total + 1000.0
            break
        total = total + twice
    return total


def stops_a_python_loop(x):
    for k in range(5):
        x = x + k
        if x.sum() > 4.0:
            break
        x = x + 0.5
    return x


def python_jumps(x):
    for k in range(10):
        if k % 2:
            continue
        if k > 6:
            break
        x = x + k
    return x


def tuples_of_state(x):
    state = (x, x * 0.0)
    while state[0].sum() < 50.0:
        state = (state[0] * 2.0, state[1] + state[0])
    return state


DATA = [[1.0, 2.0], [-1.0, -2.0], [30.0, 40.0], [-30.0, 4.0], [0.5, 0.25]]


def flat(value):
    if isinstance(value, tuple):
        return [x for item in value for x in flat(item)]
    return [np.asarray(value.detach().numpy() if isinstance(value, engine.Tensor) else value, np.float64)]


@pytest.mark.parametrize(
    "body",
    [
        branches,
        early_returns,
        one_way_returns_and_goes_on,
        nested_loops,
        python_loops,
        expressions,
        calls_another,
        skips_and_stops,
        stops_a_python_loop,
        python_jumps,
    ],
)
def test_traced_is_as_run(body):
    traced = function(body)
    for values in DATA:
        x = engine.tensor(np.float32(values))
        for a, b in zip(flat(traced(x)), flat(body(x)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)
    assert len(traced.traces) == 1


@pytest.mark.parametrize("body", [doubling, tuples_of_state, breaks_a_while])
def test_loops_that_end_on_the_data(body):
    traced = function(body)
    for values in ([1.0, 2.0], [30.0, 40.0], [200.0, 1.0]):
        x = engine.tensor(np.float32(values))
        for a, b in zip(flat(traced(x)), flat(body(x)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)
    assert len(traced.traces) == 1
    assert any(n.op == "while_loop" for n in traced.traces[0].graph.nodes)


def test_rows_of_a_tensor_make_one_loop_for_any_number_of_them():
    traced = function(relax_shapes=True)(rows)
    for n in (1, 2, 5):
        x = engine.tensor(np.float32(np.arange(2 * n).reshape(n, 2) - 3))
        np.testing.assert_allclose(traced(x).numpy(), rows(x).numpy())
    assert len(traced.traces) == 2
    assert sum(n.op == "while_loop" for n in traced.traces[1].graph.nodes) == 1


def test_a_range_with_a_traced_end_is_a_loop():
    @function
    def triangle(n):
        total = 0
        for i in range(1, n + 1):
            total += i
        return total

    assert [triangle(engine.tensor(n)).item() for n in (0, 1, 4)] == [0, 1, 10]
    assert len(triangle.traces) == 1


def test_python_values_take_the_python_way(capsys):
    @function
    def f(x, flag):
        if flag:
            print("flag")
            return x
        return -x

    assert f(engine.tensor(1.0), True).item() == 1
    assert f(engine.tensor(1.0), False).item() == -1
    assert capsys.readouterr().out == "flag\n"
    assert not any(n.op == "cond" for t in f.traces for n in t.graph.nodes)


def test_both_ways_are_traced_and_one_runs(capsys):
    @function
    def f(x):
        if x > 0.0:
            print("true")
            y = x
        else:
            print("false")
            y = -x
        return y

    assert [f(engine.tensor(v)).item() for v in (1.0, -2.0)] == [1, 2]
    assert capsys.readouterr().out == "true\nfalse\n"


def test_writing_in_place_inside_a_branch_stays_inside():
    def f(x):
        y = x * 1.0
        if x.sum() > 0.0:
            y += 1.0
        else:
            y -= 1.0
        return y

    traced = function(f)
    assert [traced(engine.tensor(v)).item() for v in (1.0, -1.0)] == [2, -2]


def test_closures_and_defaults_are_kept():
    offset = 5.0

    def outer():
        count = engine.tensor(1.0)

        @function
        def f(x, k=2.0):
            if x > 0.0:
                x = x + offset + count
            return x * k

        return f

    assert outer()(engine.tensor(1.0)).item() == 14


@pytest.mark.parametrize(
    ("make", "words"),
    [
        ("texts", "'name' is .* only tensors and numbers can depend on a tensor"),
        ("leaves", "AutoGraph did not convert it: .*the loop holds a return"),
        ("outside", "cannot write in place into a tensor from outside"),
        ("grows", "nests found, x differently"),
    ],
)
def test_what_cannot_be_staged_says_why(make, words):
    total = engine.tensor(0.0)

    def texts(x):
        name = "a"
        if x > 0.0:
            name = "b"
        return x * len(name)

    def leaves(x):
        while x < 10.0:
            x = x + 1.0
            if x > 5.0:
                return x
        return x

    def outside(x):
        if x > 0.0:
            total.add_(x)
        return x

    def grows(x):
        found = []
        while x < 10.0:
            found = [*found, x]
            x = x + 1.0
        return found

    with pytest.raises(StateError, match=words):
        function(locals()[make])(engine.tensor(1.0))


def test_a_variable_of_one_way_fails_as_in_python_when_it_is_used():
    @function
    def f(x, flag):
        if flag:
            y = x
        return y * 2.0

    assert f(engine.tensor(1.0), True).item() == 2
    with pytest.raises(UnboundLocalError, match="'y'"):
        f(engine.tensor(1.0), False)

    @function
    def g(x):
        if x > 0.0:
            y = x
        return y * 2.0

    with pytest.raises(UnboundLocalError, match=r"'y' is used before it has a value .* on some ways"):
        g(engine.tensor(1.0))


def test_errors_show_the_line_of_the_source():
    @function
    def f(x):
        if x.sum() > 0.0:
            x = engine.matmul(x, engine.tensor([[1.0], [2.0], [3.0]]))  # here
        return x

    with pytest.raises(engine.ShapeError) as error:
        f(engine.tensor([[1.0, 2.0]]))
    assert any("# here" in str(entry.statement) for entry in error.traceback)


def test_the_rewritten_source_can_be_read():
    text = converted_source(doubling)
    assert "ag__.while_(ag__test_1, ag__body_1" in text
    assert "def ag__body_1(steps, x):" in text


@pytest.mark.parametrize("body", [branches, doubling, rows, early_returns, calls_another, tuples_of_state])
def test_gradients_go_through_decisions_and_loops(body):
    scale = engine.tensor(1.5, requires_grad=True)

    def gradients(f, values):
        scale.grad = None
        x = engine.tensor(np.float32(values), requires_grad=True)
        result = f(x * scale)
        total = 0.0
        for part in result if isinstance(result, tuple) else (result,):
            if isinstance(part, engine.Tensor) and part.requires_grad:
                total = (part * part).sum() + total
        total.backward()
        return x.grad.numpy(), scale.grad.numpy()

    traced = function(body)
    for values in ([1.0, 2.0], [-3.0, 1.0], [30.0, 40.0], [-30.0, 4.0]):
        if body in (doubling, tuples_of_state) and sum(values) <= 0:
            continue
        values = [values, [2.0, 3.0]] if body is rows else values
        for a, b in zip(gradients(traced, values), gradients(body, values), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5)
    assert len(traced.traces) == 1


def test_one_of_several_loop_variables_may_be_all_that_is_returned():
    x = engine.tensor([1.0, 2.0])
    assert function(only_the_value)(x).tolist() == doubling(x)[0].tolist()


def test_the_gradient_of_a_loop_sees_the_random_numbers_of_its_own_run():
    @function
    def f(x, n):
        i = 0
        while i < n:
            x = x * (engine.random_uniform((3,)) + 0.5)
            i += 1
        return x

    x = engine.tensor([1.0, 2.0, 4.0], requires_grad=True)
    for n in (1, 3):
        x.grad = None
        y = f(x * 1.0, engine.tensor(n))
        y.sum().backward()
        np.testing.assert_allclose(x.grad.numpy() * x.detach().numpy(), y.detach().numpy(), rtol=1e-6)


def only_the_value(x):
    value, _ = doubling(x)
    return value
