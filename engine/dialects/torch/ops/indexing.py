"""Reading and writing by index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from engine.dialects.torch.ops.declaring import declare
from engine.errors import StepgraphError
from engine.ops.registry import TABLE, Array
from engine.ops.type_rules import broadcast
from engine.tensor_type import TensorType


def pick_kernel(a: Array, indices: Array, axis: int, keepdims: bool = False) -> Array:
    """The element that ``indices`` names along ``axis``; ``indices`` has the result's shape."""
    if a.ndim == 0:
        return np.array(a)
    places = indices if keepdims else np.expand_dims(indices, axis)
    result = np.take_along_axis(a, places, axis)
    return result if keepdims else result.squeeze(axis)


def _pick_vjp(F: Any, g: Any, indices: Any, a_shape: Any, axis: int, keepdims: bool) -> Any:
    if not a_shape:
        return g
    if not keepdims:
        g, indices = F.expand_dims(g, axis), F.expand_dims(indices, axis)
    return F.ungather(g, indices, a_shape, axis)


def _pick_type(a: TensorType, indices: TensorType, axis: int, keepdims: bool = False) -> TensorType:
    return TensorType(a.dtype, indices.shape)


declare(
    "pick", "a indices", pick_kernel, _pick_type, {"a": _pick_vjp}, category="reduction", symbol="sum",
    formula=r"a_{i^*}", unpromoted=frozenset({"indices"}),
)  # fmt: skip


def index_kernel(a: Array, *indices: Array, layout: tuple[Any, ...]) -> Array:
    """``a[...]`` with tensors among the indices; ``layout`` has ``"t"`` where the next one goes."""
    rest = iter(indices)
    return a[tuple(next(rest) if part == "t" else _basic(part) for part in layout)]  # type: ignore[no-any-return]


def _basic(part: Any) -> Any:
    return slice(*part) if isinstance(part, tuple) else part


def index_put_kernel(a: Array, *indices: Array, shape: tuple[int, ...], layout: tuple[Any, ...]) -> Array:
    """Zeros of ``shape`` with ``a`` added where ``index`` took it from."""
    rest = iter(indices)
    result = np.zeros(shape, a.dtype)
    np.add.at(result, tuple(next(rest) if part == "t" else _basic(part) for part in layout), a)
    return result


def _index_type(*types: TensorType, **attributes: Any) -> TensorType:
    return TensorType(types[0].dtype, None)


def _index_vjp(F: Any, g: Any, operands: Any, operands_shapes: Any, layout: Any, index: int) -> Any:
    return F.index_put(g, *operands[1:], shape=operands_shapes[0], layout=layout) if index == 0 else None


def _index_put_vjp(F: Any, g: Any, operands: Any, shape: Any, layout: Any, index: int) -> Any:
    return F.index(g, *operands[1:], layout=layout) if index == 0 else None


declare("index", "*operands", index_kernel, _index_type, {"operands": _index_vjp}, category="shape", symbol="shape",
         formula=r"a_{i}")  # fmt: skip
declare("index_put", "*operands", index_put_kernel, _index_type, {"operands": _index_put_vjp}, category="gradient",
         symbol="nabla", formula=r"\sum_i g_i e_i")  # fmt: skip


def _put_type(a: TensorType, indices: TensorType, updates: TensorType, axis: int = 0) -> TensorType:
    return a


def scatter_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` put where ``indices`` says along ``axis``."""
    result = np.array(a)
    source = np.asarray(updates, a.dtype)
    if source.ndim:
        source = source[tuple(slice(n) for n in indices.shape)]
    np.put_along_axis(result, indices, source, axis)
    return result


def along_add_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` added where ``indices`` says along ``axis``."""
    result = np.array(a)
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    grid[axis % a.ndim] = indices
    np.add.at(result, tuple(grid), np.asarray(updates)[tuple(slice(n) for n in indices.shape)])
    return result


def _scatter_a(F: Any, g: Any, indices: Any, axis: int) -> Any:
    return F.scatter(g, indices, 0.0, axis)


declare(
    "scatter", "a indices updates", scatter_kernel, _put_type,
    {"a": _scatter_a, "updates": lambda F, g, indices, axis: F.gather(g, indices, axis)},
    unpromoted=frozenset({"indices"}), category="shape", symbol="shape", formula=r"a_{i} \leftarrow u",
)  # fmt: skip
declare(
    "along_add", "a indices updates", along_add_kernel, _put_type,
    {"a": lambda F, g: g, "updates": lambda F, g, indices, axis: F.gather(g, indices, axis)},
    unpromoted=frozenset({"indices"}), category="shape", symbol="shape", formula=r"a + \sum_i u_i e_i",
)  # fmt: skip


def index_write_kernel(a: Array, value: Any, *indices: Array, layout: tuple[Any, ...]) -> Array:
    """A copy of ``a`` with ``value`` where the index points."""
    rest = iter(indices)
    result = np.array(a)
    result[tuple(next(rest) if part == "t" else _basic(part) for part in layout)] = value
    return result


def _index_write_vjp(F: Any, g: Any, operands: Any, operands_shapes: Any, layout: Any, index: int) -> Any:
    if index == 0:
        return F.index_write(g, 0, *operands[2:], layout=layout)
    return F.sum_to(F.index(g, *operands[2:], layout=layout), operands_shapes[1]) if index == 1 else None


declare("index_write", "*operands", index_write_kernel, _index_type, {"operands": _index_write_vjp}, category="shape",
         symbol="shape", formula=r"a_{i} \leftarrow v")  # fmt: skip
declare(
    "masked_write", "a mask value", lambda a, mask, value: np.where(mask, np.asarray(value, a.dtype), a),
    lambda a, mask, value: a,
    {
        "a": lambda F, g, mask: F.where(mask, 0, g),
        "value": lambda F, g, mask, value_shape: F.sum_to(F.where(mask, g, 0), value_shape),
    },
    unpromoted=frozenset({"mask"}), category="shape", symbol="shape", formula=r"a_{m} \leftarrow v",
)  # fmt: skip


# -- any view ---------------------------------------------------------------------------------------------------------
def as_strided_kernel(a: Array, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> Array:
    """A view of the memory of ``a`` with these sizes and strides, in elements.

    :raises StepgraphError: it would reach beyond that memory.
    """
    reach = offset + sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + 1
    room = sum((n - 1) * s // a.itemsize for n, s in zip(a.shape, a.strides, strict=True)) + 1
    if min(strides, default=0) < 0 or offset < 0 or (0 not in shape and reach > room):
        raise StepgraphError(f"as_strided: sizes {shape} with strides {strides} reach beyond the memory of the tensor")
    start = as_strided(a, (room,), (a.itemsize,))[offset:]
    return as_strided(start, shape, [s * a.itemsize for s in strides])


def strided_add_kernel(g: Array, like: Array, strides: tuple[int, ...], offset: int = 0) -> Array:
    """Zeros like ``like`` with each element of ``g`` added where a strided view took it from."""
    places = offset + sum(
        (np.arange(n).reshape([-1 if i == d else 1 for i in range(g.ndim)]) * s)
        for d, (n, s) in enumerate(zip(g.shape, strides, strict=True))
    )
    numbers = np.empty_like(like, np.int64)
    memory = np.zeros(like.size, g.dtype)
    np.add.at(memory, places, g)
    size = [s // like.itemsize for s in like.strides]
    numbers[...] = sum(
        (np.arange(n).reshape([-1 if i == d else 1 for i in range(like.ndim)]) * size[d])
        for d, n in enumerate(like.shape)
    )
    return memory[numbers]


declare(
    "as_strided", "a", as_strided_kernel, lambda a, shape, strides, offset=0: TensorType(a.dtype, shape),
    {"a": lambda F, g, a, strides, offset: F.strided_add(g, a, strides, offset)}, view=True,
    category="shape", symbol="shape", formula=r"a_{i \cdot s}",
)  # fmt: skip
declare(
    "strided_add", "g like", strided_add_kernel, lambda g, like, strides, offset=0: like, None,
    category="gradient", symbol="nabla", formula=r"\sum g_i e_{i \cdot s}",
)  # fmt: skip
declare(
    "contiguous", "a", np.ascontiguousarray, lambda a: a, {"a": lambda F, g: g}, category="shape", symbol="shape",
    formula="a",
)  # fmt: skip
declare(
    "expand", "a", lambda a, shape: np.broadcast_to(a, shape),
    lambda a, shape: TABLE["broadcast_to"].type_rule(a, shape=shape),
    {"a": lambda F, g, a_shape: F.sum_to(g, a_shape)}, view=True, category="shape", symbol="shape", formula="a",
)  # fmt: skip


def _unfilled(F: Any, g: Any, mask: Any, a_shape: Any) -> Any:
    return F.sum_to(F.where(mask, F.zeros_like(g), g), a_shape)


declare(
    "masked_fill", "a mask b", lambda a, mask, b: np.where(mask, np.asarray(b, a.dtype), a),
    lambda a, mask, b: TensorType(a.dtype, broadcast("masked_fill", a, mask)),
    {"a": _unfilled, "b": lambda F, g, mask: F.sum(F.where(mask, g, F.zeros_like(g)))},
    category="shape", symbol="shape", formula=r"a_m \leftarrow b",
)  # fmt: skip
