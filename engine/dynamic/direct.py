"""The short way through an op: one function for a primitive, written once, for tensors that need no preparation.

:func:`engine.dynamic.apply.apply` takes anything. Most calls are plainer: tensors of one dtype, attributes left at
their defaults, nobody listening. For them a straight-line function does the same without lists, loops and look-ups,
and hands everything else on to ``apply``::

    def matmul(a, b):
        if events.listener is not None:
            return apply_observed(events.listener, primitive, (a, b), attributes)
        x_0 = a._array; x_1 = b._array; dtype = x_0.dtype
        if x_1.dtype is not dtype: ...
        value = kernel(x_0, x_1)
        out = new(Tensor); out._array = value; ...
        if modes.enabled: ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from os.path import dirname
from typing import Any

import numpy as np

from engine import events
from engine.dynamic import modes
from engine.dynamic.apply import apply, apply_observed, failure, note_view, record
from engine.dynamic.facade import NO_ATTRIBUTES, Primitive
from engine.dynamic.inplace import write
from engine.dynamic.nodes import GradNode
from engine.dynamic.tensor import InferenceStorage, Number, Operand, Storage, Tensor
from engine.ops.registry import REQUIRED, Op

Direct = Callable[..., Tensor]

_FOLDER = dirname(__file__)
"""Where generated functions say that they come from, so that tracebacks of programs leave them out like the rest."""


def direct(primitive: Primitive) -> Direct:
    """``primitive`` as a function of tensors alone, as many as the op has operands, with its attributes' defaults.

    >>> from engine.dynamic.facade import Facade
    >>> add = direct(Facade("native", Tensor).primitive("add"))
    >>> add(Tensor(np.ones(2)), Tensor(np.ones(2)))._array.tolist()
    [2.0, 2.0]

    :raises TypeError: the op is variadic, or an attribute has no default.
    """
    op = primitive.op
    if not is_direct(op):
        raise TypeError(f"{op.name} cannot be called with operands alone")
    names = [f"a_{i}" for i in range(len(op.inputs))]
    shown = dict(op.attributes) if primitive.facade.shows_defaults else NO_ATTRIBUTES
    scope: dict[str, Any] = {
        "apply": apply, "apply_observed": apply_observed, "failure": failure, "note_view": note_view,
        "events": events, "modes": modes,
        "primitive": primitive, "attributes": shown, "nothing": NO_ATTRIBUTES, "kernel": primitive.kernel,
        "new": object.__new__, "Kind": primitive.result, "Storage": Storage, "Inference": InferenceStorage,
        "ndarray": np.ndarray, "asarray": np.asarray,
    }  # fmt: skip
    text = _text(primitive, names, _given(op, scope), scope)
    exec(compile(text, f"{_FOLDER}/<{op.name}>", "exec"), scope)
    made: Direct = scope["run"]
    made.__name__ = made.__qualname__ = primitive.label
    return made


def is_direct(op: Op) -> bool:
    """Whether an op may be called with operands alone."""
    return bool(op.inputs) and not op.variadic and REQUIRED not in op.attributes.values()


def writing(primitive: Primitive, operand: Callable[[Any], Operand]) -> Callable[[Any, Any], Tensor]:
    """An in-place method of an op of two operands, like ``x.add_(y)``. ``operand`` makes an operand of what is neither
    a tensor nor a plain number.

    What :func:`engine.dynamic.inplace.write` finds out about an optimiser's step, this asks straight away.
    """
    kernel, through, kind_of_tensors = primitive.kernel, primitive.writes_through, primitive.facade.tensor

    def method(self: Any, other: Any) -> Tensor:
        kind = other.__class__
        second: Any
        if kind is kind_of_tensors:
            second, value, taped = other, other._array, self._requires_grad or other._requires_grad
        elif kind is float or kind is int:
            second, value, taped = None, other, self._requires_grad
        else:
            return write(primitive, (self, operand(other)))
        plainly = through and events.listener is None and self._view is None and not self._storage.inference
        if plainly and not (taped and modes.enabled):
            old = self._array
            dtype = old.dtype
            if dtype.kind == "f" and (second is None or (value.dtype is dtype and value.shape == old.shape)):
                kernel(old, value, old)
                self._storage.version += 1
                return self  # type: ignore[no-any-return]
        return write(primitive, (self, Number(other) if second is None else second))

    return method


def _given(op: Op, scope: dict[str, Any]) -> str:
    """The attributes whose defaults the kernel does not share, as further arguments of its call."""
    if not op.attributes:
        return ""
    try:
        known: Mapping[str, inspect.Parameter] = inspect.signature(op.kernel).parameters
    except ValueError:  # written in C without a signature
        known = {}
    texts = []
    for name, value in op.attributes.items():
        own = known[name].default if name in known else REQUIRED
        if own.__class__ is not value.__class__ or own != value:
            scope[f"default_{name}"] = value
            texts.append(f", {name}=default_{name}")
    return "".join(texts)


def _text(primitive: Primitive, names: list[str], given: str, scope: dict[str, Any]) -> str:
    operands = "".join(f"{name}, " for name in names)
    arrays = [f"x_{i}" for i in range(len(names))]
    general = f"return apply(primitive, ({operands}), attributes)"
    lines = [f"def run({', '.join(names)}):", "    if events.listener is not None:"]
    lines += [f"        return apply_observed(events.listener, primitive, ({operands}), attributes)"]
    lines += [f"    {array} = {name}._array" for array, name in zip(arrays, names, strict=True)]
    tests = ["dtype.kind not in 'fc'"] if primitive.promotes & 1 else []
    if primitive.promotes > 1:
        tests += [f"{array}.dtype is not dtype" for array in arrays[1:]]
    if tests or primitive.differentiable:
        lines.append("    dtype = x_0.dtype")
    if tests:
        lines += [f"    if {' or '.join(tests)}:", f"        {general}"]
    lines += [
        "    try:",
        f"        value = kernel({', '.join(arrays)}{given})",
        "    except Exception as error:",
        f"        raise failure(primitive, ({operands}), attributes, error) from None",
        "    if value.__class__ is not ndarray:",
        "        value = asarray(value)",
        "    out = new(Kind)",
        "    out._array = value",
        "    out._storage = Storage()",
        "    out._requires_grad = False",
        "    out._grad_fn = out._grad = out._view = out._accumulate = out._hooks = None",
        "    out._node = -1",
    ]
    if primitive.differentiable:
        lines.append("    if modes.enabled and (value.dtype is dtype or value.dtype.kind in 'fc'):")
        lines += _taping(primitive, names, 0, 0, "        ", scope)
    # Asked only where nothing is recorded: an inference tensor is never on the tape.
    lines += [
        f"    {'elif' if primitive.differentiable else 'if'} modes.inference:",
        "        out._storage = Inference()",
    ]
    if primitive.is_view:
        lines.append(f"    note_view(primitive, ({operands}), nothing, out)")
    return "\n".join([*lines, "    return out"])


def _taping(
    primitive: Primitive, names: list[str], place: int, mask: int, indent: str, scope: dict[str, Any]
) -> list[str]:
    """Decide, operand by operand, which of them need a gradient; then make the node."""
    if place == len(names):
        if not mask:
            return [f"{indent}pass"]
        scope[f"tape_{mask}"] = _first_tape(primitive, mask, scope)
        return [f"{indent}tape_{mask}(out, nothing, {', '.join(names)})"]
    return [
        f"{indent}if {names[place]}._requires_grad:",
        *_taping(primitive, names, place + 1, mask | 1 << place, f"{indent}    ", scope),
        f"{indent}else:",
        *_taping(primitive, names, place + 1, mask, f"{indent}    ", scope),
    ]


def _first_tape(primitive: Primitive, mask: int, scope: dict[str, Any]) -> Callable[..., GradNode | None]:
    """Stands for a recipe's ``tape`` until it is called: only then the recipe is written."""

    def tape(out: Tensor, attributes: dict[str, Any], *operands: Tensor) -> GradNode | None:
        scope[f"tape_{mask}"] = primitive.recipe(mask, len(operands)).tape
        return record(primitive, operands, attributes, out, mask)

    return tape
