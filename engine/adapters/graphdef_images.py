"""Convolutions and pooling as rows of a GraphDef: images are [batch, channels, rows, columns] here, and
[batch, rows, columns, channels] there."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.adapters.graphdef_rows import INT32, Name, Rows

_LAST = (0, 2, 3, 1)
_FIRST = (0, 3, 1, 2)
_WEIGHTS = (2, 3, 1, 0)
_OUR_WEIGHTS = (3, 2, 0, 1)
NONE = ((0, 0), (0, 0))
INT64 = np.dtype(np.int64)


def _turned(r: Rows, row: Name, axes: tuple[int, ...], **more: Any) -> Name:
    return r.Transpose(row, r.ints("perm", list(axes)), **more)


def _four(r: Rows, place: int, shape: Any, axes: tuple[int, ...]) -> Name:
    """The sizes ``shape``, or else those of operand ``place`` in a run, in another order."""
    if shape is not None and None not in shape:
        return r.ints("sizes", [shape[axis] for axis in axes])
    sizes = r.Shape(r.reads[place])
    return r.GatherV2(sizes, r.ints("order", list(axes)), r.ints("axis", 0), T=None, Tparams=INT32, Tindices=INT32)


def _wanted(r: Rows, place: int) -> Any:
    """The shape that an op without an operand for it has as an attribute."""
    return r.sources[place].shape if r.node.op.endswith("_like") else r["shape"]


def _sides(r: Rows) -> list[int]:
    return [0, 0, *r["padding"][0], *r["padding"][1], 0, 0]


def _convolved(r: Rows) -> dict[str, Any]:
    padding = {"padding": b"VALID"}
    if r["padding"] != NONE:
        padding = {"padding": b"EXPLICIT", "explicit_paddings": _sides(r)}  # type: ignore[dict-item]
    return {
        "strides": [1, *r["stride"], 1], "dilations": [1, *r["dilation"], 1], "data_format": b"NHWC",
        "use_cudnn_on_gpu": True, **padding,
    }  # fmt: skip


def conv2d(r: Rows) -> None:
    images, weights = _turned(r, r.reads[0], _LAST), _turned(r, r.reads[1], _WEIGHTS)
    r.hand_on(_turned(r, r.Conv2D(images, weights, **_convolved(r)), _FIRST))


def conv2d_input(r: Rows) -> None:
    g, weights = _turned(r, r.reads[0], _LAST), _turned(r, r.reads[1], _WEIGHTS)
    sizes = _four(r, 2, _wanted(r, -1), _LAST)
    r.hand_on(_turned(r, r.Conv2DBackpropInput(sizes, weights, g, **_convolved(r)), _FIRST))


def conv2d_weight(r: Rows) -> None:
    g, images = _turned(r, r.reads[0], _LAST), _turned(r, r.reads[1], _LAST)
    sizes = _four(r, 2, _wanted(r, -1), _WEIGHTS)
    r.hand_on(_turned(r, r.Conv2DBackpropFilter(images, sizes, g, **_convolved(r)), _OUR_WEIGHTS))


def _windows(r: Rows) -> dict[str, Any]:
    size, stride = r["size"], r["stride"] or r["size"]
    return {"ksize": [1, *size, 1], "strides": [1, *stride, 1], "padding": b"VALID"}


def _padded(r: Rows, value: float) -> Name:
    images = _turned(r, r.reads[0], _LAST)
    if r["padding"] == NONE:
        return images
    return r.PadV2(images, r.ints("paddings", np.reshape(_sides(r), (4, 2))), r.number(value, "outside"))


def max_pool2d(r: Rows) -> None:
    r.hand_on(_turned(r, r.MaxPool(_padded(r, -np.inf), data_format=b"NHWC", **_windows(r)), _FIRST))


def avg_pool2d(r: Rows) -> None:
    if not r["count_padding"] and r["padding"] != NONE:
        raise r.refused("what is padded is not counted")
    r.hand_on(_turned(r, r.AvgPool(_padded(r, 0.0), data_format=b"NHWC", **_windows(r)), _FIRST))


def avg_unpool2d(r: Rows) -> None:
    if r["padding"] != NONE:
        raise r.refused("the images are padded")
    sizes = _four(r, 1, _wanted(r, -1), _LAST)
    g = _turned(r, r.reads[0], _LAST)
    r.hand_on(_turned(r, r.AvgPoolGrad(sizes, g, data_format=b"NHWC", **_windows(r)), _FIRST))


def argmax_pool2d(r: Rows) -> None:
    channels = r.known()[1]
    if r["padding"] != NONE or channels < 0:
        raise r.refused("the images are padded or have an unknown number of channels")
    images = _turned(r, r.reads[0], _LAST)
    both = r.MaxPoolWithArgmax(images, Targmax=INT64, include_batch_in_index=False, **_windows(r))
    places = r.FloorDiv(f"{both}:1", r.ints("channels", channels, np.int64), T=INT64)
    r.done("Transpose", places, r.ints("perm", list(_FIRST)), T=INT64)


def _flat_places(r: Rows, area: int, windows: int) -> tuple[Name, Name]:
    """Places in a row over all planes, and how many elements the planes have together."""
    size = r.Size(r.reads[1], out_type=INT64, T=INT64)
    planes = r.FloorDiv(size, r.ints("windows", windows, np.int64), T=INT64)
    rows = r.Range(r.ints("start", 0, np.int64), planes, r.ints("delta", 1, np.int64), T=None, Tidx=INT64)
    begins = r.Mul(rows, r.ints("area", area, np.int64), T=INT64)
    places = r.Reshape(r.reads[1], r.ints("planes", [-1, windows]), T=INT64)
    placed = r.AddV2(places, r.ExpandDims(begins, r.ints("dim", 1), T=INT64), T=INT64)
    return r.Reshape(placed, r.ints("row", [-1]), T=INT64), r.Mul(planes, r.ints("area", area, np.int64), T=INT64)


def _areas(r: Rows, images: Any) -> tuple[int, int]:
    areas = [None if shape is None else (shape[2], shape[3]) for shape in (images, r.sources[1].shape)]
    if any(area is None or None in area for area in areas):
        raise r.refused("how large the images are is not known before the run")
    (a, b), (c, d) = areas  # type: ignore[misc]
    return a * b, c * d  # type: ignore[operator]


def pool_put(r: Rows) -> None:
    shape = _wanted(r, -1)
    places, count = _flat_places(r, *_areas(r, shape))
    values = r.Reshape(r.reads[0], r.ints("row", [-1]))
    total = r.UnsortedSegmentSum(values, places, count, Tindices=INT64, Tnumsegments=INT64)
    like = r.node.op.endswith("_like")
    r.done("Reshape", total, r.sizes("shape", shape, r.reads[-1] if like else "", r.sources[-1] if like else None))


def pool_take(r: Rows) -> None:
    places, _ = _flat_places(r, *_areas(r, r.sources[0].shape))
    values = r.Reshape(r.reads[0], r.ints("row", [-1]))
    taken = r.GatherV2(values, places, r.ints("axis", 0), T=None, Tparams=r.kind, Tindices=INT64)
    r.done("Reshape", taken, r.Shape(r.reads[1], T=INT64))


IMAGES = {
    "conv2d": conv2d,
    **dict.fromkeys(("conv2d_input", "conv2d_input_like"), conv2d_input),
    **dict.fromkeys(("conv2d_weight", "conv2d_weight_like"), conv2d_weight),
    "max_pool2d": max_pool2d,
    "avg_pool2d": avg_pool2d,
    **dict.fromkeys(("avg_unpool2d", "avg_unpool2d_like"), avg_unpool2d),
    "argmax_pool2d": argmax_pool2d,
    **dict.fromkeys(("pool_put", "pool_put_like"), pool_put),
    "pool_take": pool_take,
}
"""What is written for ops on images."""
