"""Two-dimensional convolution (the cross-correlation of deep learning), by laying out windows and one matrix product.

Images are ``[batch, channels, height, width]``, weights ``[out channels, in channels, height, width]``. ``padding`` is
``((top, bottom), (left, right))``, so that uneven padding (TensorFlow's ``SAME``) can be said. The ops are linear in
each operand and each other's gradients, so every order exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.ops.promotion import result_dtype
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_rank, refuse_below, shape_error, show
from engine.tensor_type import Shape, TensorType

Pair = tuple[int, int]
Padding = tuple[Pair, Pair]
NO_PADDING: Padding = ((0, 0), (0, 0))


def windows(a: Array, size: Pair, stride: Pair, padding: Padding, dilation: Pair = (1, 1), value: float = 0) -> Array:
    """Every window of the last two axes: ``[batch, channels, rows, columns, height, width]``, a view if it can be."""
    if padding != NO_PADDING:
        a = np.pad(a, ((0, 0), (0, 0), *padding), constant_values=value)
    reach = tuple(d * (n - 1) + 1 for n, d in zip(size, dilation, strict=True))
    view = sliding_window_view(a, reach, (2, 3))
    return view[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def parts(
    a: Array, size: Pair, stride: Pair, padding: Padding = NO_PADDING, dilation: Pair = (1, 1), value: float = 0,
    places: Pair | None = None,
) -> Iterator[tuple[Pair, Array]]:  # fmt: skip
    """For each place in a window, what all windows (``places`` of them) have there: views of the padded images."""
    if padding != NO_PADDING:
        a = np.pad(a, ((0, 0), (0, 0), *padding), constant_values=value)
    rows, columns = places or [
        max((a.shape[2 + i] - dilation[i] * (size[i] - 1) - 1) // stride[i] + 1, 0) for i in range(2)
    ]
    for i in range(size[0]):
        for j in range(size[1]):
            y, x = i * dilation[0], j * dilation[1]
            yield (i, j), a[:, :, y : y + stride[0] * rows : stride[0], x : x + stride[1] * columns : stride[1]]


def add_windows(a: Array, shape: tuple[int, ...], stride: Pair, padding: Padding, dilation: Pair = (1, 1)) -> Array:
    """The transpose of :func:`windows`: each window added back to where it lay in an image of ``shape``."""
    (top, bottom), (left, right) = padding
    padded = np.zeros((*shape[:2], shape[2] + top + bottom, shape[3] + left + right), a.dtype)
    rows, columns, height, width = a.shape[2:]
    for i in range(height):
        for j in range(width):
            y, x = i * dilation[0], j * dilation[1]
            padded[:, :, y : y + stride[0] * rows : stride[0], x : x + stride[1] * columns : stride[1]] += a[..., i, j]
    return padded[:, :, top : top + shape[2], left : left + shape[3]]


def out_size(size: int | None, window: int | None, stride: int, padding: Pair, dilation: int = 1) -> int | None:
    """How many windows fit; negative or zero if none does."""
    if size is None or window is None:
        return None
    return (size + sum(padding) - dilation * (window - 1) - 1) // stride + 1


_BLOCK_BYTES = 1 << 20
"""Windows are laid out for so many images at a time that they stay in the processor's cache."""


def _blocks(images: int, row: int) -> list[slice]:
    """Stretches of ``images``, each with windows of ``row`` bytes."""
    step = max(1, _BLOCK_BYTES // max(row, 1))
    return [slice(first, min(first + step, images)) for first in range(0, images, step)]


def _laid_out(
    a: Array, size: Pair, places: Pair, stride: Pair, padding: Padding, dilation: Pair
) -> Iterator[tuple[slice, Array]]:
    """Blocks of images, each with its windows as columns: ``[images, channels * height * width, rows * columns]``.

    The array is used again for the next block.
    """
    if padding != NO_PADDING:
        a = np.pad(a, ((0, 0), (0, 0), *padding))
    shape = (a.shape[1], *size, *places)
    blocks = _blocks(a.shape[0], prod(shape) * a.itemsize)
    held = np.empty((blocks[0].stop if blocks else 0, *shape), a.dtype)
    for block in blocks:
        windows_of = held[: block.stop - block.start]
        for (i, j), part in parts(a[block], size, stride, NO_PADDING, dilation, places=places):
            windows_of[:, :, i, j] = part
        yield block, windows_of.reshape(len(windows_of), -1, prod(places))


def conv2d_kernel(
    a: Array, b: Array, stride: Pair = (1, 1), padding: Padding = NO_PADDING, dilation: Pair = (1, 1)
) -> Array:
    """Images ``a``, weights ``b``."""
    height, width = (
        out_size(a.shape[2 + i], b.shape[2 + i], stride[i], padding[i], dilation[i]) or 0 for i in range(2)
    )
    weights = b.reshape(b.shape[0], -1)
    out = np.empty((a.shape[0], b.shape[0], height * width), np.result_type(a, b))
    for block, laid in _laid_out(a, b.shape[2:], (height, width), stride, padding, dilation):
        np.matmul(weights, laid, out=out[block])
    return out.reshape(a.shape[0], b.shape[0], height, width)


def conv2d_input_kernel(
    g: Array,
    b: Array,
    shape: tuple[int, ...],
    stride: Pair = (1, 1),
    padding: Padding = NO_PADDING,
    dilation: Pair = (1, 1),
) -> Array:
    """The gradient for the images of ``shape``: each output's gradient times the weights, added into its window."""
    (top, bottom), (left, right) = padding
    places = g.shape[2:]
    images = np.zeros((*shape[:2], shape[2] + top + bottom, shape[3] + left + right), np.result_type(g, b))
    weights, flat = b.reshape(b.shape[0], -1).T, g.reshape(*g.shape[:2], -1)
    blocks = _blocks(g.shape[0], weights.shape[0] * prod(places) * images.itemsize)
    held = np.empty((blocks[0].stop if blocks else 0, weights.shape[0], prod(places)), images.dtype)
    for block in blocks:
        spread = np.matmul(weights, flat[block], out=held[: block.stop - block.start])
        spread = spread.reshape(len(spread), *b.shape[1:], *places)
        for (i, j), part in parts(images[block], b.shape[2:], stride, NO_PADDING, dilation, places=places):
            part += spread[:, :, i, j]
    return np.ascontiguousarray(images[:, :, top : top + shape[2], left : left + shape[3]])


def conv2d_weight_kernel(
    g: Array,
    a: Array,
    shape: tuple[int, ...],
    stride: Pair = (1, 1),
    padding: Padding = NO_PADDING,
    dilation: Pair = (1, 1),
) -> Array:
    """The gradient for the weights of ``shape``: each window of the images times the gradient of its output."""
    flat = g.reshape(*g.shape[:2], -1)
    out = np.zeros((shape[0], prod(shape[1:])), np.result_type(g, a))
    for block, laid in _laid_out(a, (shape[2], shape[3]), g.shape[2:], stride, padding, dilation):
        for sent, image in zip(flat[block], laid, strict=True):
            out += sent @ image.T
    return out.reshape(shape)


def _conv2d_type(
    a: TensorType, b: TensorType, stride: Pair = (1, 1), padding: Padding = NO_PADDING, dilation: Pair = (1, 1)
) -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below("conv2d", dtype, 2)
    need_rank("conv2d", "images [batch, channels, height, width]", a, 4)
    need_rank("conv2d", "weights [out, in, height, width]", b, 4)
    batch, channels, *sizes = a.shape or (None,) * 4
    out, wanted, *kernel = b.shape or (None,) * 4
    if channels is not None and wanted is not None and channels != wanted:
        raise shape_error(
            "conv2d", f"images of shape {show(a.shape)} have {channels} channels, but weights of shape {show(b.shape)} "
            f"want {wanted}; the second sizes must be equal", a, b,
        )  # fmt: skip
    result = [out_size(n, k, s, p, d) for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation, strict=True)]
    if any(n is not None and n < 1 for n in result):
        raise shape_error(
            "conv2d",
            f"a window of {show(tuple(kernel))} does not fit into images of {show(tuple(sizes))} with padding "
            f"{padding}; use smaller weights or more padding",
            a,
            b,
        )
    return TensorType(dtype, (batch, out, *result))


def _transposed_rule(name: str) -> Any:
    def rule(
        a: TensorType, b: TensorType, shape: Shape | None, stride: Pair = (1, 1), padding: Padding = NO_PADDING,
        dilation: Pair = (1, 1),
    ) -> TensorType:  # fmt: skip
        need_rank(name, "the first operand", a, 4)
        need_rank(name, "the second operand", b, 4)
        return TensorType(result_dtype(a, b), shape)

    return rule


def _flops(out: Sequence[int], a: Sequence[int], b: Sequence[int], *_: Sequence[int], **__: Any) -> int:
    return 2 * prod(out) * prod(b[1:])


_CONV: dict[str, Any] = {"category": "matmul", "promotion": "common", "symbol": "∗"}
_BACK: dict[str, Any] = {"category": "gradient", "promotion": "common", "symbol": "nabla", "operands": "a b"}

op(
    "conv2d",
    "a b",
    conv2d_kernel,
    _conv2d_type,
    {
        "a": lambda F, g, b, a_shape, stride, padding, dilation: F.conv2d_input(
            g, b, a_shape, stride, padding, dilation
        ),
        "b": lambda F, g, a, b_shape, stride, padding, dilation: F.conv2d_weight(
            g, a, b_shape, stride, padding, dilation
        ),
    },
    formula="a * w",
    flops=_flops,
    **_CONV,
)
shape_op(
    "conv2d_input",
    conv2d_input_kernel,
    _transposed_rule("conv2d_input"),
    {
        "a": lambda F, g, b, stride, padding, dilation: F.conv2d(g, b, stride, padding, dilation),
        "b": lambda F, g, a, b_shape, stride, padding, dilation: F.conv2d_weight(
            a, g, b_shape, stride, padding, dilation
        ),
    },
    formula=r"g *^\top w",
    flops=lambda out, g, b, *_, **__: 2 * prod(g) * prod(b[1:]),
    **_BACK,
)
shape_op(
    "conv2d_weight",
    conv2d_weight_kernel,
    _transposed_rule("conv2d_weight"),
    {
        "a": lambda F, g, b, stride, padding, dilation: F.conv2d(b, g, stride, padding, dilation),
        "b": lambda F, g, a, b_shape, stride, padding, dilation: F.conv2d_input(
            a, g, b_shape, stride, padding, dilation
        ),
    },
    formula=r"g *^\top a",
    flops=lambda out, g, a, *_, **__: 2 * prod(g) * prod(out[1:]),
    **_BACK,
)
