"""The words of TensorFlow's kernels for what goes wrong while a graph runs."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.dialects.tensorflow.kernel_words import Shapes, kernel_words, label_words
from engine.dialects.tensorflow.shapes import brackets
from engine.errors import BoundsError, ShapeError, StepgraphError
from engine.static import Node

_NUMBERS = re.compile(r"-?\d+")


def runtime_message(node: Node, error: StepgraphError) -> str:
    """What the kernel of ``node`` says; where it has no words of its own, what the engine says."""
    text = error.message
    inner = error.reason or text
    shapes: Shapes = [shape for shape in getattr(error, "shapes", ()) if isinstance(shape, tuple)]
    if (node.op.startswith("tf_") and node.op != "tf_select") or node.op in _OWN:
        return f"{inner}, node name: {node.name}" if node.op == "tf_gather_nd" else inner
    cause = error.__cause__ or error
    if node.label == "SparseSoftmaxCrossEntropyWithLogits" and isinstance(cause, BoundsError):
        return label_words(cause.indices, cause.size) or text
    found = _KERNELS.get(node.label)
    said = found(node, inner, shapes) if found is not None else kernel_words(node.label, shapes, node.attributes)
    if said is None and isinstance(error, ShapeError) and len(shapes) == 2:
        said = f"Incompatible shapes: {brackets(shapes[0])} vs. {brackets(shapes[1])}"
    return text if said is None else said


_OWN = frozenset({"at_most_one"})


def _numbers(text: str) -> list[int]:
    return [int(found) for found in _NUMBERS.findall(text)]


def _matmul(node: Node, text: str, shapes: Shapes) -> str | None:
    low = re.search(r"the (first|second) operand must have at least 2 dimensions, but its shape is \(([^)]*)\)", text)
    if low:
        rank = len([part for part in low[2].split(",") if part.strip()])
        return f"In[{int(low[1] == 'second')}] ndims must be >= 2: {rank}"
    fused = len(shapes) == 2
    aligned = re.search(r"shapes \(([\d,]*)\) and \(([\d,]*)\) not aligned", text)
    if len(shapes) != 2 and aligned:
        shapes = [tuple(_numbers(part)) for part in aligned.groups()]
    if len(shapes) != 2:
        return None
    turned = " ".join(str(int(bool(node.attributes.get(key)))) for key in ("transpose_a", "transpose_b"))
    tail = f" {turned}" if fused and node.label == "MatMul" else ""
    return f"Matrix size-incompatible: In[0]: {brackets(shapes[0])}, In[1]: {brackets(shapes[1])}{tail}"


def _strided(_node: Node, text: str, _shapes: Shapes) -> str | None:
    found = re.search(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", text)
    if found is None:
        return None
    place, axis, size = map(int, found.groups())
    return f"slice index {place + size if place < 0 else place} of dimension {axis} out of bounds."


def _assign(_node: Node, _text: str, shapes: Shapes) -> str | None:
    if len(shapes) != 2:
        return None
    return (
        f"Assign requires shapes of both tensors to match. lhs shape= {brackets(shapes[0])} rhs shape= "
        f"{brackets(shapes[1])}"
    )


def _bias(_node: Node, _text: str, shapes: Shapes) -> str | None:
    if len(shapes) != 2:
        return None
    return (
        f"Must provide as many biases as the last dimension of the input tensor: {brackets(shapes[1])} vs. "
        f"{brackets(shapes[0])}"
    )


def _select(node: Node, _text: str, shapes: Shapes) -> str | None:
    for place, other in enumerate(shapes):
        if other != shapes[0]:
            pair = f"Input 0: {brackets(shapes[0])} != input {place}: {brackets(other)}"
            return f"Inputs to operation {node.name} of type Select must have the same size and shape.  {pair}"
    return None


def _singular(_node: Node, text: str, _shapes: Shapes) -> str | None:
    return "Input is not invertible." if "singular" in text else None


_KERNELS: dict[str, Callable[[Node, str, Shapes], str | None]] = {
    "MatMul": _matmul, "BatchMatMulV2": _matmul, "StridedSlice": _strided,
    "Assign": _assign, "Select": _select, "BiasAdd": _bias, "MatrixInverse": _singular,
}  # fmt: skip
