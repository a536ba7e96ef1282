"""PyTorch's words for what went wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.torch.types import BY_ARRAY
from engine.dynamic.facade import FreedError, ModifiedError, Primitive
from engine.dynamic.inplace import CastError, LeafWriteError, PieceWriteError, UnrecordedViewError
from engine.dynamic.tensor import InferenceError, UnsavedError
from engine.errors import DtypeError, ShapeError, StepgraphError

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)


INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)


UNSAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
    "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
)


def tensor_kind(array: Any) -> str:
    """``torch.FloatTensor`` and its relatives."""
    return f"torch.{BY_ARRAY[array.dtype].legacy}Tensor"


def sizes(shape: Sequence[int]) -> str:
    """A shape as C++ messages write it: ``[2, 3]``."""
    return f"[{', '.join(map(str, shape))}]"


def broadcast_words(shapes: Sequence[Sequence[int]]) -> str:
    """The message for operands that do not broadcast."""
    result: list[int] = list(shapes[0])
    for shape in shapes[1:]:
        rank = max(len(result), len(shape))
        first = [1] * (rank - len(result)) + result
        second = [1] * (rank - len(shape)) + list(shape)
        for place in reversed(range(rank)):
            a, b = first[place], second[place]
            if a != b and 1 not in (a, b):
                where = f"at non-singleton dimension {place}"
                return f"The size of tensor a ({a}) must match the size of tensor b ({b}) {where}"
        result = [b if a == 1 else a for a, b in zip(first, second, strict=True)]
    return "shapes do not broadcast"


def no_room_words(shapes: Sequence[Sequence[int]]) -> str:
    """The message for operands that do not broadcast, or whose result has no room in the first of them."""
    words = broadcast_words(shapes)
    if words == "shapes do not broadcast":  # they do
        return f"output with shape {sizes(shapes[0])} doesn't match the broadcast shape {sizes(_together(shapes))}"
    return words


def batches_words(a: Any, b: Any) -> str:
    """The message for batches of matrices of which the second does not fit the first."""
    wanted = [a.shape[0], a.shape[-1]]
    return (
        f"Expected size for first two dimensions of batch2 tensor to be: {sizes(wanted)} but got: "
        f"{sizes([b.shape[0], b.shape[1]])}."
    )


def matmul_words(a: Any, b: Any) -> str:
    """The message for matrices that do not fit together."""
    if a.ndim == 1 and b.ndim == 1:
        return (
            f"inconsistent tensor size, expected tensor {sizes(a.shape)} and src {sizes(b.shape)} to have the same "
            f"number "
            f"of elements, but got {a.size} and {b.size} elements respectively"
        )
    if a.ndim == 2 and b.ndim == 1:
        return f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({b.shape[0]})"
    if a.ndim > 2 and b.ndim > 2 and a.shape[:-2] != b.shape[:-2]:
        return broadcast_words([a.shape[:-2], b.shape[:-2]])
    if a.ndim > 2 and b.ndim > 2:
        return batches_words(a, b)
    first = (1, a.shape[0]) if a.ndim == 1 else (a.size // a.shape[-1] if a.shape[-1] else 0, a.shape[-1])
    second = (b.shape[0], 1) if b.ndim == 1 else (b.shape[-2], b.shape[-1])
    return f"mat1 and mat2 shapes cannot be multiplied ({first[0]}x{first[1]} and {second[0]}x{second[1]})"


def explain(
    primitive: Primitive, operands: Sequence[Any], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The exception that PyTorch would raise for an op that failed."""
    arrays = [x._array for x in operands]
    if isinstance(error, LeafWriteError | CastError | InferenceError | UnrecordedViewError | PieceWriteError):
        return translate(error)
    if isinstance(error, ValueError) and "read-only" in str(error):
        return RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
    if isinstance(error, ZeroDivisionError):
        return RuntimeError("ZeroDivisionError")
    if isinstance(error, MemoryError):
        return RuntimeError("[enforce fail at alloc_cpu.cpp] . DefaultCPUAllocator: can't allocate memory")
    if not isinstance(error, StepgraphError):
        return error
    words = _explain_shape(primitive, arrays, attributes) if isinstance(error, ShapeError) else None
    if isinstance(error, ShapeError) and error.op == "axis":
        return IndexError(str(error))
    if words is None and isinstance(error, DtypeError):
        words = _explain_dtype(primitive, arrays)
    if isinstance(words, BaseException):
        return words
    return RuntimeError(words or str(error))


def _explain_shape(
    primitive: Primitive, arrays: Sequence[Any], attributes: Mapping[str, Any]
) -> str | BaseException | None:
    name = primitive.name
    shapes = [getattr(a, "shape", ()) for a in arrays]
    if primitive.op.elementwise or name in ("mse_loss", "binary_cross_entropy_with_logits"):
        return no_room_words(shapes)
    if name in ("matmul", "dot", "matvec"):
        return matmul_words(arrays[0], arrays[1])
    if name == "addmm":
        if arrays[1].shape[-1] == arrays[2].shape[0]:
            return broadcast_words([(arrays[1].shape[0], arrays[2].shape[1]), shapes[0]]).replace(
                "tensor a", "tensor a"
            )
        return matmul_words(arrays[1], arrays[2])
    if name == "reshape":
        return f"shape '{sizes(attributes['shape'])}' is invalid for input of size {arrays[0].size}"
    if name == "concat":
        return _explain_cat(shapes, attributes.get("axis", 0))
    if name == "stack":
        for place, shape in enumerate(shapes):
            if shape != shapes[0]:
                return (
                    f"stack expects each tensor to be equal size, but got {sizes(shapes[0])} at entry 0 and "
                    f"{sizes(shape)} at entry {place}"
                )
    if name == "expand":
        return expand_words(shapes[0], tuple(attributes["shape"]))
    return None


def expand_words(old: Sequence[int], new: Sequence[int]) -> str | None:
    """The message for a shape that does not expand to another; ``None`` if it does."""
    if len(new) < len(old):
        return (
            f"expand(torch.FloatTensor{{{sizes(old)}}}, size={sizes(new)}): the number of sizes provided ({len(new)}) "
            f"must be greater or equal to the number of dimensions in the tensor ({len(old)})"
        )
    for place in reversed(range(len(old))):
        at = place + len(new) - len(old)
        if old[place] not in (1, new[at]):
            return (
                f"The expanded size of the tensor ({new[at]}) must match the existing size ({old[place]}) at "
                f"non-singleton dimension {at}.  Target sizes: {sizes(new)}.  Tensor sizes: {sizes(old)}"
            )
    return None


def check_expands(old: Sequence[int], new: Sequence[int]) -> None:
    """Refuse to write values of shape ``old`` where ``new`` is; leading ones may be left out."""
    rest = list(old)
    while len(rest) > len(new) and rest[0] == 1:
        del rest[0]
    words = expand_words(rest, new)
    if words is not None:
        raise RuntimeError(words)


def _together(shapes: Sequence[Sequence[int]]) -> list[int]:
    rank = max(map(len, shapes))
    return [max([s[i] for s in shapes if len(s) >= -i]) for i in range(-rank, 0)]


def _explain_cat(shapes: Sequence[tuple[int, ...]], axis: int) -> str:
    for place, shape in enumerate(shapes[1:], 1):
        if len(shape) != len(shapes[0]):
            return f"Tensors must have same number of dimensions: got {len(shapes[0])} and {len(shape)}"
        for i, (a, b) in enumerate(zip(shapes[0], shape, strict=True)):
            if a != b and i != axis % len(shape):
                return (
                    f"Sizes of tensors must match except in dimension {axis % len(shape)}. Expected size {a} but "
                    f"got size "
                    f"{b} for tensor number {place} in the list."
                )
    return "torch.cat(): tensors do not fit together"


def _explain_dtype(primitive: Primitive, arrays: Sequence[Any]) -> str | None:
    if primitive.name == "sub":
        both = all(isinstance(a, np.ndarray) and a.dtype.kind == "b" for a in arrays)
        if both:
            return (
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
                "operator instead."
            )
        return (
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
            "mask, use the `~` or `logical_not()` operator instead."
        )
    if primitive.name == "neg":
        return (
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )
    if primitive.name in ("mean", "var"):
        word = BY_ARRAY[arrays[0].dtype].legacy
        if primitive.name == "mean":
            return (
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                f"Got: {word}"
            )
        return f"{primitive.label} only support floating point and complex dtypes"
    return None


def translate(error: StepgraphError) -> BaseException:
    """The exception that PyTorch would raise for an error of backward or of writing in place."""
    if isinstance(error, FreedError):
        return RuntimeError(FREED)
    if isinstance(error, ModifiedError):
        return RuntimeError(_modified(error))
    if isinstance(error, UnsavedError):
        return RuntimeError(UNSAVED)
    if isinstance(error, InferenceError):
        return RuntimeError(INFERENCE)
    if isinstance(error, LeafWriteError):
        what = "a view of a leaf" if error.through_view else "a leaf"
        return RuntimeError(f"{what} Variable that requires grad is being used in an in-place operation.")
    if isinstance(error, UnrecordedViewError):
        return RuntimeError(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this "
            "use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view "
            "and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or "
            "both outside (if you want the inplace to be tracked)."
        )
    if isinstance(error, PieceWriteError):
        name = "" if error.node is None else error.node.label.partition("Backward")[0]
        return RuntimeError(
            f"Output {error.piece} of {name} is a view and is being modified inplace. This view is the output of a "
            "function that returns multiple views. Such functions do not allow the output views to be modified "
            "inplace. You should replace the inplace operation by an out-of-place one."
        )
    if isinstance(error, CastError):
        result, target = BY_ARRAY[error.result].legacy, BY_ARRAY[error.target].legacy
        return RuntimeError(f"result type {result} can't be cast to the desired output type {target}")
    return RuntimeError(str(error))


def _modified(error: ModifiedError) -> str:
    node, recipe = error.node, error.node.recipe
    assert recipe is not None
    if error.position < 0:
        place = 2 * len(recipe.operands)
        array, version, expected = node.saved[place], node.saved[place + 1].version, node.saved[place + 2]
        source = node.label
    else:
        place = 2 * recipe.operands.index(error.position)
        tensor, expected = node.saved[place], node.saved[place + 1]
        array, version = tensor._array, tensor._storage.version
        source = "" if tensor.grad_fn is None else tensor.grad_fn.name()
    source = re.sub(r"Backward(0$|(?=\d+$))", "", source)
    origin = f", which is output 0 of {source}," if source else ""
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor_kind(array)} {sizes(array.shape)}]{origin} is at version {version}; expected version {expected} "
        "instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
