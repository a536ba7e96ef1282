"""Compiled functions: graph breaks, guards, dynamic sizes, recompiles and their limit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import engine
from engine.bridges.compile import RecompileLimitWarning, compile

W = engine.tensor([1.0, 2.0], requires_grad=True)
scale = 2.0


def ones(*shape):
    return engine.tensor(np.ones(shape, np.float32))


def test_without_a_break_there_is_one_graph_compiled_once():
    f = compile(lambda x: engine.relu(x @ x.T) + 1.0)
    first, second = f.explain(ones(2, 3)), f.explain(ones(2, 3))
    assert (first.graphs, first.compiled, first.breaks, first.ops) == (1, 1, [], 4)
    assert (second.graphs, second.compiled) == (1, 0)
    assert f(ones(2, 3)).tolist() == [[4, 4], [4, 4]]


def test_a_decision_breaks_the_graph_and_python_decides(capsys):
    @compile
    def f(x):
        y = x * 2.0
        if y.sum() > 0:
            print("positive", y.sum().item())
            return y + 1.0
        return y - 1.0

    assert f(engine.tensor([1.0, 2.0])).tolist() == [3, 5]
    report = f.last
    assert [(b.what, b.line - report.line) for b in report.breaks] == [("bool", 3), ("item", 4)]
    assert report.graphs == 3
    assert f(engine.tensor([-1.0, -2.0])).tolist() == [-3, -5]
    assert (f.last.graphs, f.last.compiled) == (2, 1)
    assert f(engine.tensor([4.0, 0.0])).tolist() == [9, 1]
    assert f.last.compiled == 0
    assert len(f.entries) == 1
    assert capsys.readouterr().out == "positive 6.0\npositive 8.0\n"


def test_printing_a_tensor_breaks_the_graph_and_shows_its_value(capsys):
    @compile
    def f(x):
        y = x + 1.0
        print(y, f"{y}")
        return y * 2.0

    assert f(engine.tensor(1.0)).item() == 4
    assert capsys.readouterr().out == "tensor(2.) tensor(2.)\n"
    assert [b.what for b in f.last.breaks] == ["repr"]


def test_only_what_is_still_used_crosses_a_break():
    @compile
    def f(x):
        unused = x * 3.0
        del unused
        y = x * 2.0
        y.sum().item()
        return y

    f(ones(2))
    (region, *_) = f.entries[0].segments.values()
    assert [n.op for n in region.outputs] == ["mul", "sum"]


def test_results_are_those_of_the_function_and_so_are_gradients():
    def network(x):
        h = engine.tanh(x * W)
        if h.sum().item() > 0:
            h = h * h
        return (h * 3.0).sum()

    def run(f):
        W.grad = None
        x = engine.tensor([0.5, 0.25], requires_grad=True)
        y = f(x)
        y.backward()
        return y.item(), x.grad.tolist(), W.grad.tolist()

    compiled = compile(network)
    for a, b in zip(run(compiled), run(network), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
    assert type(compiled(ones(2))) is engine.Tensor
    W.grad = None


def test_backward_inside_breaks_the_graph():
    w = engine.tensor([3.0], requires_grad=True)

    @compile
    def step(x):
        loss = (w * x).sum()
        loss.backward()
        return loss * 2.0

    assert step(engine.tensor([2.0])).item() == 12
    assert w.grad.tolist() == [2]
    assert [b.what for b in step.last.breaks] == ["backward"]


def test_writes_in_place_happen_once_a_call():
    total = engine.tensor(0.0)

    @compile
    def add(x):
        total.add_(x)
        return total * 10.0

    assert [add(engine.tensor(v)).item() for v in (1.0, 2.0)] == [10, 30]
    assert total.item() == 3


def test_guards_say_for_which_calls_an_entry_holds():
    @compile
    def f(x, n):
        return x * n * W * scale

    f(ones(2), 3)
    assert f.entries[0].guards == [
        "tensor 'x': float32 (2,)",
        "n == 3",
        "tensor \"G['W']\": float32 (2,), the same one",
        "G['scale'] == 2.0",
    ]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ((ones(3), 2), "tensor 'x' size mismatch at index 0. expected 2, actual 3"),
        ((engine.tensor([1, 2]), 2), "tensor 'x' dtype mismatch. expected float32, actual int64"),
        ((ones(2, 2), 2), "tensor 'x' rank mismatch. expected 1, actual 2"),
        ((ones(2), 3), "n == 2 fails: it is the int 3"),
        (([ones(2)], 2), "the arguments are nested differently"),
    ],
)
def test_why_a_call_recompiles(second, reason):
    f = compile(lambda x, n: (x[0] if isinstance(x, list) else x) * n)
    f(ones(2), 2)
    f(*second)
    assert f.recompiles == [reason]


def test_a_changed_global_is_noticed(monkeypatch):
    f = compile(lambda x: x * scale)
    assert f(engine.tensor(1.0)).item() == 2
    monkeypatch.setitem(globals(), "scale", 5.0)
    assert f(engine.tensor(1.0)).item() == 5
    assert f.recompiles == ["G['scale'] == 2.0 fails: it is the float 5.0"]


def test_the_first_change_of_a_size_makes_it_dynamic():
    f = compile(lambda x: (x * 2.0).sum(axis=0))
    for n in (2, 3, 4, 5):
        assert f(ones(n, 3)).tolist() == [2 * n] * 3
    assert [e.guards for e in f.entries] == [["tensor 'x': float32 (2, 3)"], ["tensor 'x': float32 (?, 3)"]]
    assert [e.calls for e in f.entries] == [1, 3]
    assert f.last.compiled == 0


def test_sizes_that_a_program_reads_are_right_in_a_dynamic_entry():
    f = compile(lambda x: engine.reshape(x * float(x.shape[0]), (x.shape[0] * 2,)))
    for n in (2, 3, 4, 3):
        assert f(ones(n, 2)).tolist() == [n] * (2 * n)
    assert len(f.entries) == 2
    assert f.last.compiled == 0


def test_sizes_0_and_1_are_never_dynamic():
    f = compile(lambda x: x + 1.0)
    for n in (3, 1, 4, 5):
        f(ones(n))
    assert [e.guards[0] for e in f.entries] == [f"tensor 'x': float32 ({s},)" for s in ("3", "1", "?")]


def test_dynamic_may_be_chosen():
    always, never = compile(dynamic=True)(lambda x: x + 1.0), compile(dynamic=False)(lambda x: x + 1.0)
    for n in (2, 3, 4):
        always(ones(n))
        never(ones(n))
    assert (len(always.entries), len(never.entries)) == (1, 3)


def test_after_8_compiles_it_warns_once_and_runs_eagerly():
    f = compile(lambda x, n: x * n)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert [f(engine.tensor(2.0), n).item() for n in range(12)] == [2 * n for n in range(12)]
    assert len(f.entries) == 8
    assert f.eager
    (warning,) = heard
    assert warning.category is RecompileLimitWarning
    assert "hit the recompile_limit (8): the last reason was: n == 7 fails: it is the int 8" in str(warning.message)
    assert warning.filename == __file__
    assert f(engine.tensor(2.0), 3).item() == 6
    assert f.entries[3].calls == 2


def test_an_error_leaves_nothing_behind():
    from engine import events
    from engine.dynamic import modes

    f = compile(lambda x: engine.matmul(x, ones(5, 5)))
    with pytest.raises(engine.ShapeError):
        f(ones(2, 3))
    assert (modes.tracer, events.listener) == (None, None)
    assert f(ones(2, 5)).shape == (2, 5)


def test_a_tensor_that_the_program_keeps_is_an_ordinary_one():
    kept = []

    @compile
    def f(x):
        y = x * 2.0
        kept.append(y)
        return y.sum()

    f(ones(3))
    assert kept[0].tolist() == [2, 2, 2]
    assert (kept[0] + 1.0).tolist() == [3, 3, 3]
    assert bool(kept[0][0] > 1.0)


def pure(x, n=2):
    y = engine.tanh(x @ x.T)
    for _ in range(n):
        y = y * 2.0 + W[0]
    return y, n


def sized(x):
    return x * float(x.shape[0])


calls = []


def appends(x):
    calls.append(1)
    return x * 2.0


def prints(x):
    print("called")
    return x * 2.0


def writes(x):
    x += 1.0
    return x


def draws(x):
    return x + engine.random_uniform((2, 2))


def test_a_pure_function_is_its_graph():
    f = compile(pure)
    for k in range(3):
        x = engine.tensor(np.float32([[1, k], [0.5, 2]]), requires_grad=False)
        got, wanted = f(x), pure(x)
        np.testing.assert_allclose(got[0].detach().numpy(), wanted[0].detach().numpy(), rtol=1e-6)
        assert got[1] == 2
        assert type(got[0]) is engine.Tensor
        assert (f.entries[0].whole is not None, f.last.graphs, f.last.ops) == (True, 1, 9)
    W.grad = None
    f(x)[0].sum().backward()
    got = W.grad.tolist()
    W.grad = None
    pure(x)[0].sum().backward()
    assert W.grad.tolist() == got
    W.grad = None


@pytest.mark.parametrize("body", [appends, prints, writes])
def test_python_with_effects_runs_at_every_call(body, capsys):
    f = compile(body)
    calls.clear()
    for _ in range(3):
        f(ones(2, 2))
    assert f.entries[0].whole is None
    assert len(calls) == (3 if body is appends else 0)
    assert capsys.readouterr().out.count("called") == (3 if body is prints else 0)


def test_random_numbers_are_drawn_at_every_call():
    engine.seed(0)
    f = compile(draws)
    results = {tuple(f(ones(2, 2)).numpy().ravel()) for _ in range(4)}
    assert len(results) == 4


def test_sizes_that_a_pure_function_reads_stay_right():
    f = compile(sized)
    for n in (2, 3, 4, 5, 3, 2):
        assert f(ones(n)).tolist() == [n] * n
    assert f.entries[1].whole is None
    g = compile(pure)
    for n in (2, 3, 4, 5, 6):
        np.testing.assert_allclose(g(ones(n, 2))[0].detach().numpy(), pure(ones(n, 2))[0].detach().numpy(), rtol=1e-6)
    assert g.entries[1].whole is not None


def test_explain_reads_as_text():
    @compile
    def f(x):
        if (x * 2.0).sum() > 0:
            return x
        return -x

    text = str(f.explain(engine.tensor([-1.0])))
    assert text.splitlines()[0] == "f: 2 graphs, 1 graph breaks, 4 ops"
    assert "a Python decision on a tensor's value, after 3 ops" in text
    assert "guard: tensor 'x': float32 (1,)" in text


class Scaling:
    """An object of the program, not a tensor."""

    factor = 2.0

    def sum(self, x):
        calls.append(1)
        return x * self.factor


scaling = Scaling()
mapping = {"factor": 2.0}


def by_object(x):
    return scaling.sum(x)


def by_attribute(x):
    return x * scaling.factor


def by_mapping(x):
    return x * mapping["factor"]


def by_argument(x, how):
    return how.sum(x)


def by_list(x):
    x.append(3.0)
    return x[0] * 2.0


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        (by_object, (ones(2),)), (by_attribute, (ones(2),)), (by_mapping, (ones(2),)),
        (by_argument, (ones(2), scaling)), (by_list, ([ones(2)],)),
    ],
)  # fmt: skip
def test_what_guards_do_not_look_at_is_read_at_every_call(body, arguments, monkeypatch):
    f = compile(body)
    first = f(*arguments)
    monkeypatch.setattr(scaling, "factor", 5.0)
    monkeypatch.setitem(mapping, "factor", 5.0)
    assert first.tolist() == [2, 2]
    if body is not by_list:
        assert f(*arguments).tolist() == [5, 5]
    assert all(entry.whole is None for entry in f.entries)
