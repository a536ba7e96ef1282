"""``tf.cond``, ``tf.case`` and ``tf.while_loop`` of 1.x."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert, graph_of
from engine.dialects.tensorflow.control_plumbing import Context
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.errors import DtypeError, GraphError, ShapeError
from engine.static import Node
from engine.static.building_control import fits, flatten
from engine.static.fetches import rebuild

Function = Callable[..., Any]


# -- decisions -------------------------------------------------------------------------------------------------------
def cond(
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Any = None,
    fn2: Any = None,
) -> Any:
    """The result of ``true_fn()`` where ``pred`` is true, else of ``false_fn()``. Both are called once, now."""
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    if not callable(true_fn):
        raise TypeError("'true_fn' must be callable.")
    if not callable(false_fn):
        raise TypeError("'false_fn' must be callable.")
    if isinstance(pred, bool):
        raise TypeError("'pred' must not be a Python bool.")
    graph = graph_of([pred])
    graph.check_open()
    seen: list[tuple[Any, list[Tensor]]] = []

    def branch(context: Context, function: Function, word: str) -> list[Node]:
        context.known.clear()
        with context.part():
            value = function()
            if value is None:
                raise ValueError(f"'{word}' must have a return value.")
            leaves: list[Any] = []
            structure = flatten(value if strict else _unpacked(value), leaves)
            seen.append((structure, [_result(graph, leaf, word == "true_fn") for leaf in leaves]))
            for tensor in seen[-1][1]:
                context.brought(tensor)
        if len(seen) == 2:
            _compare(*seen)
        return [tensor._node for tensor in seen[-1][1]]

    with graph.as_default():
        chosen = convert(pred, name="pred")
        if chosen.dtype.base_dtype.name != "bool":
            raise TypeError(
                f"Input 'pred' of 'Switch' Op has type {chosen.dtype.base_dtype.name} that does not match expected "
                "type of bool."
            )
        with graph.name_scope(name or "cond") as scope:
            context = Context(graph, "Switch")
            _choosing(context, chosen)
            found = _built(
                graph,
                lambda: graph.core.cond(
                    chosen._node,
                    lambda: branch(context, true_fn, "true_fn"),
                    lambda: branch(context, false_fn, "false_fn"),
                    name=scope,
                ),
            )
    outputs = _outputs(graph, found, *(tensors for _, tensors in seen))
    context.finish(outputs[0]._node.inputs[0][0])
    return rebuild(seen[0][0], iter(outputs))


def _choosing(context: Context, pred: Tensor) -> None:
    """The ops that say which branch runs."""
    kind = pred._node.type
    switch = context.add("Switch", [pred, pred], kind)
    for name in ("switch_t", "switch_f"):
        context.add("Identity", switch.outputs, kind, name)
    context.add("Identity", [pred], kind, "pred_id")


def _unpacked(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _result(graph: Graph, value: Any, taken: bool) -> Tensor:
    """What a branch gives as a tensor; an op becomes the predicate's value, there once the op has run."""
    if isinstance(value, Operation):
        with graph.control_dependencies([value]):
            node = graph.core.constant(np.array(taken), name="control_dependency", label="Identity")
            return graph.tensor(node)
    return convert(value)


def _compare(first: tuple[Any, list[Tensor]], second: tuple[Any, list[Tensor]]) -> None:
    """:raises ValueError: the branches give different things."""
    if first[0] != second[0]:
        raise ValueError(
            "Incompatible return values of true_fn and false_fn: The two structures don't have the same "
            "nested structure."
        )
    for a, b in zip(first[1], second[1], strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            raise ValueError(
                "Outputs of 'true_fn' and 'false_fn' must have the same type(s). Received "
                f"{a.dtype.base_dtype.name} from 'true_fn' and {b.dtype.base_dtype.name} from 'false_fn'."
            )


def _outputs(graph: Graph, nodes: Any, *inputs: Sequence[Tensor]) -> list[Tensor]:
    """The tensors of ``output`` nodes. The node that owns the regions is no op of the real graph: it is not listed."""
    flat: list[Any] = []
    flatten(nodes, flat)
    tensors = []
    for place, node in enumerate(flat):
        graph.hidden.add(node.inputs[0][0])
        tensor = graph.tensor(node)
        tensor.op._inputs = [given[place] for given in inputs if place < len(given)]
        tensors.append(tensor)
    return tensors


def _built(graph: Graph, build: Callable[[], Any]) -> Any:
    """Build, with errors as TensorFlow has them."""
    try:
        return build()
    except (DtypeError, GraphError, ShapeError) as error:
        kind = TypeError if isinstance(error, DtypeError) else ValueError
        raise kind(str(error)) from None


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The result of the first function whose predicate is true."""
    pairs = _pairs(pred_fn_pairs)
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    graph = graph_of([pred for pred, _ in pairs])
    with graph.as_default(), graph.name_scope(name):
        waits: list[Node] = []
        if exclusive and len(pairs) > 1:
            waits = [_built(graph, lambda: _exclusive(graph, [pred._node for pred, _ in pairs], name))]
        with graph.core.control_dependencies(waits):
            return _decide(pairs, default, strict)


def _pairs(given: Any) -> list[tuple[Tensor, Function]]:
    if not isinstance(given, list | tuple | Mapping):
        raise TypeError("pred_fn_pairs must be a list, tuple, or dict")
    pairs = list(given.items()) if isinstance(given, Mapping) else list(given)
    if not pairs:
        raise ValueError("pred_fn_pairs must contain at least one (predicate, function) pair.")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        if not isinstance(pair[0], Tensor):
            raise TypeError(f"pred must be a Tensor, got: {pair[0]}")
        if pair[0].dtype.base_dtype.name != "bool":
            raise TypeError(f"pred must be Tensor of type bool: {pair[0].name}")
        if not callable(pair[1]):
            raise TypeError(f"fn for pred {pair[0].name} must be callable.")
    return pairs


def _exclusive(graph: Graph, predicates: Sequence[Node], name: str) -> Node:
    core = graph.core
    counted = core.apply("cast", core.apply("stack", *predicates, axis=0), dtype=np.dtype(np.int32))
    return core.apply("at_most_one", core.apply("sum", counted), name="assert_exclusive", label="Assert")


def _decide(pairs: Sequence[tuple[Tensor, Function]], default: Any, strict: bool) -> Any:
    (pred, function), rest = pairs[0], pairs[1:]
    if not rest and default is None:
        return function()
    return cond(pred, function, (lambda: _decide(rest, default, strict)) if rest else default, strict=strict)


# -- loops -----------------------------------------------------------------------------------------------------------
def while_loop(
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Runs ``body`` on the loop variables while ``cond`` of them is true. Both are called once, now."""
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    if not isinstance(loop_vars, list | tuple | Mapping):
        loop_vars = [loop_vars]
    leaves: list[Any] = []
    structure = flatten(loop_vars, leaves)
    if not leaves:
        raise ValueError("No loop variables provided")
    graph = graph_of([_flow(leaf) for leaf in leaves])
    graph.check_open()
    with graph.as_default():
        tensors = [convert(_flow(leaf)) for leaf in leaves]
        invariants = _invariants(shape_invariants, tensors)
        arrays: list[Any] = list(leaves)
        shapes: list[Any] = []

        def given(nodes: Sequence[Node]) -> Any:
            found = (graph.tensor(node) for node in nodes)
            return rebuild(structure, iter([_again(leaf, tensor) for leaf, tensor in zip(arrays, found, strict=True)]))

        def call(function: Any, nodes: Sequence[Node]) -> Any:
            packed = given(nodes)
            return function(**packed) if isinstance(packed, dict) else function(*packed)

        def goes_on(*nodes: Node) -> Node:
            with context.part():
                result = convert(call(cond, nodes), name="cond")
            context.add("LoopCond", [result], result._node.type)
            for node in nodes:
                context.add("Switch", [graph.tensor(node)], node.type)
            return result._node

        def step(*nodes: Node) -> list[Node]:
            with context.part():
                value = call(body, nodes)
                if isinstance(value, list | tuple | Mapping):
                    shapes.append(flatten(value, []))
                arrays[:] = _kept(value, arrays)
                given = [graph.tensor(node) for node in nodes]
                found = _next(value, structure, tensors, invariants, given)
            for node in found:
                context.add("NextIteration", [graph.tensor(node)], node.type)
            return found

        with graph.name_scope(name or "while") as scope:
            most = None if maximum_iterations is None else convert(maximum_iterations, name="maximum_iterations")
            context = Context(graph, "Enter")
            for tensor in tensors:
                context.add("Enter", [tensor], tensor._node.type)
            found = _built(
                graph,
                lambda: graph.core.while_loop(
                    goes_on,
                    step,
                    [tensor._node for tensor in tensors],
                    shape_invariants=invariants,
                    maximum_iterations=None if most is None else most._node,
                    name=scope,
                ),
            )
    outputs = _outputs(graph, found)
    context.finish(outputs[0]._node.inputs[0][0])
    results = [_again(leaf, tensor) for leaf, tensor in zip(arrays, outputs, strict=True)]
    packed = rebuild(shapes[0] if shapes else structure, iter(results))
    return packed if return_same_structure or len(results) != 1 else results[0]


def _flow(leaf: Any) -> Any:
    """What a loop carries of a variable: of a ``TensorArray`` the flow."""
    return leaf.flow if hasattr(type(leaf), "with_flow") else leaf


def _again(leaf: Any, tensor: Tensor) -> Any:
    return leaf.with_flow(tensor) if hasattr(type(leaf), "with_flow") else tensor


def _kept(value: Any, arrays: Sequence[Any]) -> list[Any]:
    """The loop variables that are arrays, as the body left them: they know the shape of their elements now."""
    leaves: list[Any] = []
    flatten(value if isinstance(value, list | tuple | Mapping) else [value], leaves)
    return leaves if len(leaves) == len(arrays) else list(arrays)


def _beside(variable: Tensor, word: str) -> str:
    """The name of another op of the real graph that belongs to a loop variable."""
    scope, _, last = variable.op.name.rpartition("/")
    return f"{scope}/{last.replace('Identity', word)}"


def _invariants(given: Any, tensors: Sequence[Tensor]) -> list[Any]:
    if given is None:
        return [tensor._node.shape for tensor in tensors]
    leaves: list[Any] = []
    _flat_shapes(given, leaves)
    if len(leaves) != len(tensors):
        raise ValueError("The two structures don't have the same nested structure.")
    shapes = [TensorShape(shape) for shape in leaves]
    return [None if shape.ndims is None else tuple(shape.as_list()) for shape in shapes]


def _flat_shapes(value: Any, leaves: list[Any]) -> None:
    if isinstance(value, list | tuple) and not all(item is None or isinstance(item, int) for item in value):
        for item in value:
            _flat_shapes(item, leaves)
    else:
        leaves.append(value)


def _next(
    value: Any, structure: Any, tensors: Sequence[Tensor], invariants: Sequence[Any], variables: Sequence[Tensor]
) -> list[Node]:
    """What the body gives, checked as the real one does."""
    leaves: list[Any] = []
    flatten(value if isinstance(value, list | tuple | Mapping) else [value], leaves)
    if len(leaves) != len(tensors):
        raise ValueError("The two structures don't have the same nested structure.")
    found = []
    for leaf, tensor, invariant, variable in zip(leaves, tensors, invariants, variables, strict=True):
        result = convert(_flow(leaf), preferred=tensor.dtype.base_dtype)
        if result.dtype.base_dtype != tensor.dtype.base_dtype:
            raise ValueError(
                f"Input 1 of node {_beside(variable, 'Merge')} was passed "
                f"{result.dtype.base_dtype._message} from {_beside(variable, 'NextIteration')}:0 incompatible with "
                f"expected {tensor.dtype.base_dtype._message}."
            )
        if not fits(result._node.shape, invariant):
            entered = TensorShape(invariant)
            raise ValueError(
                f"Input tensor '{tensor.name}' enters the loop with shape {entered}, but has shape {result.shape} "
                "after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` "
                "argument of tf.while_loop to specify a less-specific shape."
            )
        found.append(result._node)
    return found
