"""Reductions over axes, and positions of extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, summing  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.build import apply, convert, hide
from engine.dialects.tensorflow.handles import Tensor


def axes_of(axis: Any) -> Any:
    """An axis argument as the engine takes it."""
    if isinstance(axis, Tensor):
        value = axis._node.attributes.get("value")
        if value is None:
            raise NotImplementedError("this teaching engine takes reduction axes only as constants")
        axis = value.tolist()
    if axis is None or isinstance(axis, int):
        return axis
    if isinstance(axis, np.ndarray | np.generic):
        axis = axis.tolist()
    return tuple(int(i) for i in axis) if isinstance(axis, list | tuple) else int(axis)


def _reduction(op: str, tf_type: str, doc_name: str) -> Callable[..., Tensor]:
    def function(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Tensor:
        axes = axes_of(axis if reduction_indices is None else reduction_indices)
        keep = bool(keepdims if keep_dims is None else keep_dims)
        tensor = convert(input_tensor, name="input_tensor")
        return _reduce(op, tf_type, tensor, axes, keep, name)

    function.__name__ = doc_name
    return function


def _every_axis(tensor: Tensor) -> Tensor:
    """The axes of a single value, or of a tensor whose rank only the run knows: a range."""
    from engine.dialects.tensorflow.array_ops import rank
    from engine.dialects.tensorflow.spaced import range_

    return range_(0, rank(tensor))


def _reduce(op: str, tf_type: str, tensor: Tensor, axes: Any, keep: bool, name: str | None) -> Tensor:
    graph = tensor.graph
    made: list[Tensor] = []
    constants: list[tuple[str, Any]] = []
    shape = tensor._node.shape
    if axes is None and not shape:
        made.append(_every_axis(tensor))
    elif axes is None:
        # Without axes the real graph holds a constant with all of them, made outside the op's own scope.
        rank = len(shape or ())
        made.append(graph.tensor(graph.core.constant(np.arange(rank, dtype=np.int32), name="Const", label="Const")))
    else:
        constants.append(("reduction_indices", list(axes) if isinstance(axes, tuple) else axes))
    attributes: dict[str, Any] = {"axis": axes, "keepdims": keep}
    source, integers = tensor, None
    kind = tensor._node.type.dtype if tensor._node.type is not None else None
    if kind == np.float32 and op in ("sum", "mean"):
        op = f"{op}_in_packets"
    elif op == "mean":
        attributes["ddof"] = 0
    if op == "mean" and kind is not None and kind.kind in "iu":
        integers = kind
        source = graph.tensor(graph.core.add("cast", [tensor._node], {"dtype": np.dtype("float64")}))
    elif op in ("sum", "prod") and kind is not None and kind.kind in "iu":
        integers = kind
    before = len(graph.core.nodes)
    shown = {"Tidx": "DT_INT32", "keep_dims": str(keep).lower()}
    if integers is None:
        result = apply(op, tf_type, name, [("input", source)], attributes, constants=constants, shown=shown)
        extras: list[Any] = [t._node for t in made]
        result.op._inputs = [tensor, *(made or result.op.inputs[1:])]
        for node in extras:
            graph.core.set_serves(node, result._node)
        return result
    # The engine widens sums of integers (and averages floats); the real op keeps the dtype, so it is cast back.
    inner = graph.core.add(op, [source._node], attributes, name=f"{tf_type}/wide/" if not name else f"{name}/wide/")
    result = apply("cast", tf_type, name, [("input", graph.tensor(inner))], {"dtype": integers}, constants=constants)
    hide(graph, [inner] + ([source._node] if source is not tensor else []), result._node)
    for made_tensor in made:
        graph.core.set_serves(made_tensor._node, result._node)
    result.op._inputs = [tensor, *(made or result.op.inputs[1:])]
    del before
    return result


reduce_sum = _reduction("sum", "Sum", "reduce_sum")


reduce_mean = _reduction("mean", "Mean", "reduce_mean")


reduce_max = _reduction("max", "Max", "reduce_max")


reduce_min = _reduction("min", "Min", "reduce_min")


reduce_prod = _reduction("prod", "Prod", "reduce_prod")


reduce_all = _reduction("all", "All", "reduce_all")


reduce_any = _reduction("any", "Any", "reduce_any")


def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Tensor:
    attributes = {"axis": axes_of(axis), "keepdims": bool(keepdims)}
    return apply("logsumexp", "ReduceLogSumExp", name, [("input_tensor", input_tensor)], attributes)


def _arg(op: str, tf_type: str) -> Any:
    def function(
        input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = "int64"
    ) -> Tensor:
        place = axes_of(axis if dimension is None else dimension)
        place = 0 if place is None else place
        attributes = {"axis": place, "keepdims": False}
        kind, constants = dtypes.as_dtype(output_type), [("dimension", place)]
        if kind.name == "int64":
            return apply(op, tf_type, name, [("input", input)], attributes, constants=constants)
        attributes["dtype"] = kind._numpy
        return apply(f"tf_{op}", tf_type, name, [("input", input)], attributes, constants=constants)

    return function


argmax = _arg("argmax", "ArgMax")


argmin = _arg("argmin", "ArgMin")
