"""How a plan calls NumPy for an op: straight to the ufunc where there is one, past the kernel's own Python call.

Each function gives the text of the call from the texts of the operands; ``bind`` makes an object known to the generated
function under a name. Whatever is not here calls the op's kernel. Tests compare every entry with its kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import StateError
from engine.ops import TABLE
from engine.ops.activations import zeros_beside
from engine.ops.reductions import count_reduced
from engine.ops.undispatched import dot
from engine.passes.draft import CHAIN, Step
from engine.static.binding import Names
from engine.static.inline_losses import gradient

Bind = Names
Inline = Callable[[Step, Sequence[str], "str | None", Bind], "str | None"]

_ONLY_NAMED_OUT = frozenset({np.maximum, np.minimum})


def call(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str:
    """The text that computes ``step`` from ``operands`` into ``out`` (``None``: a new array)."""
    if step.parts:
        if out is None:
            raise StateError(f"{step.name!r} is fused: it needs a name for its buffer")
        return "; ".join(chain(step, operands, out, bind))
    special = INLINE.get(step.op)
    if special is not None:
        text = special(step, operands, out, bind)
        if text is not None:
            return text
    declared = TABLE[step.op]
    kernel = declared.kernel
    if isinstance(kernel, np.ufunc) and not step.attributes:
        name = bind(kernel.__name__, kernel)
        given = list(operands)
        if out is not None:
            given.append(f"out={out}" if kernel in _ONLY_NAMED_OUT else out)
        return f"{name}({', '.join(given)})"
    name = bind(f"{step.op}_kernel", kernel)
    given = [*operands, *(f"{key}={literal(value, bind)}" for key, value in step.attributes.items())]
    if out is not None:
        given.append(f"out={out}")
    return f"{name}({', '.join(given)})"


def chain(step: Step, operands: Sequence[str], out: str, bind: Bind, fresh: bool = False) -> list[str]:
    """The texts that compute the parts of a fused step, all in ``out``; ``fresh``: the first makes a new array of that
    name."""
    texts: list[str] = []
    before: Step | None = None
    for part in step.parts:
        reads = [before if i == CHAIN else step.inputs[i][0] for i in part.operands]
        given = [out if i == CHAIN else operands[i] for i in part.operands]
        inputs = [(read, 0) for read in reads if read is not None]
        one = Step(0, part.op, inputs, part.attributes, [], part.type, step.name, "", -1)
        if fresh and before is None:
            texts.append(f"{out} = {call(one, given, None, bind)}")
        else:
            texts.append(call(one, given, out, bind))
        before = one
    return texts


def literal(value: Any, bind: Bind) -> str:
    """``value`` as text: plain Python values as they are, everything else by name."""
    if value is None or type(value) in (bool, int):
        return repr(value)
    if type(value) is tuple and all(type(item) in (bool, int) or item is None for item in value):
        return repr(value)
    return bind("value", value)


def _reduction(function: Any, name: str) -> Inline:
    def text(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
        # add.reduce widens small integers by itself just as the kernel does: the same call, without the wrapper.
        axis, keepdims = step.attributes.get("axis"), bool(step.attributes.get("keepdims"))
        rest = f"{literal(axis, bind)}, None, {out}" + (", True" if keepdims else "")
        return f"{bind(name, function)}({operands[0]}, {rest})"

    return text


def _reshape(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    shape: Mapping[str, Any] | Any = step.attributes["shape"]
    return f"{operands[0]}.reshape({literal(tuple(shape), bind)})"


def _transpose(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    axes = step.attributes.get("axes")
    return f"{operands[0]}.T" if axes is None else f"{operands[0]}.transpose({literal(tuple(axes), bind)})"


def _identity(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    return operands[0]


def _mean(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    operand, axis = step.inputs[0][0].type, step.attributes.get("axis")
    if operand is None or not operand.is_known or step.type is None:
        return None
    count = count_reduced(operand.shape, axis) - step.attributes.get("ddof", 0)  # type: ignore[arg-type]
    divisor = bind("n", np.array(count, step.type.dtype))
    summed = _reduction(np.add.reduce, "add_reduce")(step, operands, out, bind)
    if out is None:
        return f"{bind('true_divide', np.true_divide)}({summed}, {divisor})"
    return f"{summed}; {bind('true_divide', np.true_divide)}({out}, {divisor}, {out})"


def _sum_to(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    old, new = step.inputs[0][0].type, step.attributes.get("shape")
    if old is None or old.shape is None or new is None or not old.is_known:
        return None
    if old.shape == new:
        return operands[0]
    lead = len(old.shape) - len(new)
    if old.shape[lead:] != new or lead == 0:
        return None
    if lead == 1 and len(new) == 1 and old.dtype.kind == "f":
        # The kernel multiplies by a row of ones where memory allows it: so must this, for the same last digit.
        if not bind.is_contiguous(operands[0]) or old.dtype.itemsize < 4:
            return None
        ones = bind("ones", ONES.setdefault((old.dtype.str, old.shape[0]), np.ones(old.shape[0] or 0, old.dtype)))
        return f"{bind('dot', dot)}({', '.join([ones, operands[0]] + ([out] if out else []))})"
    axes = 0 if lead == 1 else tuple(range(lead))
    return f"{bind('add_reduce', np.add.reduce)}({operands[0]}, {axes}, None, {out})"


ONES: dict[tuple[str, int | None], np.ndarray] = {}


def _matmul(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    types = [read.type for read, _ in step.inputs]
    if any(t is None or t.shape is None or len(t.shape) != 2 or t.dtype.kind != "f" for t in types):
        return None
    flags = (step.attributes.get("transpose_a"), step.attributes.get("transpose_b"))
    given = [bind.turned(text) if flag else text for text, flag in zip(operands, flags, strict=True)]
    # For two plain matrices dot is matmul without the dispatch over batches: about half the call's own cost.
    return f"{bind('dot', dot)}({', '.join(given + ([out] if out else []))})"


def _relu(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    if step.type is None:
        return None
    many = None
    if step.type.is_known and step.inputs[0][0].type == step.type:
        many = zeros_beside(step.type.shape, step.type.dtype, _MANY_ZEROS)  # type: ignore[arg-type]
    if many is not None and many.ndim:
        text = bind("zeros", ZERO_ROWS.setdefault(many.shape, many))
        return f"{bind('maximum', np.maximum)}({operands[0]}, {text}{f', out={out}' if out else ''})"
    zero = bind("zero", ZEROS.setdefault(step.type.dtype.str, np.zeros((), step.type.dtype)))
    return f"{bind('maximum', np.maximum)}({operands[0]}, {zero}{f', out={out}' if out else ''})"


def _relu_grad(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    g, result = (read.type for read, _ in step.inputs)
    if (
        out is None
        or step.type is None
        or g is None
        or result is None
        or not step.type.dtype == g.dtype == result.dtype
    ):
        return None
    zero = bind("zero", ZEROS.setdefault(step.type.dtype.str, np.zeros((), step.type.dtype)))
    slope = f"{bind('greater', np.greater)}({operands[1]}, {zero}, {out})"
    return f"{slope}; {bind('multiply', np.multiply)}({operands[0]}, {out}, {out})"


_MANY_ZEROS = 128
"""From how many elements on zeros beside each are faster than one: a plan makes their view once, so they cost no
call."""
ZEROS: dict[str, np.ndarray] = {}
ZERO_ROWS: dict[tuple[int, ...], np.ndarray] = {}
"""Views by shape, so that one plan knows each under one name."""


def is_view(step: Step) -> bool:
    """Whether the result may share memory with the first operand."""
    if step.op == "sum_to":
        old = step.inputs[0][0].type
        return old is None or not old.is_known or old.shape == step.attributes["shape"]
    return TABLE[step.op].view


def takes_out(step: Step, operands: Sequence[str], bind: Bind) -> bool:
    """Whether :func:`call` can write into a buffer."""
    if step.op == "sum_to":
        return _sum_to(step, operands, "out", bind) is not None
    if step.op == "relu_grad":
        return _relu_grad(step, operands, "out", bind) is not None
    if step.op == "mse_loss_grad":
        return len({t.dtype for t in (step.type, *(read.type for read, _ in step.inputs)) if t is not None}) == 1
    return bool(step.parts) or TABLE[step.op].accepts_out


def _spread(step: Step, operands: Sequence[str], out: str | None, bind: Bind) -> str | None:
    operand = step.inputs[0][0].type
    if out is None or operand is None or operand.shape != ():
        return None
    return f"{out}.fill({operands[0]})"


INLINE: dict[str, Inline] = {
    "sum": _reduction(np.add.reduce, "add_reduce"),
    "max": _reduction(np.maximum.reduce, "maximum_reduce"),
    "min": _reduction(np.minimum.reduce, "minimum_reduce"),
    "mean": _mean,
    "matmul": _matmul,
    "relu": _relu,
    "relu_grad": _relu_grad,
    "sum_to": _sum_to,
    "reshape": _reshape,
    "transpose": _transpose,
    "identity": _identity,
    "stop_gradient": _identity,
    "spread": _spread,
    "broadcast_to": _spread,
    "mse_loss_grad": gradient,
}
