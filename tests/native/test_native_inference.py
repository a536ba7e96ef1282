"""Inference mode: what is made in it is computed with like everything else, and never enters a recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine


def made() -> Any:
    with engine.inference_mode():
        return engine.tensor([1.0, 2.0]) * 3.0


def parameter() -> Any:
    return engine.tensor([5.0, 7.0], requires_grad=True)


def test_mode() -> None:
    assert engine.is_grad_enabled()
    assert not engine.is_inference_mode_enabled()
    with engine.inference_mode():
        assert engine.is_inference_mode_enabled()
        assert not engine.is_grad_enabled()
        with engine.enable_grad():
            assert not (parameter() * 2.0).requires_grad
        with engine.inference_mode(False):
            assert (parameter() * 2.0).requires_grad
            assert not engine.tensor(1.0).is_inference
        assert engine.is_inference_mode_enabled()
    assert engine.is_grad_enabled()
    assert not engine.is_inference_mode_enabled()


def test_ended_by_an_error() -> None:
    with pytest.raises(ZeroDivisionError), engine.inference_mode():
        _ = 1 / 0
    assert engine.is_grad_enabled()
    assert not engine.is_inference_mode_enabled()


def test_decorator() -> None:
    @engine.inference_mode()
    def predict(x: Any) -> Any:
        return engine.sigmoid(x @ x)

    assert predict(engine.tensor([1.0, 2.0])).is_inference


@pytest.mark.parametrize(
    "make",
    [
        lambda w: engine.tensor([1.0]),
        lambda w: w * w,
        lambda w: w + 1.0,
        lambda w: engine.softmax(w, axis=0),
        lambda w: engine.concat([w, w]),
        lambda w: w > 0.0,
        lambda w: engine.argmax(w, axis=0),
        lambda w: (w * 2.0).reshape((2, 1)),
        lambda w: w.reshape((2, 1)).copy(),
    ],
)
def test_what_is_made_is_an_inference_tensor(make: Callable[[Any], Any]) -> None:
    w = parameter()
    with engine.inference_mode():
        x = make(w)
    assert x.is_inference
    assert not x.requires_grad
    assert x.is_leaf


def test_what_was_there_stays_what_it_is() -> None:
    w = parameter()
    plain = engine.tensor([1.0, 2.0])
    with engine.inference_mode():
        view = w.reshape((2, 1))
        plain.add_(1.0)
        plain[0] = 10.0
        w.mul_(2.0)
    assert not view.is_inference
    assert not w.is_inference
    assert plain.version == 2
    assert plain.tolist() == [10.0, 3.0]
    engine.sum(w * plain).backward()
    assert w.grad is not None
    assert w.grad.tolist() == [10.0, 3.0]


def test_a_write_is_noticed_by_what_was_recorded_before() -> None:
    w, x = parameter(), engine.tensor([1.0, 2.0])
    loss = engine.sum(w * x)
    with engine.inference_mode():
        x.add_(1.0)
    with pytest.raises(engine.StateError, match="modified in place"):
        loss.backward()


def test_computing_outside_goes_on() -> None:
    x, w = made(), parameter()
    y = x * 2.0
    assert not y.is_inference
    assert y.tolist() == [6.0, 12.0]
    assert x.reshape((2, 1)).is_inference
    # A sum saves none of its operands.
    loss = engine.sum(w + x)
    loss.backward()
    assert w.grad is not None
    assert w.grad.tolist() == [1.0, 1.0]
    again = engine.sum(w * x.copy())
    again.backward()
    assert w.grad.tolist() == [4.0, 7.0]


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda x, w: w * x, ["mul", "'b'", "a: float32 (2,), b: float32 (2,)"]),
        (lambda x, w: engine.matmul(x, w), ["matmul", "'a'"]),
        (lambda x, w: engine.where(x > 3.0, w, 0.0) * x, ["mul", "'b'"]),
        (lambda x, w: engine.concat([w, w]) * x.reshape((2, 1)), ["mul", "'b'", "a: float32 (4,), b: float32 (2, 1)"]),
        (lambda x, w: w.reshape((2, 1)) @ x.reshape((1, 2)), ["matmul", "'b'", "float32 (1, 2)"]),
        (lambda x, w: x.requires_grad_(), ["requires_grad", "float32 (2,)"]),
        (lambda x, w: x.add_(1.0), ["add", "float32 (2,)", "overwritten"]),
        (lambda x, w: x.exp_(), ["exp", "float32 (2,)", "overwritten"]),
        (lambda x, w: x.reshape((2, 1)).add_(1.0), ["add", "float32 (2, 1)", "overwritten"]),
        (lambda x, w: x.__setitem__(0, 1.0), ["overwrite", "float32 ()"]),
        (lambda x, w: x.version, ["version", "float32 (2,)"]),
    ],
)
def test_refused(use: Callable[[Any, Any], Any], words: list[str]) -> None:
    x, w = made(), parameter()
    before = x.numpy().copy()
    with pytest.raises(engine.StateError) as caught:
        use(x, w)
    for word in [*words, "inference mode"]:
        assert word in str(caught.value)
    np.testing.assert_array_equal(x.numpy(), before)


def test_a_write_is_refused_under_no_grad_too() -> None:
    x = made()
    with engine.no_grad(), pytest.raises(engine.StateError, match="inference mode"):
        x += 1.0
    with engine.inference_mode():
        x += 1.0
    assert x.tolist() == [4.0, 7.0]


def test_a_parameter_made_inside_stays_out_of_recordings() -> None:
    with engine.inference_mode():
        w = engine.tensor([1.0], requires_grad=True)
    with pytest.raises(engine.StateError, match="inference mode"):
        _ = w * 2.0


def test_custom_function_cannot_save_one() -> None:
    class Scale(engine.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, by: Any) -> Any:
            ctx.save(by)
            return x * by

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved[0], None

    with pytest.raises(engine.StateError, match="inference mode"):
        Scale.apply(parameter(), made())
