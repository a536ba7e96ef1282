"""Guards: for which calls an entry holds, and why one does not."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from engine.bridges.function.key import Spec, TensorSpec, ValueSpec, VariableSpec, shape_text

Named = Sequence[tuple[str, Spec]]


def surroundings(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """What a function reads from outside: globals and closure variables that it names, as far as they are data.

    Functions, classes and modules are not looked at: they are taken to stay what they are.
    """
    found: list[tuple[str, Any]] = []
    code = getattr(function, "__code__", None)
    if code is None:
        return found
    scope = function.__globals__
    found += [(f"G[{name!r}]", scope[name]) for name in code.co_names if name in scope]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:
            continue  # not filled yet
    skipped = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
    return [(name, value) for name, value in found if not isinstance(value, skipped) and not callable(value)]


def text(name: str, spec: Spec) -> str:
    """A guard in words.

    >>> import numpy as np
    >>> text("x", TensorSpec(np.dtype("float32"), (None, 2)))
    "tensor 'x': float32 (?, 2)"
    """
    if isinstance(spec, TensorSpec | VariableSpec):
        same = ", the same one" if isinstance(spec, VariableSpec) else ""
        return f"tensor {name!r}: {spec.dtype} {shape_text(spec.shape)}{same}"
    if isinstance(spec, ValueSpec):
        return f"{name} is None" if spec.value is None else f"{name} == {spec.value!r}"
    return f"{name} is the same {spec.kind}"


def failure(name: str, expected: Spec, actual: Spec) -> str:
    """Why a guard fails; empty if it holds."""
    if expected.takes(actual):
        return ""
    if isinstance(expected, TensorSpec) and isinstance(actual, TensorSpec):
        if expected.dtype != actual.dtype:
            return f"tensor {name!r} dtype mismatch. expected {expected.dtype}, actual {actual.dtype}"
        if len(expected.shape) != len(actual.shape):
            return f"tensor {name!r} rank mismatch. expected {len(expected.shape)}, actual {len(actual.shape)}"
        place = next(
            i for i, (a, b) in enumerate(zip(expected.shape, actual.shape, strict=True)) if a is not None and a != b
        )
        wanted, got = expected.shape[place], actual.shape[place]
        return f"tensor {name!r} size mismatch at index {place}. expected {wanted}, actual {got}"
    return f"{text(name, expected)} fails: it is {actual}"
