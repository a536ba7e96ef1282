"""Turning arguments into tensors and ops into nodes, with TensorFlow's names and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.graph import FINALIZED, Graph, get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.messages import shape_message
from engine.dialects.tensorflow.values import as_array
from engine.errors import DtypeError, GraphError, ShapeError
from engine.static import Node
from engine.tensor_type import TensorType


def constant_node(graph: Graph, array: np.ndarray[Any, Any], name: str) -> Node:
    """A ``Const`` node."""
    graph.check_open()
    if name and not graph.core.names.scope:
        graph.check_node_name(name)
    return graph.core.constant(array, name=name, label="Const")


def convert(value: Any, dtype: Any = None, name: str = "Const", preferred: dtypes.DType | None = None) -> Tensor:
    """``tf.convert_to_tensor``: tensors and variables as they are (their value), anything else becomes a ``Const``.

    :raises ValueError: a tensor of another dtype than the one asked for.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    as_tensor = getattr(type(value), "_as_tensor", None)
    if as_tensor is not None:
        value = as_tensor(value)
    captured = getattr(type(value), "_captured", None)
    if captured is not None:
        value = captured(value, get_default_graph(), name)
    if isinstance(value, Tensor):
        if wanted is not None and value.dtype.base_dtype != wanted:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    graph = get_default_graph()
    if isinstance(value, list | tuple) and _has_tensor(value):
        return _packed(value, wanted, name)
    array = None
    if wanted is None and preferred is not None:
        try:
            array = as_array(value, preferred.base_dtype)
        except (TypeError, ValueError):
            array = None
    if array is None:
        array = as_array(value, wanted)
    return graph.tensor(constant_node(graph, array, name))


def _has_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_has_tensor(item) for item in value)
    return is_tensor(value)


def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a tensor or variable, of a graph or captured by one."""
    return isinstance(value, Tensor) or hasattr(type(value), "_as_tensor") or hasattr(type(value), "_captured")


def _packed(value: Sequence[Any], dtype: dtypes.DType | None, name: str) -> Tensor:
    """A list with tensors in it: stacked, as ``tf.stack`` would."""
    from engine.dialects.tensorflow.array_ops import stack

    found = next((t for t in _tensors(value)), None)
    like = dtype or (found.dtype.base_dtype if found is not None else None)
    return stack(
        [convert(item, like, name=str(i)) for i, item in enumerate(value)], name="packed" if name == "Const" else name
    )


def _tensors(value: Any) -> Any:
    for item in value:
        if isinstance(item, list | tuple):
            yield from _tensors(item)
        elif isinstance(item, Tensor):
            yield item
        elif hasattr(type(item), "_as_tensor"):
            yield item._as_tensor()
        elif hasattr(type(item), "_captured"):
            yield item


def apply(
    op: str,
    tf_type: str,
    name: str | None,
    inputs: Sequence[tuple[str, Any]],
    attributes: Mapping[str, Any] | None = None,
    *,
    same_type: bool = True,
    constants: Sequence[tuple[str, Any]] = (),
    type: TensorType | None = None,
    dtype: dtypes.DType | None = None,
    inputs_dtypes: Mapping[str, dtypes.DType] | None = None,
    default_name: str | None = None,
    shown: Mapping[str, str] | None = None,
) -> Tensor:
    """Build one op: convert ``inputs`` (argument name, value) inside its name scope, check that they agree in dtype,
    add
    the node and hide the constants that came along under it. ``constants`` are operands that the real op has and the
    engine's takes as attributes: they appear in the graph as plumbing.

    :raises ValueError: the shapes cannot go together, in TensorFlow's words (:class:`TypeError` for dtypes).
    """
    graph = graph_of([value for _, value in inputs])
    graph.check_open()
    core = graph.core
    before = len(core.nodes)
    if name and not core.names.scope:
        graph.check_node_name(name)
    with as_default(graph), graph.name_scope(name or default_name or tf_type) as scope:
        tensors: list[Tensor] = []
        for argument, value in inputs:
            tensors.append(_input(argument, value, tensors, inputs, same_type, tf_type, dtype, inputs_dtypes))
        extra = [convert(value, name=argument) for argument, value in constants]
        for tensor in (*tensors, *extra):
            check_same_graph(tensors[0] if tensors else tensor, tensor)
        try:
            node = core.add(op, [t._node for t in tensors], attributes, name=scope, label=tf_type, type=type)
        except ShapeError as error:
            raise ValueError(
                shape_message(tf_type, scope[:-1], tensors, extra, shown or {}, attributes or {}, error)
            ) from None
        except DtypeError as error:
            raise TypeError(str(error)) from None
        except GraphError as error:
            raise RuntimeError(FINALIZED) if core.finalized else ValueError(str(error)) from None
    for made in core.nodes[before : node.index]:
        if made.serves is None and made.op == "constant":
            core.set_serves(made, node)
    operation = graph.operation(node)
    operation._inputs = [*tensors, *extra]
    if graph.context is not None:
        graph.context.note(operation)
    return operation.outputs[0]


_STRICT = frozenset(
    {
        "Mul",
        "Sub",
        "Maximum",
        "Minimum",
        "FloorDiv",
        "FloorMod",
        "RealDiv",
        "Less",
        "Greater",
        "LessEqual",
        "GreaterEqual",
        "Equal",
        "NotEqual",
        "SquaredDifference",
        "Assign",
        "AssignAdd",
        "AssignSub",
        "LogicalAnd",
        "LogicalOr",
    }
)
"""Ops whose Python operands get the other operand's dtype or are refused (addition falls back to their own dtype)."""


def _input(
    argument: str,
    value: Any,
    before: Sequence[Tensor],
    inputs: Sequence[tuple[str, Any]],
    same_type: bool,
    tf_type: str,
    dtype: dtypes.DType | None,
    given: Mapping[str, dtypes.DType] | None,
) -> Tensor:
    wanted = dtype or (given or {}).get(argument)
    if wanted is None and same_type:
        if before:
            wanted = before[0].dtype.base_dtype
        else:
            others = [v for _, v in inputs[1:]]
            wanted = next((dtype_of(v) for v in others if dtype_of(v) is not None), None)
    if wanted is not None and tf_type in _STRICT:
        check_fits(value, wanted, argument, tf_type)
    tensor = convert(value, name=argument, preferred=wanted)
    if same_type and before and tensor.dtype.base_dtype != before[0].dtype.base_dtype:
        raise TypeError(
            f"Input '{argument}' of '{tf_type}' Op has type {tensor.dtype.base_dtype.name} that does not match type "
            f"{before[0].dtype.base_dtype.name} of argument '{inputs[0][0]}'."
        )
    if given and argument in given and tensor.dtype.base_dtype != given[argument]:
        raise TypeError(
            f"Input '{argument}' of '{tf_type}' Op has type {tensor.dtype.base_dtype.name} that does not match "
            f"expected type of {given[argument].name}."
        )
    return tensor


def check_fits(value: Any, wanted: dtypes.DType, argument: str, tf_type: str) -> None:
    """:raises TypeError: a Python value is none of the dtype that an op wants."""
    if dtype_of(value) is not None or _has_tensor(value):
        return
    try:
        as_array(value, wanted)
    except TypeError as error:
        raise TypeError(
            f"Expected {wanted.name} passed to parameter '{argument}' of op '{tf_type}', got {value!r} of type "
            f"'{type(value).__name__}' instead. Error: {error}"
        ) from None


def dtype_of(value: Any) -> dtypes.DType | None:
    """The dtype of a tensor or variable, ``None`` for anything else."""
    if is_tensor(value):
        return value.dtype.base_dtype  # type: ignore[no-any-return]
    return None


def graph_of(values: Sequence[Any]) -> Graph:
    """The graph that an op on ``values`` belongs to: that of the first tensor, else the default one."""
    here = get_default_graph()
    if here.building_function or any(isinstance(v, Tensor) and v.graph.building_function for v in values):
        from engine.dialects.tensorflow.function.func_graph import check_scope

        for value in values:
            check_scope(value)
        return here
    first: Any = None
    for value in values:
        if isinstance(value, Tensor) or hasattr(type(value), "_as_tensor"):
            if first is None:
                first = value
            elif value.graph is not first.graph:
                raise ValueError(
                    f"{_variable(value)} must be from the same graph as {_described(first)} (graphs are "
                    f"{value.graph!r} and {first.graph!r})."
                )
    return get_default_graph() if first is None else first.graph


def _variable(value: Any) -> str:
    """A variable by its own tensor, not by its read."""
    return str(value if isinstance(value, Tensor) else getattr(value, "_variable", value))


def _described(value: Any) -> str:
    return str(value if isinstance(value, Tensor) else value._as_tensor())


def check_same_graph(first: Tensor, other: Tensor) -> None:
    if first.graph is not other.graph:
        raise ValueError(
            f"{other} must be from the same graph as {first} (graphs are {other.graph!r} and {first.graph!r})."
        )


def as_default(graph: Graph) -> Any:
    return graph.as_default()


def hide(graph: Graph, nodes: Sequence[Node], under: Node) -> None:
    """Nodes that the real graph has no ops for: not listed, and shown under ``under``."""
    for node in nodes:
        graph.hidden.add(node)
        graph.core.set_serves(node, under)


def operation_of(tensor: Tensor) -> Operation:
    return tensor.op
