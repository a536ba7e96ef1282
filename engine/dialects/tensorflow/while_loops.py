"""``tf.while_loop`` of 1.x."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dialects.tensorflow.build import convert, graph_of
from engine.dialects.tensorflow.control_plumbing import Context, build_checked, flow_of, output_tensors, with_flow_of
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Node
from engine.static.building_control import fits, flatten
from engine.static.fetches import rebuild


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
    graph = graph_of([flow_of(leaf) for leaf in leaves])
    graph.check_open()
    with graph.as_default(), graph.name_scope(name or "while") as scope:
        most = None if maximum_iterations is None else convert(maximum_iterations, name="maximum_iterations")
        tensors = [convert(flow_of(leaf)) for leaf in leaves]
        invariants = _invariants(shape_invariants, tensors)
        arrays: list[Any] = list(leaves)
        shapes: list[Any] = []

        def given(nodes: Sequence[Node]) -> Any:
            found = (graph.tensor(node) for node in nodes)
            return rebuild(
                structure, iter([with_flow_of(leaf, tensor) for leaf, tensor in zip(arrays, found, strict=True)])
            )

        def call(function: Any, nodes: Sequence[Node]) -> Any:
            packed = given(nodes)
            return function(**packed) if isinstance(packed, dict) else function(*packed)

        def goes_on(*nodes: Node) -> Node:
            with context.part():
                result = convert(call(cond, nodes), name="cond")
            kind = result.dtype.base_dtype.name
            if kind != "bool":
                raise TypeError(
                    f"Input 'input' of 'LoopCond' Op has type {kind} that does not match expected type of bool."
                )
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

        context = Context(graph, "Enter")
        for tensor in tensors:
            context.add("Enter", [tensor], tensor._node.type)
        found = build_checked(
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
    outputs = output_tensors(graph, found)
    context.finish(outputs[0]._node.inputs[0][0])
    results = [with_flow_of(leaf, tensor) for leaf, tensor in zip(arrays, outputs, strict=True)]
    packed = rebuild(shapes[0] if shapes else structure, iter(results))
    return packed if return_same_structure or len(results) != 1 else results[0]


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
        result = convert(flow_of(leaf), preferred=tensor.dtype.base_dtype)
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
