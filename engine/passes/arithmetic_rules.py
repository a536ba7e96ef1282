"""The rules of arithmetic simplification. Each is exact: the shorter form gives the same values to the bit.

A rule takes a step and the fed steps (whose operands say nothing about their value), and gives what can stand for the
step (one of its operands, or a :class:`Form`) with the reason, or ``None``. Not-a-numbers count as equal whatever their
sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.ops import TABLE
from engine.passes.draft import Step

Fed = frozenset[Step]
_LARGEST = 4096
"""Constants of more elements are not looked into."""


@dataclass(frozen=True)
class Form:
    """A step that does not exist yet. ``made`` are the constants among its inputs that do not exist yet either."""

    op: str
    inputs: tuple[Step, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    made: tuple[Step, ...] = ()


Found = tuple["Step | Form", str] | None
Rule = Callable[[Step, Fed], Found]


def splat(step: Step, fed: Fed) -> Any:
    """The one value that every element of a constant has; ``None`` if there is none (-0 and 0 differ)."""
    if step.op != "constant" or step in fed or step.control:
        return None
    value = step.attributes["value"]
    if not 0 < value.size <= _LARGEST or value.dtype.kind not in "biuf":
        return None
    first = value.flat[0]
    if value.size == 1:
        return first if first == first else None
    same = np.all(value == first) and np.all(np.signbit(value) == np.signbit(first))
    return first if same else None


def inner(step: Step, place: int, op: str, fed: Fed) -> Step | None:
    """The operand of ``step`` at ``place`` if it is an ``op`` that really runs in this plan."""
    read = step.inputs[place][0]
    return read if read.op == op and read not in fed and not read.control else None


def _kind(step: Step) -> str:
    return step.type.dtype.kind if step.type is not None else ""


def _unchanged(step: Step, operand: Step) -> bool:
    """Whether ``operand`` has the very type of ``step``, so that nothing was broadcast or cast."""
    return step.type is not None and step.type == operand.type and step.type.is_known


def _effectless(step: Step, fed: Fed) -> bool:
    """Whether nothing but values comes from ``step`` and what it reads, so that it can go."""
    waiting, seen = [step], {step}
    while waiting:
        one = waiting.pop()
        if one in fed:
            continue
        if one.control or one.op.startswith("assign") or (one.op in TABLE and TABLE[one.op].stateful):
            return False
        fresh = [read for read, _ in one.inputs if read not in seen]
        seen.update(fresh)
        waiting += fresh
    return True


def _one_dtype(step: Step, *operands: Step) -> bool:
    """Whether nothing is promoted on the way (a negated small integer is another number in a wider type)."""
    dtype = step.type.dtype if step.type is not None else None
    return all(read.type is not None and read.type.dtype == dtype for read in operands)


def _neutral(value: Any, text: str, wanted: Callable[[Any, str], bool], places: tuple[int, ...]) -> Rule:
    def rule(step: Step, fed: Fed) -> Found:
        for place in places:
            other, operand = step.inputs[place][0], step.inputs[1 - place][0]
            constant = splat(other, fed)
            if constant is None or constant != value or not wanted(constant, _kind(step)):
                continue
            if _unchanged(step, operand):
                return operand, f"{step.name} {text}"
        return None

    return rule


def _any(_constant: Any, _kind: str) -> bool:
    return True


def _harmless_zero(constant: Any, kind: str) -> bool:
    return kind in "iu" or (kind == "f" and bool(np.signbit(constant)))


def _positive_zero(constant: Any, kind: str) -> bool:
    return kind in "iu" or (kind == "f" and not np.signbit(constant))


def _same_twice(step: Step, fed: Fed) -> Found:
    """x - x of integers is zero; of floating-point numbers it is not (infinity, not-a-number)."""
    a, b = step.inputs[0][0], step.inputs[1][0]
    if a is not b or step.type is None or not step.type.is_known or _kind(step) not in "iu" or not _effectless(a, fed):
        return None
    value = np.zeros(tuple(n or 0 for n in step.type.shape or ()), step.type.dtype)
    value.flags.writeable = False
    return Form("constant", (), {"value": value}), f"{step.name} takes an integer from itself: that is 0"


def _chosen_from_one(step: Step, fed: Fed) -> Found:
    a, b = step.inputs[0][0], step.inputs[1][0]
    return (a, f"{step.name} chooses between {a.name} and itself") if a is b and _unchanged(step, a) else None


def _add_negated(step: Step, fed: Fed) -> Found:
    a, b = step.inputs[0][0], step.inputs[1][0]
    for place, other in ((1, a), (0, b)):
        negated = inner(step, place, "neg", fed)
        if negated is not None and _one_dtype(step, negated, other):
            source = negated.inputs[0][0]
            return Form("sub", (other, source)), f"adding {negated.name} is subtracting {source.name}"
    return None


def _subtract_negated(step: Step, fed: Fed) -> Found:
    negated = inner(step, 1, "neg", fed)
    if negated is None or not _one_dtype(step, negated, step.inputs[0][0]):
        return None
    source = negated.inputs[0][0]
    return Form("add", (step.inputs[0][0], source)), f"subtracting {negated.name} is adding {source.name}"


def _both_negated(step: Step, fed: Fed) -> Found:
    a, b = inner(step, 0, "neg", fed), inner(step, 1, "neg", fed)
    if a is None or b is None or not _one_dtype(step, a, b):
        return None
    return Form(step.op, (a.inputs[0][0], b.inputs[0][0])), f"the signs of {a.name} and {b.name} cancel"


def _times_minus_one(step: Step, fed: Fed) -> Found:
    for place in (0, 1):
        operand = step.inputs[1 - place][0]
        constant = splat(step.inputs[place][0], fed)
        if constant is not None and constant == -1 and _kind(step) in "if" and _unchanged(step, operand):
            return Form("neg", (operand,)), f"{step.name} multiplies by -1: that is a change of sign"
    return None


def _divide_by_power_of_two(step: Step, fed: Fed) -> Found:
    """1 / 2^k is exact, so multiplying by it rounds the same way, and is several times as fast."""
    divisor = step.inputs[1][0]
    constant = splat(divisor, fed)
    if constant is None or _kind(step) != "f" or divisor.type is None or divisor.type.dtype != step.type.dtype:  # type: ignore[union-attr]
        return None
    mantissa, exponent = np.frexp(abs(constant))
    if mantissa != 0.5 or not -30 < exponent < 30 or constant == 1 or step.type.dtype.itemsize < 4:  # type: ignore[union-attr]
        return None
    value = np.array(np.reciprocal(divisor.attributes["value"]))
    value.flags.writeable = False
    made = Step(0, "constant", [], {"value": value}, [], divisor.type, "", "Const", -1)
    reason = f"dividing by {constant} is multiplying by {1 / constant}, exactly"
    return Form("mul", (step.inputs[0][0], made), made=(made,)), reason


def _twice(op: str, text: str) -> Rule:
    """f(f(x)) = x."""

    def rule(step: Step, fed: Fed) -> Found:
        first = inner(step, 0, op, fed)
        return None if first is None else (first.inputs[0][0], f"{step.name} {text} {first.name}")

    return rule


def _idempotent(step: Step, fed: Fed) -> Found:
    first = inner(step, 0, step.op, fed)
    return None if first is None else (first, f"{first.name} is a {step.op} already: a second one changes nothing")


def _even(step: Step, fed: Fed) -> Found:
    negated = inner(step, 0, "neg", fed)
    if negated is None or _kind(step) not in "if":
        return None
    return Form(step.op, (negated.inputs[0][0],)), f"{step.name} does not depend on the sign, so {negated.name} can go"


def _cast_back(step: Step, fed: Fed) -> Found:
    first = inner(step, 0, "cast", fed)
    if first is None or step.type is None or first.type is None:
        return None
    source = first.inputs[0][0]
    if source.type is None or source.type.dtype != step.type.dtype or source.type.dtype == first.type.dtype:
        return None
    from_type, wide = source.type.dtype, first.type.dtype
    # NumPy calls int64 -> float64 safe, but beyond 2**53 it rounds.
    rounds = from_type.kind in "iu" and from_type.itemsize == 8 and wide.kind == "f"
    if rounds or wide.kind == "c" or not np.can_cast(from_type, wide, "safe"):
        return None
    return source, f"{step.name} casts back what {first.name} made wider ({first.type.dtype})"


def _axes(step: Step) -> tuple[int, ...] | None:
    kind = step.inputs[0][0].type
    if kind is None or kind.shape is None:
        return None
    rank, axes = len(kind.shape), step.attributes.get("axes")
    return tuple(range(rank))[::-1] if axes is None else tuple(a % rank for a in axes)


def _transposes(step: Step, fed: Fed) -> Found:
    outer = _axes(step)
    if outer is None:
        return None
    if outer == tuple(range(len(outer))):
        return step.inputs[0][0], f"{step.name} leaves every axis where it is"
    first = inner(step, 0, "transpose", fed)
    axes = _axes(first) if first is not None else None
    if first is None or axes is None:
        return None
    together, source = tuple(axes[a] for a in outer), first.inputs[0][0]
    if together == tuple(range(len(together))):
        return source, f"{step.name} undoes {first.name}"
    return Form("transpose", (source,), {"axes": together}), f"{first.name} and {step.name} are one transposition"


def _into_product(step: Step, fed: Fed) -> Found:
    """The transpose of a matrix operand is a flag of the product: the same BLAS call on the same memory."""
    for place, flag in enumerate(("transpose_a", "transpose_b")):
        turned = inner(step, place, "transpose", fed)
        axes = _axes(turned) if turned is not None else None
        if turned is None or axes is None or not _swaps_the_last_two(axes):
            continue
        inputs = [read for read, _ in step.inputs]
        inputs[place] = turned.inputs[0][0]
        attributes = {**step.attributes, flag: not step.attributes.get(flag)}
        return Form(step.op, tuple(inputs), attributes), f"{turned.name} becomes a flag of the product ({flag})"
    return None


def _swaps_the_last_two(axes: tuple[int, ...]) -> bool:
    rank = len(axes)
    return rank >= 2 and axes == (*range(rank - 2), rank - 1, rank - 2)


_RESHAPES = ("reshape", "expand_dims", "squeeze")


def _reshapes(step: Step, fed: Fed) -> Found:
    for op in _RESHAPES:
        first = inner(step, 0, op, fed)
        if first is None or step.type is None or not step.type.is_known:
            continue
        source = first.inputs[0][0]
        if source.type == step.type:
            return source, f"{step.name} undoes {first.name}"
        if source.type is not None and source.type.is_known:
            form = Form("reshape", (source,), {"shape": step.type.shape})
            return form, f"{first.name} and {step.name} are one reshape"
    return None


RULES: Mapping[str, tuple[Rule, ...]] = {
    "mul": (_neutral(1, "multiplies by 1", _any, (0, 1)), _times_minus_one, _both_negated),
    "div": (_neutral(1, "divides by 1", _any, (1,)), _both_negated, _divide_by_power_of_two),
    "pow": (_neutral(1, "raises to the power 1", _any, (1,)),),
    "add": (_neutral(0, "adds 0", _harmless_zero, (0, 1)), _add_negated),
    "sub": (_neutral(0, "takes 0 away", _positive_zero, (1,)), _same_twice, _subtract_negated),
    "maximum": (_chosen_from_one,),
    "minimum": (_chosen_from_one,),
    "neg": (_twice("neg", "changes the sign back that changed in"),),
    "logical_not": (_twice("logical_not", "turns back"),),
    "abs": (_idempotent, _even),
    "square": (_even,),
    "relu": (_idempotent,),
    "floor": (_idempotent,),
    "ceil": (_idempotent,),
    "trunc": (_idempotent,),
    "round": (_idempotent,),
    "cast": (_cast_back,),
    "transpose": (_transposes,),
    "matmul": (_into_product,),
    "reshape": (_reshapes,),
    "expand_dims": (_reshapes,),
    "squeeze": (_reshapes,),
}

__all__ = ["RULES", "Form", "inner", "splat"]
