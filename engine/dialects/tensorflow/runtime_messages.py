"""The words of TensorFlow's kernels for what goes wrong while a graph runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.dialects.tensorflow.shapes import brackets
from engine.errors import ShapeError, StepgraphError
from engine.static import Node

Shapes = Sequence[tuple[int, ...]]
_NUMBERS = re.compile(r"-?\d+")


def runtime_message(node: Node, error: StepgraphError) -> str:
    """What the kernel of ``node`` says; where it has no words of its own, what the engine says."""
    text = error.message
    inner = error.reason or text
    shapes: Shapes = [shape for shape in getattr(error, "shapes", ()) if isinstance(shape, tuple)]
    if node.op.startswith("tf_") or node.op in _OWN:
        return f"{inner}, node name: {node.name}" if node.op == "tf_gather_nd" else inner
    found = _KERNELS.get(node.label)
    said = found(node, inner, shapes) if found is not None else None
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


def _reshape(node: Node, text: str, _shapes: Shapes) -> str | None:
    multiple = re.search(r"(\d+) elements of shape .* is no multiple of (\d+)", text)
    if multiple:
        return (
            f"Input to reshape is a tensor with {multiple[1]} values, but the requested shape requires a multiple of "
            f"{multiple[2]}"
        )
    found = re.search(r"has (\d+) elements, .* has (\d+);", text)
    if found:
        return f"Input to reshape is a tensor with {found[1]} values, but the requested shape has {found[2]}"
    return None


def _strided(_node: Node, text: str, _shapes: Shapes) -> str | None:
    found = re.search(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", text)
    if found is None:
        return None
    place, axis, size = map(int, found.groups())
    return f"slice index {place + size if place < 0 else place} of dimension {axis} out of bounds."


def _concat(node: Node, _text: str, shapes: Shapes) -> str | None:
    axis = int(node.attributes.get("axis", 0))
    for place, other in enumerate(shapes[1:], 1):
        for dim, (a, b) in enumerate(zip(shapes[0], other, strict=False)):
            if a != b and dim != axis % max(len(other), 1):
                return (
                    f"ConcatOp : Dimension {dim} in both shapes must be equal: shape[0] = {brackets(shapes[0])} vs. "
                    f"shape[{place}] = {brackets(other)}"
                )
    return None


def _pack(_node: Node, _text: str, shapes: Shapes) -> str | None:
    for place, other in enumerate(shapes[1:], 1):
        if other != shapes[0]:
            return (
                f"Shapes of all inputs must match: values[0].shape = {brackets(shapes[0])} != values[{place}].shape = "
                f"{brackets(other)}"
            )
    return None


def _labels(_node: Node, text: str, _shapes: Shapes) -> str | None:
    found = re.search(r"class numbers from (-?\d+) to (-?\d+)", text)
    bound = re.search(r"(?:have|has|only) (\d+) classes|(\d+) classes", text)
    if found is None:
        return None
    classes = next((n for n in (bound.groups() if bound else ()) if n), None)
    if classes is None:
        return None
    wrong = found[2] if int(found[2]) >= int(classes) else found[1]
    return (
        f"Received a label value of {wrong} which is outside the valid range of [0, {classes}).  Label values: {wrong}"
    )


def _squeeze(_node: Node, text: str, _shapes: Shapes) -> str | None:
    found = re.search(r"axis (-?\d+) of shape .* has size (\d+)", text)
    return f"Can not squeeze dim[{found[1]}], expected a dimension of 1, got {found[2]}" if found else None


def _assign(_node: Node, _text: str, shapes: Shapes) -> str | None:
    if len(shapes) != 2:
        return None
    return (
        f"Assign requires shapes of both tensors to match. lhs shape= {brackets(shapes[0])} rhs shape= "
        f"{brackets(shapes[1])}"
    )


def _reduction(node: Node, text: str, _shapes: Shapes) -> str | None:
    found = re.search(r"axis (-?\d+) does not exist in shape \(([^)]*)\)", text)
    if found is None:
        return None
    rank = len([part for part in found[2].split(",") if part.strip()])
    if node.label.startswith("Arg"):
        return f"Expected dimension in the range [-{rank}, {rank}), but got {found[1]}"
    return f"Invalid reduction dimension ({found[1]} for input with {rank} dimension(s)"


def _transpose(node: Node, text: str, _shapes: Shapes) -> str | None:
    axes = node.attributes.get("axes") or ()
    found = re.search(r"shape \(([^)]*)\)", text)
    if found is None:
        return None
    rank = len([part for part in found[1].split(",") if part.strip()])
    return f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(axes)}"


def _bias(_node: Node, _text: str, shapes: Shapes) -> str | None:
    if len(shapes) != 2:
        return None
    return (
        f"Must provide as many biases as the last dimension of the input tensor: {brackets(shapes[1])} vs. "
        f"{brackets(shapes[0])}"
    )


def _singular(_node: Node, text: str, _shapes: Shapes) -> str | None:
    return "Input is not invertible." if "singular" in text else None


_KERNELS: dict[str, Callable[[Node, str, Shapes], str | None]] = {
    "MatMul": _matmul, "BatchMatMulV2": _matmul, "Reshape": _reshape,
    "StridedSlice": _strided, "ConcatV2": _concat, "Pack": _pack,
    "SparseSoftmaxCrossEntropyWithLogits": _labels, "Squeeze": _squeeze, "Assign": _assign, "Sum": _reduction,
    "Mean": _reduction, "Max": _reduction, "Min": _reduction, "Prod": _reduction, "ArgMax": _reduction,
    "ArgMin": _reduction, "Transpose": _transpose, "BiasAdd": _bias, "MatrixInverse": _singular,
}  # fmt: skip
