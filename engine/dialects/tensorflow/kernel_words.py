"""What TensorFlow's kernels say of operands that cannot go together, from their shapes and the op's attributes: the
same in a graph and while executing eagerly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from engine.dialects.tensorflow.shapes import brackets

Shapes = Sequence[tuple[int, ...]]
Given = Mapping[str, Any]


def kernel_words(label: str, shapes: Shapes, given: Given) -> str | None:
    """What the kernel of ``label`` says; none where it has nothing to say of these.

    >>> kernel_words("Pack", [(2,), (3,)], {"axis": 0})
    'Shapes of all inputs must match: values[0].shape = [2] != values[1].shape = [3]'
    """
    found = _WORDS.get(label)
    return None if found is None or not shapes else found(shapes, given)


def label_words(labels: Any, classes: int) -> str | None:
    """What the cross entropy says of class numbers that are not below ``classes``."""
    low, high = labels.min(), labels.max()
    if low >= 0 and high < classes:
        return None
    said = f"Received a label value of {low if low < 0 else high} which is outside the valid range of [0, {classes})."
    return f"{said}  Label values: {' '.join(map(str, labels.reshape(-1).tolist()))}"


def _axes(given: Given) -> tuple[int, ...]:
    axis = given.get("axis")
    return axis if isinstance(axis, tuple) else () if axis is None else (axis,)


def _concat(shapes: Shapes, given: Given) -> str | None:
    first = shapes[0]
    axis = int(given.get("axis", 0)) % max(len(first), 1)
    for place, other in enumerate(shapes):
        end = f"shape[0] = {brackets(first)} vs. shape[{place}] = {brackets(other)}"
        if len(other) != len(first):
            return f"ConcatOp : Ranks of all input tensors should match: {end}"
        for dim, (a, b) in enumerate(zip(first, other, strict=True)):
            if a != b and dim != axis:
                return f"ConcatOp : Dimension {dim} in both shapes must be equal: {end}"
    return None


def _pack(shapes: Shapes, _given: Given) -> str | None:
    for place, other in enumerate(shapes):
        if other != shapes[0]:
            pair = f"values[0].shape = {brackets(shapes[0])} != values[{place}].shape = {brackets(other)}"
            return f"Shapes of all inputs must match: {pair}"
    return None


def _reshape(shapes: Shapes, given: Given) -> str | None:
    wanted = given.get("shape")
    if not isinstance(wanted, tuple):
        return None
    total = prod(n for n in wanted if n != -1)
    asked = f"requires a multiple of {total}" if -1 in wanted else f"has {total}"
    return f"Input to reshape is a tensor with {prod(shapes[0])} values, but the requested shape {asked}"


def _squeeze(shapes: Shapes, given: Given) -> str | None:
    rank = len(shapes[0])
    for axis in _axes(given):
        if -rank <= axis < rank and shapes[0][axis] != 1:
            return f"Can not squeeze dim[{axis % rank}], expected a dimension of 1, got {shapes[0][axis]}"
    return None


def _transpose(shapes: Shapes, given: Given) -> str | None:
    axes, rank = given.get("axes") or (), len(shapes[0])
    if len(axes) == rank:
        return None
    return f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(axes)}"


def _outside(shapes: Shapes, given: Given) -> int | None:
    rank = len(shapes[0])
    return next((axis for axis in _axes(given) if not -rank <= axis < rank), None)


def _place(shapes: Shapes, given: Given) -> str | None:
    axis, rank = _outside(shapes, given), len(shapes[0])
    return None if axis is None else f"Expected dimension in the range [-{rank}, {rank}), but got {axis}"


def _reduction(shapes: Shapes, given: Given) -> str | None:
    axis, rank = _outside(shapes, given), len(shapes[0])
    return None if axis is None else f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)"


def _tile(shapes: Shapes, given: Given) -> str | None:
    count, rank = len(given["repeats"]), len(shapes[0])
    if count == rank:
        return None
    return f"Expected multiples argument to be a vector of length {rank} but got length {count}"


def _pad(shapes: Shapes, given: Given) -> str | None:
    count = len(given["widths"])
    if count == len(shapes[0]):
        return None
    return f"The first dimension of paddings must be the rank of inputs[{count},2] {brackets(shapes[0])}"


def _select(shapes: Shapes, _given: Given) -> str | None:
    if len(shapes) != 3:
        return None
    condition, then, other = map(brackets, shapes)
    return f"condition {condition}, then {then}, and else {other} must be broadcastable"


_WORDS: dict[str, Callable[[Shapes, Given], str | None]] = {
    "ConcatV2": _concat, "Pack": _pack, "Reshape": _reshape, "Squeeze": _squeeze, "Transpose": _transpose,
    "ArgMax": _place, "ArgMin": _place, "Tile": _tile, "Pad": _pad, "PadV2": _pad, "SelectV2": _select,
    "BroadcastTo": lambda shapes, given: f"Incompatible shapes: {brackets(shapes[0])} vs. {brackets(given['shape'])}",
    **dict.fromkeys(("Sum", "Mean", "Max", "Min", "Prod", "All", "Any", "EuclideanNorm"), _reduction),
}  # fmt: skip
