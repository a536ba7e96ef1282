"""Tracing records one path and warns; scripting keeps decisions and loops; both can be saved and loaded."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import engine
from engine.bridges.script import ScriptError, TracerWarning, load, save, script, trace
from engine.errors import DtypeError, FeedError, GraphError, StateError

W = engine.tensor([1.0, -2.0], requires_grad=True)


def collatz(n: int, limit: int):
    steps = 0
    while n != 1 and steps < limit:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def weighted(x: engine.Tensor, k: int):
    y = x * W
    for _ in range(k):
        if y.sum() > 5.0:
            y = y - 1.0
        else:
            y = y * 2.0
    return {"y": y, "rest": (y.sum(), 3, None)}


def test_script_keeps_loops_and_decisions():
    scripted = script(collatz)
    assert [scripted(n, 1000).item() for n in (1, 2, 3, 27)] == [collatz(n, 1000) for n in (1, 2, 3, 27)]
    assert scripted(27, 5).item() == 5
    lines = [line.strip() for line in scripted.code.splitlines()]
    assert sum("= while_loop(" in line for line in lines) == 1
    assert sum("= cond(" in line for line in lines) == 1


def test_script_on_tensors_and_numbers():
    scripted = script(weighted)
    for values, k in (([1.0, 2.0], 3), ([9.0, 1.0], 4), ([1.0, 1.0], 0)):
        x = engine.tensor(values)
        a, b = scripted(x, k), weighted(x, k)
        np.testing.assert_allclose(a["y"].detach().numpy(), b["y"].detach().numpy())
        assert a["rest"][0].item() == b["rest"][0].item()
        assert a["rest"][1:] == (3, None)


def test_trace_takes_one_path_and_warns():
    def absolute(x):
        return x if x.sum() > 0 else -x

    with pytest.warns(
        TracerWarning, match="Converting a tensor to a Python boolean might cause the trace to be incorrect"
    ) as heard:
        traced = trace(absolute, engine.tensor([1.0]))
    assert heard[0].filename == __file__
    assert traced(engine.tensor([-1.0])).item() == -1
    assert script(absolute)(engine.tensor([-1.0])).item() == 1


def test_trace_fixes_the_number_of_passes():
    def total(x):
        found = x[0] * 0.0
        for row in x:
            found = found + row
        return found

    with pytest.warns(TracerWarning, match="Iterating over a tensor"):
        traced = trace(total, engine.tensor([1.0, 2.0]))
    assert traced(engine.tensor([1.0, 2.0, 4.0])).item() == 3
    assert script(total, engine.tensor([1.0]))(engine.tensor([1.0, 2.0, 4.0])).item() == 7


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (lambda x: x * int(x.sum()), "Python integer"),
        (lambda x: x * x.sum().item(), "Python number"),
        (lambda x: x * float(x.sum()), "Python float"),
        (lambda x: x * len(x), "Using len"),
        (lambda x: x * x.tolist()[0], "Python list"),
    ],
)
def test_what_becomes_a_constant_is_warned_of(body, words):
    with pytest.warns(TracerWarning, match=words):
        traced = trace(body, engine.tensor([3.0]))
    assert traced(engine.tensor([5.0])).item() in (15.0, 5.0)


def test_a_trace_without_decisions_is_silent_and_takes_other_sizes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        traced = trace(lambda x: engine.softmax(x, axis=0) * 2.0, engine.tensor([1.0, 2.0]))
    x = engine.tensor([1.0, 2.0, 3.0])
    np.testing.assert_allclose(traced(x).numpy(), engine.softmax(x, axis=0).numpy() * 2)


def test_gradients_go_through_a_traced_function():
    traced = trace(lambda x: (x * W).sum(), engine.tensor([1.0, 1.0]))
    x = engine.tensor([3.0, 4.0], requires_grad=True)
    W.grad = None
    traced(x * 1.0).backward()
    assert x.grad.tolist() == [1, -2]
    assert W.grad.tolist() == [3, 4]
    W.grad = None


@pytest.mark.parametrize("make", [lambda: script(weighted), lambda: script(weighted, engine.tensor([1.0]), 2)])
def test_saved_and_loaded_it_is_the_same(make, tmp_path):
    scripted = make()
    x = engine.tensor([1.0, 2.0])
    before = scripted(x, 3)
    file = tmp_path / "weighted.json"
    save(scripted, file)
    loaded = load(file)
    after = loaded(x, 3)
    np.testing.assert_array_equal(after["y"].detach().numpy(), before["y"].detach().numpy())
    assert after["rest"][1:] == (3, None)
    assert loaded.code == scripted.code
    assert loaded.parameters["parameter_0"].requires_grad
    save(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == file.read_text()


def test_a_trace_saved_after_a_gradient_is_saved_without_it(tmp_path):
    traced = trace(lambda x: (x * W).sum(), engine.tensor([1.0, 1.0]))
    save(traced, tmp_path / "before.json")
    traced(engine.tensor([1.0, 1.0])).backward()
    W.grad = None
    save(traced, tmp_path / "after.json")
    assert (tmp_path / "after.json").read_text() == (tmp_path / "before.json").read_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(format="other"), "no scripted function"),
        (lambda d: d.update(version=99), "version 99 cannot be read"),
        (lambda d: d["nodes"][-1].update(op="launch"), "'launch', which this engine does not have"),
        (lambda d: d["nodes"][1].update(inputs=[[999, 0]]), "fits together"),
        (lambda d: d.pop("results"), "fits together"),
        (lambda d: d["nodes"][0].update(type=["no dtype", []]), "fits together"),
        (lambda d: d["nodes"][0].update(attributes={"a": {"call": "x"}}), "kind 'call' is not known"),
    ],
)
def test_documents_that_do_not_fit_are_refused(change, words, tmp_path):
    file = tmp_path / "f.json"
    save(trace(lambda x: x * 2.0, engine.tensor([1.0])), file)
    found = json.loads(file.read_text())
    change(found)
    file.write_text(json.dumps(found))
    with pytest.raises(GraphError, match=words):
        load(file)
    file.write_text("{")
    with pytest.raises(GraphError, match="no JSON"):
        load(file)


def uses_with(x):
    with x:
        return x


def writes_parts(x):
    x[0] = 1.0
    return x


def prints(x):
    print(x)
    return x


def any_number(*x):
    return x[0]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (uses_with, r"line \d+: with has no counterpart"),
        (writes_parts, "writing into a part"),
        (prints, "print would only run while compiling"),
        (any_number, "any number of arguments"),
        (len, "its source is not available"),
    ],
)
def test_source_outside_the_subset_is_refused(function, words):
    with pytest.raises(ScriptError, match=words):
        script(function)


def test_misuse_says_what_to_do():
    scripted = script(collatz)
    with pytest.raises(FeedError, match=r"takes 2 arguments \(n, limit\), not 1"):
        scripted(3)
    with pytest.raises(DtypeError, match="examples are tensors"):
        trace(lambda x: x, "text")
    outside = engine.tensor(1.0)
    with pytest.raises(StateError, match="writes in place into a tensor from outside"):
        trace(lambda x: outside.add_(x), engine.tensor(1.0))
    assert outside.item() == 1
