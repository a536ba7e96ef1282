"""Reading ops of a GraphDef that have several outputs, or sizes among their operands: gradient graphs above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.adapters.graphdef_dynamic import declared, gradient_axes, masked_index, same_padding
from engine.errors import GraphError
from engine.ops.indexing import describe_index
from engine.static.node import Node
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.adapters.graphdef_reader import Reader

Maker = Callable[["Reader", list[Node]], Node]
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_LAST = (0, 2, 3, 1)
_FIRST = (0, 3, 1, 2)


def _value(reader: Reader, value: Any, dtype: Any, name: str = "") -> Node:
    """The present row as a constant: what it gives is known before any run."""
    array = np.asarray(value, dtype)
    array.flags.writeable = False
    kind = TensorType(array.dtype, array.shape)
    return reader.raw("constant", [], {"value": array}, name, type=kind, role="constant")


def _sized(ours: str, dynamic: str, attribute: str, single: bool = False) -> Maker:
    """``ours`` where the second operand is a constant, else the op whose sizes are operands."""

    def make(reader: Reader, inputs: list[Node]) -> Node:
        if reader.constant(inputs[1]) is None:
            return reader.raw(declared(dynamic), inputs[:2], {})
        sizes = reader.sizes(inputs[1])
        given: dict[str, Any] = {attribute: sizes[0] if single else sizes}
        return reader.add(ours, inputs[:1], **given)

    return make


def _plain(dynamic: str, count: int | None = None, **attributes: Any) -> Maker:
    return lambda reader, inputs: reader.raw(declared(dynamic), inputs[:count], attributes)


def _shape(reader: Reader, inputs: list[Node], name: str = "") -> Node:
    dtype = reader.dtype("out_type") if "out_type" in reader.row.attr else np.dtype(np.int32)
    source = inputs[0]
    if source.type is not None and source.type.is_known:
        return _value(reader, source.shape, dtype, name)
    return reader.add("shape_of", inputs[:1], name, dtype=dtype)


def _shapes(reader: Reader, inputs: list[Node]) -> Node:
    return _outputs(reader, len(inputs), lambda name, i: _shape(reader, inputs[i : i + 1], name))


def _size(reader: Reader, inputs: list[Node]) -> Node:
    dtype = reader.dtype("out_type") if "out_type" in reader.row.attr else np.dtype(np.int32)
    return reader.raw(declared("size"), inputs, {"dtype": dtype})


def _gradient_axes(reader: Reader, inputs: list[Node]) -> Node:
    known = [reader.constant(one) for one in inputs]
    made: list[Node] = []
    for port in (0, 1):
        if port and not reader.wants(1):
            break
        name = f"{reader.row.name}/other" if port else reader.row.name
        if known[0] is not None and known[1] is not None:
            axes = gradient_axes(known[0], known[1], port)
            kind = TensorType(axes.dtype, axes.shape)
            made.append(reader.raw("constant", [], {"value": axes}, name, type=kind, role="constant"))
        else:
            made.append(reader.raw(declared("gradient_axes"), inputs, {"port": port}, name))
    if len(made) > 1:
        reader.ports[f"{reader.row.name}:1"] = made[1]
    return made[0]


def _both(first: Maker, second: Maker) -> Maker:
    """A row with two outputs that somebody may read."""

    def make(reader: Reader, inputs: list[Node]) -> Node:
        if reader.wants(1):
            reader.ports[f"{reader.row.name}:1"] = second(reader, inputs)
        return first(reader, inputs)

    return make


def _other(dynamic: str, **attributes: Any) -> Maker:
    return lambda r, inputs: r.raw(declared(dynamic), inputs, attributes, f"{r.row.name}/other")


def _masks(reader: Reader) -> tuple[int, ...]:
    return tuple(reader.number(name) for name in _MASKS)


def _strided_slice(reader: Reader, inputs: list[Node]) -> Node:
    bounds = [reader.constant(one) for one in inputs[1:4]]
    if all(bound is not None for bound in bounds):
        begin, end, steps = bounds
        assert begin is not None
        assert end is not None
        assert steps is not None
        index = masked_index(begin, end, steps, _masks(reader))
        known = reader.constant(inputs[0])
        if known is not None:
            return _value(reader, known[index], known.dtype)
        for one in inputs[1:4]:
            reader.fixed(one)
        return reader.add("getitem", inputs[:1], index=describe_index(index))
    return reader.raw(declared("strided_slice"), inputs, {"masks": _masks(reader)})


def _slice(reader: Reader, inputs: list[Node]) -> Node:
    if any(reader.constant(one) is None for one in inputs[1:]):
        return reader.raw(declared("slice"), inputs, {})
    begin, size = (reader.sizes(one) for one in inputs[1:])
    ends = [None if n == -1 else b + n for b, n in zip(begin, size, strict=True)]
    parts = tuple(slice(b, e) for b, e in zip(begin, ends, strict=True))
    return reader.add("getitem", inputs[:1], index=describe_index(parts))


def _fill(reader: Reader, inputs: list[Node]) -> Node:
    if reader.constant(inputs[0]) is None:
        return reader.raw(declared("broadcast"), [inputs[1], inputs[0]], {})
    return reader.add("broadcast_to", inputs[1:], shape=reader.sizes(inputs[0]))


def _one_hot(reader: Reader, inputs: list[Node]) -> Node:
    depth, on, off = (reader.fixed(one) for one in inputs[1:])
    if reader.number("axis", -1) != -1 or on != 1 or off != 0:
        raise GraphError("it must be 1 and 0 along the last axis for this engine")
    return reader.add("one_hot", inputs[:1], depth=int(depth), dtype=reader.dtype("T"))


def _cumulative(ours: str) -> Maker:
    def make(reader: Reader, inputs: list[Node]) -> Node:
        axis = int(reader.fixed(inputs[1]))
        flags: dict[str, Any] = {name: reader.flag(name) for name in ("exclusive", "reverse")}
        if ours == "cumprod":
            if any(flags.values()):
                raise GraphError("a product must be inclusive and forwards for this engine")
            flags = {}
        return reader.add(ours, inputs[:1], axis=axis, **flags)

    return make


def _roll(reader: Reader, inputs: list[Node]) -> Node:
    shift, axis = (reader.fixed(one) for one in inputs[1:])
    return reader.add("roll", inputs[:1], shift=shift.tolist(), axis=axis.tolist())


def _descend(reader: Reader, inputs: list[Node]) -> Node:
    """``ApplyGradientDescent``: the variable less a step times the gradient."""
    variable, step, gradient = inputs
    change = reader.raw("mul", [gradient, step], {}, f"{reader.row.name}/Mul")
    node = reader.raw("assign_sub", [variable, change], {}, role="update")
    reader.graph.set_serves(change, node)
    return node


def _unpack(reader: Reader, inputs: list[Node]) -> Node:
    axis, count = reader.number("axis"), reader.number("num")
    return _outputs(reader, count, lambda name, i: reader.add("select", inputs, name, axis=axis, index=i))


def _split(reader: Reader, inputs: list[Node]) -> Node:
    axis, count, (source,) = int(reader.fixed(inputs[0])), reader.number("num_split"), inputs[1:]
    length = None if source.shape is None else source.shape[axis]
    if length is None or length % count:
        raise GraphError("how long the parts are is not known before the run")
    part = length // count
    before = (slice(None),) * (axis % len(source.shape or ()))

    def make(name: str, i: int) -> Node:
        index = describe_index((*before, slice(i * part, (i + 1) * part)))
        return reader.add("getitem", [source], name, index=index)

    return _outputs(reader, count, make)


def _outputs(reader: Reader, count: int, make: Callable[[str, int], Node]) -> Node:
    first = make(reader.row.name, 0)
    for i in range(1, count):
        if reader.wants(i):
            reader.ports[f"{reader.row.name}:{i}"] = make(f"{reader.row.name}/{i}", i)
    return first


# -- images ------------------------------------------------------------------------------------------------------------
def _turned(reader: Reader, node: Node, axes: tuple[int, ...], word: str) -> Node:
    return reader.add("transpose", [node], f"{reader.row.name}/{word}", axes=axes)


def _sides(reader: Reader, sizes: tuple[Any, Any], kernel: tuple[int, int], stride: tuple[int, int]) -> Any:
    """The padding of both sides of rows and columns."""
    kind = reader.word("padding", "VALID")
    if kind == "VALID":
        return ((0, 0), (0, 0))
    if kind == "EXPLICIT":
        sides = [int(n) for n in reader.attr("explicit_paddings").list.i]
        return ((sides[2], sides[3]), (sides[4], sides[5]))
    if None in sizes:
        raise GraphError("the padding SAME needs images of a known size for this engine")
    return same_padding(sizes, kernel, stride)


def _pair(reader: Reader, name: str) -> tuple[int, int]:
    values = [int(n) for n in reader.attr(name).list.i] if name in reader.row.attr else [1, 1, 1, 1]
    return values[1], values[2]


def _channels_last(reader: Reader) -> None:
    if reader.word("data_format", "NHWC") != "NHWC":
        raise GraphError("the data format must be NHWC")


def _image(reader: Reader, node: Node) -> tuple[Node, tuple[Any, Any]]:
    shape = node.shape or (None,) * 4
    return _turned(reader, node, _FIRST, "images"), (shape[1], shape[2])


def _conv2d(reader: Reader, inputs: list[Node]) -> Node:
    _channels_last(reader)
    images, sizes = _image(reader, inputs[0])
    rows, columns = (inputs[1].shape or (None, None))[:2]
    if rows is None or columns is None:
        raise GraphError("the size of the weights is not known")
    stride, dilation = _pair(reader, "strides"), _pair(reader, "dilations")
    reach = ((rows - 1) * dilation[0] + 1, (columns - 1) * dilation[1] + 1)
    weights = _turned(reader, inputs[1], (3, 2, 0, 1), "weights")
    more = {"stride": stride, "dilation": dilation, "padding": _sides(reader, sizes, reach, stride)}
    result = reader.add("conv2d", [images, weights], f"{reader.row.name}/conv2d", **more)
    return reader.add("transpose", [result], axes=_LAST)


def _pool(ours: str) -> Maker:
    def make(reader: Reader, inputs: list[Node]) -> Node:
        _channels_last(reader)
        images, sizes = _image(reader, inputs[0])
        size, stride = _pair(reader, "ksize"), _pair(reader, "strides")
        more: dict[str, Any] = {"size": size, "stride": stride, "padding": _sides(reader, sizes, size, stride)}
        if ours == "avg_pool2d":
            more["count_padding"] = False
        result = reader.add(ours, [images], f"{reader.row.name}/{ours}", **more)
        return reader.add("transpose", [result], axes=_LAST)

    return make


def _windowed(dynamic: str, name: str = "") -> Maker:
    """An op on images that finds out its padding in the run."""

    def make(reader: Reader, inputs: list[Node]) -> Node:
        _channels_last(reader)
        given: dict[str, Any] = {"stride": _pair(reader, "strides")}
        if "ksize" in reader.row.attr:
            given = {"size": _pair(reader, "ksize"), **given}
        else:
            given["dilation"] = _pair(reader, "dilations")
        padding = None if reader.word("padding", "VALID") == "SAME" else _sides(reader, (0, 0), (1, 1), (1, 1))
        full = f"{reader.row.name}/{name}" if name else ""
        return reader.raw(declared(dynamic), inputs, {**given, "padding": padding}, full)

    return make


FURTHER: dict[str, Maker] = {
    "Reshape": _sized("reshape", "reshape", "shape"),
    "BroadcastTo": _sized("broadcast_to", "broadcast", "shape"),
    "Tile": _sized("tile", "tile", "repeats"),
    "Transpose": _sized("transpose", "transpose", "axes"),
    "ExpandDims": _sized("expand_dims", "expand", "axis", single=True),
    "Fill": _fill,
    "Shape": _shape,
    "ShapeN": _shapes,
    "Size": _size,
    "Rank": _plain("rank"),
    "Range": _plain("range"),
    "StridedSlice": _strided_slice,
    "StridedSliceGrad": lambda r, i: r.raw(declared("strided_slice_grad"), i, {"masks": _masks(r)}),
    "Slice": _slice,
    "OneHot": _one_hot,
    "Cumsum": _cumulative("cumsum"),
    "Cumprod": _cumulative("cumprod"),
    "ReverseV2": lambda r, i: r.add("flip", i[:1], axis=r.sizes(i[1])),
    "Roll": _roll,
    "MatrixBandPart": _plain("band"),
    "UnsortedSegmentSum": _plain("segment_sum"),
    "ScatterNd": _plain("scatter"),
    "GatherNd": lambda r, i: r.add("gather_nd", i),
    "Einsum": lambda r, i: r.add("einsum", i, equation=r.word("equation", "")),
    "MatrixInverse": lambda r, i: r.add("inverse", i),
    "MatrixDeterminant": lambda r, i: r.add("det", i),
    "MatrixSolve": lambda r, i: r.add("solve", i),
    "MatrixDiagPart": lambda r, i: r.add("diagonal", i),
    "Cholesky": lambda r, i: r.add("cholesky", i),
    "LeakyRelu": lambda r, i: r.add("leaky_relu", i, slope=round(float(r.attr("alpha").f), 9)),
    "TopKV2": _both(_plain("topk", port=0), _other("topk", port=1)),
    "BroadcastGradientArgs": _gradient_axes,
    "SparseSoftmaxCrossEntropyWithLogits": _both(_plain("sparse_loss"), _other("sparse_gradient")),
    "SoftmaxCrossEntropyWithLogits": _both(_plain("dense_loss"), _other("dense_gradient")),
    "InvertPermutation": _plain("invert"),
    "BiasAddGrad": _plain("bias_gradient"),
    "DynamicStitch": _plain("stitch"),
    "TanhGrad": _plain("tanh_gradient"),
    "SigmoidGrad": _plain("sigmoid_gradient"),
    "SqrtGrad": _plain("sqrt_gradient"),
    "RsqrtGrad": _plain("rsqrt_gradient"),
    "ReciprocalGrad": _plain("reciprocal_gradient"),
    "InvGrad": _plain("reciprocal_gradient"),
    "SoftplusGrad": _plain("softplus_gradient"),
    "ApplyGradientDescent": _descend,
    "ResourceApplyGradientDescent": _descend,
    "Unpack": _unpack,
    "Split": _split,
    "Conv2D": _conv2d,
    "Conv2DBackpropInput": _windowed("input_gradient"),
    "Conv2DBackpropFilter": _windowed("weight_gradient"),
    "MaxPoolGrad": _windowed("max_gradient"),
    "MaxPoolWithArgmax": _both(lambda r, i: _pool("max_pool2d")(r, i), _windowed("max_places", "other")),
    "AvgPoolGrad": _windowed("average_gradient"),
    "MaxPool": _pool("max_pool2d"),
    "AvgPool": _pool("avg_pool2d"),
}
"""Rows that are read here, by their op."""
