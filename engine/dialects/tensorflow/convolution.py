"""``tf.nn.conv2d`` and pooling on images of batch x rows x columns x channels; the engine has channels first."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import shape_ops  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.array_ops import expand_dims, squeeze
from engine.dialects.tensorflow.build import apply, convert, hide
from engine.dialects.tensorflow.creation import partial_shape
from engine.dialects.tensorflow.handles import Tensor
from engine.ops.indexing import Slice
from engine.tensor_type import TensorType

_TO_ENGINE, _BACK, _WEIGHTS = (0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 0, 1)
Pair = tuple[int, int]


def pair(value: Any, what: str = "strides") -> Pair:
    """A number or two of them, or four of which the middle two count."""
    if isinstance(value, int):
        return value, value
    found = [int(n) for n in value]
    if len(found) == 4:
        found = found[1:3]
    if len(found) == 1:
        found *= 2
    if len(found) != 2:
        raise ValueError(f"{what} must be of length 1, 2 or 4, but was {len(found)}")
    return found[0], found[1]


def _padding(padding: Any, sizes: tuple[int | None, ...], window: tuple[Any, Any], strides: Pair, rates: Pair) -> Any:
    """Rows and columns of zeros around an image. "SAME" puts the odd one after."""
    if not isinstance(padding, str):
        return tuple((int(a), int(b)) for a, b in list(padding)[1:3])
    word = padding.upper()
    if word == "VALID":
        return (0, 0), (0, 0)
    if word != "SAME":
        raise ValueError(
            f'Value for attr \'padding\' of "{padding}" is not in the list of allowed values: "SAME", "VALID"'
        )
    found = []
    for size, length, stride, rate in zip(sizes, window, strides, rates, strict=True):
        if size is None:
            if stride > 1:
                raise NotImplementedError(
                    "padding='SAME' with strides: this teaching engine needs to know the height and width; "
                    "set the shape of the images"
                )
            total = (length - 1) * rate
        else:
            total = max((-(-size // stride) - 1) * stride + (length - 1) * rate + 1 - size, 0)
        found.append((total // 2, total - total // 2))
    return tuple(found)


def _image(value: Any, what: str) -> Tensor:
    tensor = convert(value, name=what)
    if tensor.shape.ndims not in (None, 4):
        raise ValueError(f"Shape must be rank 4 but is rank {tensor.shape.ndims} for an image op with input {tensor}")
    return tensor


def conv2d(
    input: Any, filter: Any = None, strides: Any = None, padding: Any = None, use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC", dilations: Any = (1, 1, 1, 1), name: str | None = None, filters: Any = None,
) -> Tensor:  # fmt: skip
    """Each window of the images times the weights (rows x columns x in x out)."""
    if data_format != "NHWC":
        raise NotImplementedError("this teaching engine has images only as NHWC, as TensorFlow on a CPU has")
    images, weights = _image(input, "input"), convert(filters if filter is None else filter, name="filter")
    steps, rates = pair(1 if strides is None else strides), pair(dilations)
    window = weights.shape.as_list()
    channels = images.shape.as_list()[3] if images.shape.ndims else None
    if channels is not None and window[2] is not None and channels % window[2]:
        raise ValueError(
            f"Depth of input ({channels}) is not a multiple of input depth of filter ({window[2]}) for "
            f"'{{{{node {images.graph.unique_name(name or 'Conv2D', False)}}}}} = Conv2D"
        )
    groups = 1 if channels is None or not window[2] else channels // window[2]
    around = _padding(padding, images.shape._dims[1:3], (window[0], window[1]), steps, rates)  # type: ignore[index]
    attributes = {"stride": steps, "padding": around, "dilation": rates}
    return _turned("conv2d", "Conv2D", [(images, _TO_ENGINE), (weights, _WEIGHTS)], attributes, name, groups)


def depthwise_conv2d(
    input: Any, filter: Any = None, strides: Any = None, padding: Any = None, rate: Any = None, name: str | None = None,
    data_format: str | None = "NHWC", dilations: Any = None,
) -> Tensor:  # fmt: skip
    """Each channel with weights of its own: ``[rows, columns, channels, results of a channel]``."""
    if data_format not in (None, "NHWC"):
        raise NotImplementedError("this teaching engine has images only as NHWC, as TensorFlow on a CPU has")
    images, weights = _image(input, "tensor_in"), convert(filter, name="filter_in")
    rows, columns, channels, several = (int(n or 0) for n in weights.shape.as_list())
    steps, rates = (
        pair(1 if strides is None else strides),
        pair((1 if dilations is None else dilations) if rate is None else rate),
    )
    around = _padding(padding, images.shape._dims[1:3], (rows, columns), steps, rates)  # type: ignore[index]
    attributes = {"stride": steps, "padding": around, "dilation": rates}
    with images.graph.as_default(), images.graph.name_scope(name or "depthwise") as scope:
        flat = images.graph.core.add(
            "reshape", [weights._node], {"shape": (rows, columns, 1, channels * several)}, name="weights"
        )
        found = _turned(
            "conv2d", "DepthwiseConv2dNative", [(images, _TO_ENGINE), (images.graph.tensor(flat), _WEIGHTS)],
            attributes, scope, channels,
        )  # fmt: skip
    hide(images.graph, [flat], found._node)
    found.op._inputs = [images, weights]
    return found


def conv2d_transpose(
    value: Any = None, filter: Any = None, output_shape: Any = None, strides: Any = None, padding: Any = "SAME",
    data_format: str = "NHWC", name: str | None = None, input: Any = None, filters: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of :func:`conv2d`: images of ``output_shape`` whose windows are ``value`` spread by the weights
    (rows x columns x out x in)."""
    if data_format != "NHWC":
        raise NotImplementedError("this teaching engine has images only as NHWC, as TensorFlow on a CPU has")
    images = _image(input if value is None else value, "value")
    weights = convert(filters if filter is None else filter, name="filter")
    graph = images.graph
    core, before = graph.core, len(graph.core.nodes)
    with graph.as_default(), graph.name_scope(name or "conv2d_transpose") as scope:
        sizes = convert(output_shape, "int32" if isinstance(output_shape, list | tuple) else None, name="input_sizes")
        known = _known_sizes(output_shape, sizes, weights)
        steps, rates = pair(1 if strides is None else strides), pair(1 if dilations is None else dilations)
        window = weights.shape.as_list()
        around = _padding(padding, (known[1], known[2]), (window[0], window[1]), steps, rates)
        attributes: dict[str, Any] = {"stride": steps, "padding": around, "dilation": rates}
        made = len(core.nodes)
        nodes = [
            core.add("transpose", [t._node], {"axes": axes}, name="turned")
            for t, axes in ((images, _TO_ENGINE), (weights, _WEIGHTS))
        ]
        if None in known:
            zeros = core.apply("tf_fill", np.zeros((), images.dtype.base_dtype._numpy), sizes._node, known=tuple(known))
            like = core.add("transpose", [zeros], {"axes": _TO_ENGINE}, name="turned")
            found = core.add("conv2d_input_like", [*nodes, like], attributes, name="spread")
        else:
            attributes["shape"] = tuple(known[i] for i in _TO_ENGINE)
            found = core.add("conv2d_input", nodes, attributes, name="spread")
        # As in TensorFlow, what is said of the number of images comes from the images alone.
        seen = TensorType(images.dtype.base_dtype._numpy, (images.shape.as_list()[0], *known[1:]))
        result = apply(
            "transpose", "Conv2DBackpropInput", scope, [("out", graph.tensor(found))], {"axes": _BACK}, type=seen
        )
    hide(graph, core.nodes[made : result._node.index], result._node)
    for node in core.nodes[before:made]:
        core.set_serves(node, result._node)
    result.op._inputs = [sizes, weights, images]
    return result


def _known_sizes(given: Any, sizes: Tensor, weights: Tensor) -> list[int | None]:
    """What is known of an output shape while the graph is built."""
    known = list(partial_shape(given if isinstance(given, list | tuple) else sizes) or [None] * 4)
    if known[3] is None:
        known[3] = weights.shape.as_list()[2]
    return known


def conv1d(
    value: Any = None, filters: Any = None, stride: Any = 1, padding: Any = "SAME", use_cudnn_on_gpu: Any = None,
    data_format: Any = None, name: str | None = None, input: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """:func:`conv2d` along one axis: ``[batch, width, in]`` times ``[width, in, out]``."""
    if data_format not in (None, "NWC", "NHWC"):
        raise NotImplementedError("this teaching engine has sequences only as NWC")
    sequence = convert(input if value is None else value)
    with sequence.graph.as_default(), sequence.graph.name_scope(name or "conv1d"):
        step = stride if isinstance(stride, int) else pair(stride)[0]
        rate = 1 if dilations is None else dilations if isinstance(dilations, int) else pair(dilations)[0]
        rows, weights = expand_dims(sequence, 1), expand_dims(convert(filters), 0)
        return squeeze(conv2d(rows, weights, [1, 1, step, 1], padding, dilations=[1, 1, rate, 1]), [1])


def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any, rate: Any = None,
    name: str | None = None, data_format: str | None = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """Each channel by itself, then all of them at each place."""
    images = _image(input, "tensor_in")
    with images.graph.as_default(), images.graph.name_scope(name or "separable_conv2d") as scope:
        each = depthwise_conv2d(images, depthwise_filter, strides, padding, rate, "depthwise", data_format, dilations)
        return conv2d(each, pointwise_filter, [1, 1, 1, 1], "VALID", name=scope)


def _turned(op: str, tf_type: str, inputs: Any, attributes: Any, name: str | None, groups: int = 1) -> Tensor:
    """An op of the engine on turned images; the turning is no op of the real graph."""
    graph = inputs[0][0].graph
    core, before = graph.core, len(graph.core.nodes)
    with graph.as_default(), graph.name_scope(name or tf_type) as scope:
        nodes = [core.add("transpose", [t._node], {"axes": axes}, name="turned") for t, axes in inputs]
        found = _windows(core, op, nodes, attributes, groups)
        result = apply("transpose", tf_type, scope, [("value", graph.tensor(found))], {"axes": _BACK})
    hide(graph, core.nodes[before : result._node.index], result._node)
    result.op._inputs = [t for t, _ in inputs]
    return result


def _windows(core: Any, op: str, nodes: Any, attributes: Any, groups: int) -> Any:
    """The op; with ``groups``, each group of channels with its own part of the weights."""
    if groups == 1:
        return core.add(op, nodes, attributes, name="windows")
    images, weights = nodes
    size, part = weights.shape[1], weights.shape[0] // groups
    parts = []
    for i in range(groups):
        some = core.add("getitem", [images], {"index": (Slice(), Slice(i * size, (i + 1) * size))}, name="channels")
        own = core.add("getitem", [weights], {"index": (Slice(i * part, (i + 1) * part),)}, name="own")
        parts.append(core.add(op, [some, own], attributes, name="windows"))
    return core.add("concat", parts, {"axis": 1}, name="joined")


def _pool(
    op: str, tf_type: str, value: Any, size: Any, strides: Any, padding: Any, name: str | None, **more: Any
) -> Any:
    images = _image(value, "value")
    window, steps = pair(size, "ksize"), pair(strides)
    sizes = images.shape._dims[1:3]  # type: ignore[index]
    around = _padding(padding, sizes, window, steps, (1, 1))
    attributes = {"size": window, "stride": steps, "padding": around, **more}
    return _turned(op, tf_type, [(images, _TO_ENGINE)], attributes, name)


def max_pool(
    value: Any = None, ksize: Any = None, strides: Any = None, padding: Any = None, data_format: str = "NHWC",
    name: str | None = None, input: Any = None,
) -> Tensor:  # fmt: skip
    """The largest element of each window."""
    return _pool("max_pool2d", "MaxPool", input if value is None else value, ksize, strides, padding, name)  # type: ignore[no-any-return]


def avg_pool(
    value: Any = None, ksize: Any = None, strides: Any = None, padding: Any = None, data_format: str = "NHWC",
    name: str | None = None, input: Any = None,
) -> Tensor:  # fmt: skip
    """The mean of each window, without what pads it."""
    given = input if value is None else value
    return _pool("avg_pool2d", "AvgPool", given, ksize, strides, padding, name, count_padding=False)  # type: ignore[no-any-return]
