"""TensorFlow's words for ops that fail in eager mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.dtypes import from_numpy
from engine.dialects.tensorflow.errors import InvalidArgumentError, ResourceExhaustedError
from engine.dynamic.facade import Primitive
from engine.errors import words_of

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def sizes(shape: Sequence[int]) -> str:
    """A shape as the kernels write it: ``[2,3]``."""
    return f"[{','.join(map(str, shape))}]"


def failed(label: str, text: str, *, name: str | None = "", count: int = 0) -> InvalidArgumentError:
    """What a kernel raises. ``count``: operands of a variadic op; ``name=None``: the message ends without a name.

    >>> str(failed("MatMul", "no"))[-22:]
    ' no [Op:MatMul] name: '
    """
    wrapped = f"{label}_N_{count}" if count else label
    end = "" if name is None else f" name: {name}"
    where = "{{function_node __wrapped__" + f"{wrapped}_device_{_CPU}" + "}} "
    return InvalidArgumentError(None, None, f"{where}{text} [Op:{label}]{end}")


def _permutation(shapes: Any, attributes: Any) -> str | None:
    axes, rank = attributes.get("axes") or (), len(shapes[0])
    if len(axes) != rank:
        return f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(axes)}"
    return None


def _dimension(shapes: Any, attributes: Any) -> str | None:
    axis, rank = attributes.get("axis"), len(shapes[0])
    if isinstance(axis, int) and not -rank <= axis < rank:
        return f"Expected dimension in the range [-{rank}, {rank}), but got {axis}"
    return None


def _repeats(shapes: Any, attributes: Any) -> str | None:
    count, rank = len(attributes["repeats"]), len(shapes[0])
    return (
        None if count == rank else f"Expected multiples argument to be a vector of length {rank} but got length {count}"
    )


def _widths(shapes: Any, attributes: Any) -> str | None:
    widths = attributes["widths"]
    if len(widths) != len(shapes[0]):
        return f"The first dimension of paddings must be the rank of inputs[{len(widths)},2] {sizes(shapes[0])}"
    return None


_KERNELS: dict[str, Any] = {
    "Transpose": _permutation, "ArgMax": _dimension, "ArgMin": _dimension, "Tile": _repeats, "PadV2": _widths,
    "BroadcastTo": lambda shapes, given: f"Incompatible shapes: {sizes(shapes[0])} vs. {sizes(given['shape'])}",
    "SelectV2": lambda shapes, given: (
        f"condition {sizes(shapes[0])}, then {sizes(shapes[1])}, and else {sizes(shapes[2])} must be broadcastable"
    ),
}  # fmt: skip
"""The words of single kernels, from the operands' shapes and the attributes."""


def mixed(label: str, place: int, first: Any, other: Any) -> InvalidArgumentError:
    """Two operands of different dtypes."""
    wanted, got = from_numpy(first)._message, from_numpy(other)._message
    return InvalidArgumentError(
        None, None,
        f"cannot compute {label} as input #{place}(zero-based) was expected to be a {wanted} tensor but is a {got} "
        f"tensor [Op:{label}] name: ",
    )  # fmt: skip


def explain(
    primitive: Primitive, operands: Sequence[Any], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The exception that TensorFlow would raise for an op that failed."""
    label = primitive.label
    arrays = [np.asarray(x._array) for x in operands]
    shapes = [array.shape for array in arrays]
    if isinstance(error, MemoryError):
        return ResourceExhaustedError(None, None, f"failed to allocate memory [Op:{label}]")
    if label == "SparseSoftmaxCrossEntropyWithLogits" and arrays[1].size and arrays[0].ndim:
        wrong = [n for n in arrays[1].reshape(-1).tolist() if not 0 <= n < shapes[0][-1]]
        if wrong:
            text = (
                f"Received a label value of {wrong[0]} which is outside the valid range of [0, {shapes[0][-1]}).  "
                f"Label values: {' '.join(map(str, arrays[1].reshape(-1).tolist()))}"
            )
            return failed(label, text)
    if label == "MatMul" and len(shapes[0]) != len(shapes[1]):
        return failed(label, f"In[0] and In[1] has different ndims: {sizes(shapes[0])} vs. {sizes(shapes[1])}")
    if label in ("MatMul", "BatchMatMulV2"):
        return failed(label, f"Matrix size-incompatible: In[0]: {sizes(shapes[0])}, In[1]: {sizes(shapes[1])}")
    if label == "Reshape":
        wanted = attributes["shape"]
        total = int(np.prod([n for n in wanted if n != -1]))
        text = f"Input to reshape is a tensor with {arrays[0].size} values, but the requested shape "
        multiple = f"requires a multiple of {total}" if -1 in wanted else f"has {total}"
        return failed(label, text + multiple, name=None)
    if label == "ConcatV2":
        axis, first = attributes["axis"], shapes[0]
        for place, shape in enumerate(shapes):
            if len(shape) != len(first):
                text = f"Ranks of all input tensors should match: shape[0] = {sizes(first)} vs. shape[{place}] = "
                return failed(label, f"ConcatOp : {text}{sizes(shape)}", name="concat", count=len(shapes))
            for d, (a, b) in enumerate(zip(first, shape, strict=False)):
                if a != b and d != axis % max(len(first), 1):
                    text = f"ConcatOp : Dimension {d} in both shapes must be equal: shape[0] = {sizes(first)} vs. "
                    return failed(label, f"{text}shape[{place}] = {sizes(shape)}", name="concat", count=len(shapes))
    if label == "Pack":
        place = next((i for i, shape in enumerate(shapes) if shape != shapes[0]), 0)
        text = f"values[0].shape = {sizes(shapes[0])} != values[{place}].shape = {sizes(shapes[place])}"
        return failed(label, f"Shapes of all inputs must match: {text}", name="stack", count=len(shapes))
    if label == "Squeeze":
        axis = attributes["axis"]
        place = axis if isinstance(axis, int) else next((a for a in axis or () if shapes[0][a] != 1), 0)
        if -len(shapes[0]) <= place < len(shapes[0]):
            text = f"Can not squeeze dim[{place}], expected a dimension of 1, got {shapes[0][place]}"
            return failed(label, text)
    said = _KERNELS.get(label)
    told = said(shapes, attributes) if said is not None else None
    if told is not None:
        return failed(label, told)
    if label in ("FloorDiv", "FloorMod") and arrays[-1].dtype.kind in "iu" and not arrays[-1].all():
        return failed(label, "Integer division by zero")
    if label in ("GatherV2", "ScatterNd"):
        return failed(label, words_of(error), name=None)
    if label == "GatherNd":
        return failed(label, f"{words_of(error)}, node name: GatherNd", name=None)
    if "axis" in attributes and len(shapes) == 1:
        axes = attributes["axis"]
        for axis in axes if isinstance(axes, tuple) else (axes,):
            rank = len(shapes[0])
            if isinstance(axis, int) and not -rank <= axis < rank:
                text = f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)"
                return failed(label, text)
    if primitive.op.elementwise and len(shapes) == 2:
        return failed(label, f"Incompatible shapes: {sizes(shapes[0])} vs. {sizes(shapes[1])}")
    return failed(label, str(error))
