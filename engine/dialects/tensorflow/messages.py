"""The runtime's words for operands that cannot go together, raised while the graph is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.labels import EXTRA
from engine.dialects.tensorflow.shapes import Static, brackets

ENUM = {
    "float32": "DT_FLOAT",
    "float64": "DT_DOUBLE",
    "int32": "DT_INT32",
    "int64": "DT_INT64",
    "bool": "DT_BOOL",
    "string": "DT_STRING",
    "float16": "DT_HALF",
    "uint8": "DT_UINT8",
    "int8": "DT_INT8",
    "int16": "DT_INT16",
}


def shape_message(
    tf_type: str,
    name: str,
    inputs: Sequence[Tensor],
    extra: Sequence[Tensor],
    shown: Mapping[str, str],
    attributes: Mapping[str, Any],
    error: Exception,
) -> str:
    """What TensorFlow says: what is wrong, for which node, with which input shapes."""
    shapes = [t._node.shape for t in inputs]
    typed = inputs[tf_type == "Select" :][:1]  # what chooses is bool
    listed = {"T": ENUM.get(typed[0].dtype.base_dtype.name, "DT_FLOAT")} if typed else {}
    listed.update(EXTRA.get(tf_type, {}))
    for key, other in (("transpose_a", "adj_x"), ("transpose_b", "adj_y")):
        if attributes.get(key):
            listed[key if tf_type == "MatMul" else other] = "true"
    listed.update(shown)
    text = ", ".join(f"{key}={listed[key]}" for key in sorted(listed))
    operands = ", ".join(t.name.removesuffix(":0") for t in (*inputs, *extra))
    all_shapes = ", ".join(brackets(t._node.shape) for t in (*inputs, *extra))
    what = _what(tf_type, shapes, attributes, error)
    # Where shapes differ in rank alone, the runtime has not looked at the values yet.
    tail = "" if what.startswith("Shape must be rank") else _computed(extra, len(inputs), what.startswith("perm dim"))
    if tf_type in ("Pack", "AddN") and what.startswith("Dimension "):
        return what
    return f"{what} for '{{{{node {name}}}}} = {tf_type}[{text}]({operands})' with input shapes: {all_shapes}{tail}."


def _computed(extra: Sequence[Tensor], count: int, with_order: bool) -> str:
    parts = []
    for place, tensor in enumerate(extra, count):
        value = tensor._node.attributes.get("value")
        if value is not None and value.ndim == 0:
            parts.append(f"input[{place}] = <{value}>")
        elif value is not None and tensor.op.name.endswith("/perm") and with_order:
            parts.append(f"input[{place}] = <{' '.join(map(str, value.tolist()))}>")
        elif value is not None and tensor.op.name.endswith("/shape"):
            sizes = brackets(tuple(None if n == -1 else n for n in value.tolist()))
            return f" and with input tensors computed as partial shapes: input[{place}] = {sizes}"
    return f" and with computed input tensors: {', '.join(parts)}" if parts else ""


def _what(tf_type: str, shapes: Sequence[Static], attributes: Mapping[str, Any], error: Exception) -> str:
    if tf_type == "Select":
        return _select(*shapes)
    if tf_type == "BatchMatMulV2" and None not in shapes:
        pair = _broadcast_pair([shape[:-2] for shape in shapes if shape is not None])
        if pair is not None:
            return f"Dimensions must be equal, but are {pair[0]} and {pair[1]}"
    if tf_type in ("MatMul", "BatchMatMulV2"):
        for shape in shapes:
            if shape is not None and len(shape) != 2 and tf_type == "MatMul":
                return f"Shape must be rank 2 but is rank {len(shape)}"
        first, second = shapes[0], shapes[1]
        if first is not None and second is not None:
            left = first[-2 if attributes.get("transpose_a") else -1]
            right = second[-1 if attributes.get("transpose_b") else -2]
            return f"Dimensions must be equal, but are {left} and {right}"
    if tf_type in ("Assign", "AssignAdd", "AssignSub", "ApplyGradientDescent") and None not in shapes:
        return _both(shapes[0], shapes[1])
    if tf_type == "ConcatV2":
        return _concat(shapes, attributes)
    if tf_type == "Transpose" and shapes[0] is not None and attributes.get("axes") is not None:
        rank = len(shapes[0])
        outside = next((axis for axis in attributes["axes"] if not 0 <= axis < rank), None)
        if len(attributes["axes"]) == rank and outside is not None:
            return f"perm dim {outside} is out of range of input rank {rank}"
        return f"Dimension must be {len(shapes[0])} but is {len(attributes['axes'])}"
    if tf_type == "Squeeze" and shapes[0] is not None and attributes.get("axis") is not None:
        axes = attributes["axis"]
        for axis in axes if isinstance(axes, tuple) else (axes,):
            if -len(shapes[0]) <= axis < len(shapes[0]) and shapes[0][axis] not in (1, None):
                return f"Can not squeeze dim[{axis}], expected a dimension of 1, got {shapes[0][axis]}"
    if tf_type == "ExpandDims" and shapes[0] is not None:
        return f"dim {attributes['axis']} not in the interval [{-len(shapes[0]) - 1}, {len(shapes[0])}]."
    if tf_type in ("ArgMax", "ArgMin") and shapes[0] is not None:
        rank = len(shapes[0])
        return (
            f"Dimension ({attributes['axis']}) must be in the range [{-rank}, {rank}), where {rank} is the number of "
            "dimensions in the input."
        )
    if tf_type == "Tile" and shapes[0] is not None:
        return f"Shape must be rank {len(shapes[0])} but is rank {len(attributes['repeats'])}"
    if tf_type == "Pad" and shapes[0] is not None:
        return f"Shape must be rank {len(attributes['widths'])} but is rank {len(shapes[0])}"
    if tf_type in ("Pack", "AddN"):
        return _pack(shapes)
    if tf_type == "Reshape" and -1 in attributes["shape"]:
        count = rest = 1
        for d in shapes[0] or ():
            count *= d or 1
        for d in attributes["shape"]:
            rest *= d if d != -1 else 1
        return f"Dimension size must be evenly divisible by {rest} but is {count}"
    if tf_type == "Reshape":
        new = attributes["shape"]
        count = wanted = 1
        for d in shapes[0] or ():
            count *= d or 1
        for d in new:
            wanted *= d
        return f"Cannot reshape a tensor with {count} elements to shape {brackets(new)} ({wanted} elements)"
    if tf_type in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any") and shapes[0] is not None:
        axes = attributes.get("axis")
        for axis in axes if isinstance(axes, tuple) else (axes,):
            if axis is not None and not -len(shapes[0]) <= axis < len(shapes[0]):
                return f"Invalid reduction dimension {axis} for input with {len(shapes[0])} dimensions."
    if tf_type == "GatherV2":
        return getattr(error, "reason", "") or str(error)
    pair = _broadcast_pair(shapes)
    if pair is not None:
        return f"Dimensions must be equal, but are {pair[0]} and {pair[1]}"
    return str(error)


def _broadcast_pair(shapes: Sequence[Static]) -> tuple[int, int] | None:
    known = [shape for shape in shapes if shape is not None]
    if len(known) < 2:
        return None
    first, second = known[-2], known[-1]
    rank = max(len(first), len(second))
    left, right = (1,) * (rank - len(first)) + tuple(first), (1,) * (rank - len(second)) + tuple(second)
    for a, b in zip(left, right, strict=True):
        if a is not None and b is not None and a != b and 1 not in (a, b):
            return a, b
    return None


def _both(first: Static, second: Static) -> str:
    if first is None or second is None:
        return "Shapes must be equal"
    if len(first) != len(second):
        return f"Shapes must be equal rank, but are {len(first)} and {len(second)}"
    for place, (a, b) in enumerate(zip(first, second, strict=True)):
        if a is not None and b is not None and a != b:
            return (
                f"Dimension {place} in both shapes must be equal, but are {a} and {b}. "
                f"Shapes are {brackets(first)} and {brackets(second)}."
            )
    return "Shapes must be equal"


def _select(condition: Static, first: Static, second: Static) -> str:
    said = _both(first, second)
    if said != "Shapes must be equal" or condition is None or first is None:
        return said
    count = len(condition)
    return _both(first, condition) if count not in (1, len(first)) else _both(condition, first[:count])


def _pack(shapes: Sequence[Static]) -> str:
    known = [shape for shape in shapes if shape is not None]
    for other in known[1:]:
        if len(other) == len(known[0]):
            return _both(known[0], other)
    return "Shapes must be equal rank, but are " + " and ".join(str(len(shape)) for shape in known[:2])


def _concat(shapes: Sequence[Static], attributes: Mapping[str, Any]) -> str:
    known = [shape for shape in shapes if shape is not None]
    axis = attributes.get("axis", 0)
    for other in known[1:]:
        if len(other) != len(known[0]):
            return f"Shape must be rank {len(known[0])} but is rank {len(other)}"
        rest = [tuple(d for i, d in enumerate(shape) if i != axis % len(shape)) for shape in (known[0], other)]
        for place, (a, b) in enumerate(zip(*rest, strict=True)):
            if a is not None and b is not None and a != b:
                return (
                    f"Dimension {place} in both shapes must be equal, but are {a} and {b}. "
                    f"Shapes are {brackets(rest[0])} and {brackets(rest[1])}."
                )
    return "Shapes must be equal"
