"""Running a function on proxies and writing down what it does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.bridges.capture.entry import Entry
from engine.bridges.capture.program import Program
from engine.bridges.function.key import flatten, rebuild
from engine.bridges.tracing import Tracer
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import StateError
from engine.static import Node
from engine.tensor_type import TensorType


class CaptureError(StateError):
    """A function asks for a value that a proxy does not have."""


def _refuse(proxy: Any, what: str) -> Any:
    if what == "bool":
        raise CaptureError(
            f"symbolically traced variables cannot be used as inputs to control flow ({proxy!r}): capture follows "
            "one path only; "
            "compute with where instead of if, or capture the parts around the decision"
        )
    if what in ("iter", "len", "shape"):
        raise CaptureError(
            f"{what} of a proxy ({proxy!r}) is not known while a function is captured; give capture() an example "
            "or a type of "
            "this argument"
        )
    raise CaptureError(
        f"{what} of a proxy ({proxy!r}): it has no value while a function is captured; return the tensor instead"
    )


def capture(
    function: Callable[..., Any], *examples: Any, facade: Facade | None = None, values: Mapping[str, Any] | None = None
) -> Program:
    """The program of what ``function`` does with its arguments.

    ``examples`` say of which type they are: tensors, arrays or :class:`TensorType`; without one an argument is a
    float32 tensor of any rank. ``values`` are arguments that stay Python values and are built in. Tensors from
    outside become attributes of the program.

    :raises CaptureError: the function wants to see a value (``if x > 0``, ``int(x)``, ``for row in x`` of unknown
        shape).
    :raises StateError: it writes in place into a tensor from outside.
    """
    tracer = Tracer(facade=facade, reveal=_refuse)
    signature = inspect.signature(function)
    fixed = dict(values or {})
    rest = list(examples)
    arguments: dict[str, Any] = {}
    proxies: list[tuple[str, Node]] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in fixed:
            arguments[name] = fixed[name]
        elif not rest and parameter.default is not parameter.empty:
            arguments[name] = parameter.default
        else:
            kind = _type_of(rest.pop(0)) if rest else TensorType(np.dtype("float32"), None)
            arguments[name] = tracer.placeholder(kind.shape, kind.dtype, name)
            proxies.append((name, arguments[name]._of_node))
    bound = inspect.BoundArguments(signature, arguments)
    with tracer.active():
        result = function(*bound.args, **bound.kwargs)
    written = [c for c in tracer.captures.values() if c.written]
    if written:
        raise StateError(
            f"a captured function writes in place into {written[0].tensor!r} from outside; return the new value instead"
        )
    return _program(tracer, proxies, result)


def _type_of(example: Any) -> TensorType:
    if isinstance(example, TensorType):
        return example
    array = (
        example._array
        if isinstance(example, Tensor)
        else np.asarray(example, None if hasattr(example, "dtype") else np.float32)
    )
    return TensorType(array.dtype, array.shape)


def _program(tracer: Tracer, proxies: list[tuple[str, Node]], result: Any) -> Program:
    program = Program(tracer.facade)
    known: dict[Node, Any] = {}
    for name, node in proxies:
        known[node] = program.append(Entry("placeholder", program.unique(name), name, type=node.type))
    for i, capture_ in enumerate(tracer.captures.values()):
        target = f"tensor_{i}"
        program.tensors[target] = capture_.tensor
        known[capture_.node] = program.append(Entry("get_attr", target, target, type=capture_.node.type))
    for node in tracer.graph.nodes:
        if node in known:
            continue
        if node.op == "constant":
            known[node] = _constant(program, node)
            continue
        arguments = tuple(known[source] for source, _ in node.inputs)
        known[node] = program.append(
            Entry("call", program.unique(node.op), node.op, arguments, node.attributes, node.type)
        )
    found: list[tuple[str, Any]] = []
    structure = flatten(result, "result", found)
    leaves = [known[tracer.node_of(x)] if isinstance(x, Tensor) else x for _, x in found]
    program.append(Entry("output", "output", "output", (rebuild(structure, iter(leaves)),)))
    program.lint()
    return program


def _constant(program: Program, node: Node) -> Any:
    """A number stands in the program as it is; larger constants are kept beside it."""
    value = node.attributes["value"]
    if value.shape == () and value.dtype.name in ("float32", "int64", "bool"):
        return value.item()
    target = f"constant_{len(program.tensors)}"
    program.tensors[target] = program.facade.tensor(value.copy())
    return program.append(Entry("get_attr", target, target, type=node.type))


__all__ = ["CaptureError", "capture"]
