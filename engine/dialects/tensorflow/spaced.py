"""Values with a rule: ``tf.range``, ``tf.linspace``, ``tf.eye``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert, graph_of
from engine.dialects.tensorflow.creation import constant_value, ones, size_of, static_shape
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.values import as_array


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """Evenly spaced values; arguments must be known while the graph is built."""
    if limit is None:
        start, limit = 0, start
    given = (start, limit, delta)
    found = [constant_value(v) if isinstance(v, Tensor) else v for v in given]
    if any(v is None for v in found):
        like = next(v.dtype.base_dtype for v in given if isinstance(v, Tensor))
        graph = graph_of(given)
        with graph.as_default(), graph.name_scope(name) as scope:
            names = ("start", "limit", "delta")
            inputs = [(n, convert(v, preferred=like, name=n)) for n, v in zip(names, given, strict=True)]
            return apply("tf_range", "Range", scope, inputs)
    arrays = [np.asarray(as_array(v)) for v in found]
    _check_range(arrays, name)
    kind = dtypes.as_dtype(dtype)._numpy if dtype is not None else np.result_type(*arrays)
    if dtype is None and kind == np.float64 and not any(a.dtype == np.float64 for a in arrays):
        kind = np.dtype(np.float32)
    values = np.arange(*found).astype(kind)
    graph = get_default_graph()
    graph.check_open()
    with graph.name_scope(name) as scope:
        parts = zip(("start", "limit", "delta"), given, found, strict=True)
        operands = [(part, v if isinstance(v, Tensor) else as_array(known)) for part, v, known in parts]
        return _known(values, "Range", scope, operands)


def _check_range(ends: Sequence[Any], name: str) -> None:
    """:raises ValueError: a range that cannot be walked."""
    start, limit, step = (end.item() for end in ends)
    if step and (limit - start) * step >= 0:
        return
    said = "Requires delta != 0"
    if step:
        low, high = "<>" if step > 0 else "><"
        said = f"Requires start {low}= limit when delta {high} 0: {start}/{limit}"
    graph = get_default_graph()
    title = graph.unique_name(name)
    listed = "float32" if any(end.dtype.kind == "f" for end in ends) else ends[0].dtype.name
    parts = ", ".join(f"{title}/{part}" for part in ("start", "limit", "delta"))
    known = ", ".join(f"input[{i}] = <{end.item()}>" for i, end in enumerate(ends))
    raise ValueError(
        f"{said} for '{{{{node {title}}}}} = Range[Tidx={ENUM[listed]}]({parts})' with input shapes: [], [], [] and "
        f"with computed input tensors: {known}."
    )


def _known(values: Any, tf_type: str, name: str, operands: Sequence[tuple[str, Any]]) -> Tensor:
    """An op whose value is known while the graph is built: the engine holds that value, and shows the operands that are
    no tensors yet under it."""
    graph = get_default_graph()
    inputs = [value if isinstance(value, Tensor) else convert(value, name=part) for part, value in operands]
    node = graph.core.constant(values, name=name, label=tf_type, role="op")
    for tensor, (_, value) in zip(inputs, operands, strict=True):
        if tensor is not value:
            graph.core.set_serves(tensor._node, node)
    result = graph.tensor(node)
    result.op._inputs = inputs
    return result


def spaced(first: Any, last: Any, num: int, axis: int = 0) -> Any:
    """``num`` numbers at even distances from ``first`` to ``last``, rounded at every step as the real one does it;
    whole ones become float64."""
    first, last = np.broadcast_arrays(first, last)
    steps = max(num - 1, 1)
    width = np.asarray((last - first) / first.dtype.type(steps))
    first, last = (np.expand_dims(end, axis).astype(width.dtype) for end in (first, last))
    axis += first.ndim if axis < 0 else 0
    places = np.arange(1, steps, dtype=width.dtype).reshape([-1 if i == axis else 1 for i in range(first.ndim)])
    inner = first + np.expand_dims(width, axis) * places
    return np.take(np.concatenate([first, inner, last], axis), range(num), axis)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """``num`` numbers at even distances.

    :raises NotImplementedError: an end or the count is not known while the graph is built.
    """
    graph = get_default_graph()
    graph.check_open()
    with graph.name_scope(name or "linspace"):
        first, count = (constant_value(v) if isinstance(v, Tensor) else as_array(v) for v in (start, num))
        kind = None if first is None else dtypes.from_numpy(first.dtype)
        last = constant_value(stop) if isinstance(stop, Tensor) else as_array(stop, kind)
        if first is None or last is None or count is None:
            raise NotImplementedError("tf.linspace: this teaching engine needs to know both ends when it builds")
        operands = [
            (part, v if isinstance(v, Tensor) else known)
            for part, v, known in (("start", start, first), ("stop", stop, last), ("num", num, count))
        ]
        return _known(spaced(first, last, int(count), axis), "Slice", "Slice", operands)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> Tensor:
    """Ones on the diagonal.

    :raises NotImplementedError: the sizes of a matrix that is not square are not known while the graph is built.
    """
    kind = dtypes.as_dtype(dtype or "float32")
    graph = get_default_graph()
    graph.check_open()
    with graph.name_scope(name or "eye"):
        rows, columns = size_of(num_rows), size_of(num_rows if num_columns is None else num_columns)
        batch = () if batch_shape is None else static_shape(batch_shape)
        if rows is None or columns is None or batch is None:
            if num_columns is not None or batch_shape is not None:
                raise NotImplementedError("tf.eye: this teaching engine needs to know these sizes when it builds")
            return apply("tf_diag", "MatrixDiagV3", "diag", [("diagonal", ones([num_rows], kind))])
        values = np.broadcast_to(np.eye(rows, columns), (*batch, rows, columns)).astype(kind._numpy)
        row = np.ones((*batch, min(rows, columns)), kind._numpy)
        if rows != columns:
            return _known(values, "MatrixSetDiagV3", "set_diag", [("zeros", np.zeros_like(values)), ("ones", row)])
        shown = [("ones", row), *((f"diag/{part}", np.int32(-1)) for part in ("num_rows", "num_cols"))]
        shown.insert(1, ("diag/k", np.int32(0)))
        return _known(values, "MatrixDiagV3", "diag", [*shown, ("diag/padding_value", kind._numpy.type(0))])
