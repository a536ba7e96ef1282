"""Exported programs."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from engine.dialects.torch import overrides
from engine.dialects.torch.compiler.capturing import tensors_in
from engine.dialects.torch.compiler.compiled import Compiled
from engine.dialects.torch.compiler.messages import Unsupported
from engine.dialects.torch.export.dims import fits, with_dims
from engine.dialects.torch.export.operators import kind_of, overload
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.graph_module import GraphModule
from engine.dialects.torch.fx.node import Node, map_arg
from engine.dialects.torch.fx.passes import ShapeProp
from engine.dialects.torch.jit.aten import aten_call
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor


class InputKind(Enum):
    """Where an input of the graph comes from."""

    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()


class OutputKind(Enum):
    """What an output of the graph is."""

    USER_OUTPUT = auto()


@dataclass
class Spec:
    """One input or output: the node, its kind, the attribute of the module that it is."""

    name: str
    kind: Any
    target: str = ""

    def __str__(self) -> str:
        text = f"{self.name}: {self.kind.name}"
        text += f" target='{self.target}'" if self.target else ""
        return text + (" persistent=True" if self.kind is InputKind.BUFFER else "")


@dataclass
class ExportGraphSignature:
    """The inputs and outputs of an exported graph."""

    input_specs: list[Spec] = field(default_factory=list)
    output_specs: list[Spec] = field(default_factory=list)

    def _of(self, kind: InputKind, targets: bool = True) -> tuple[str, ...]:
        return tuple((s.target if targets else s.name) for s in self.input_specs if s.kind is kind)

    parameters = property(lambda self: self._of(InputKind.PARAMETER))
    buffers = property(lambda self: self._of(InputKind.BUFFER))
    user_inputs = property(lambda self: self._of(InputKind.USER_INPUT, False))
    user_outputs = property(lambda self: tuple(s.name for s in self.output_specs))

    @property
    def inputs_to_parameters(self) -> dict[str, str]:
        return {s.name: s.target for s in self.input_specs if s.kind is InputKind.PARAMETER}

    def __str__(self) -> str:
        lines = ["", "# inputs", *map(str, self.input_specs), "", "# outputs", *map(str, self.output_specs)]
        return "\n".join(lines) + "\n"


class ExportedProgram:
    """A graph with its signature and the tensors that it reads."""

    __module__ = "torch.export.exported_program"

    def __init__(self, root: Any, gm: Any, signature: ExportGraphSignature, shapes: list[Any]) -> None:
        self._root, self.graph_module, self.graph_signature, self._shapes = root, gm, signature, shapes
        self.range_constraints: dict[Any, Any] = {}
        self._single = False

    @property
    def graph(self) -> Graph:
        found: Graph = self.graph_module.graph
        return found

    @property
    def state_dict(self) -> Any:
        held = dict(self._root.named_parameters())
        kept = self._root.state_dict()
        return {**held, **{name: value for name, value in kept.items() if name not in held}}

    def parameters(self) -> Any:
        return self._root.parameters()

    def named_parameters(self) -> Any:
        return self._root.named_parameters()

    def module(self) -> Any:
        """The program as a module."""
        return _Runnable(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Unable to call ExportedProgram directly. You should use `exported_program.module()` instead."
        )

    def __str__(self) -> str:
        code = self.graph_module.print_readable(print_output=False).rstrip().replace("\n", "\n    ") + "\n    "
        signature = str(self.graph_signature).replace("\n", "\n    ")
        return (
            f"ExportedProgram:\n    {code}\nGraph signature: {signature}\nRange constraints: {self.range_constraints}\n"
        )


class _Runnable(Module):
    """Calls an exported graph with the module's tensors in their places."""

    def __init__(self, program: ExportedProgram) -> None:
        super().__init__()
        object.__setattr__(self, "_program", program)
        for name, value in program._root._parameters.items():
            self.register_parameter(name, value)
        for name, value in program._root._buffers.items():
            self.register_buffer(name, value)
        for name, value in program._root._modules.items():
            self.add_module(name, value)

    def forward(self, *args: Any) -> Any:
        program = self._program
        given = iter(args)
        held = {**dict(program._root.named_parameters()), **dict(program._root.named_buffers())}
        values = []
        shapes, known = iter(program._shapes), dict[str, int]()
        for spec in program.graph_signature.input_specs:
            if spec.kind is not InputKind.USER_INPUT:
                values.append(held[spec.target])
                continue
            value = next(given)
            fits(spec.name, value, next(shapes), known)
            values.append(value)
        result = program.graph_module(*values)
        return result[0] if program._single else result


def export(
    mod: Any, args: tuple[Any, ...], kwargs: Any = None, *, dynamic_shapes: Any = None, strict: bool = False
) -> Any:
    """A module as one graph for arguments of these shapes.

    :raises UserError: a decision depends on a value.
    """
    if not isinstance(mod, Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    found: list[Any] = []

    def keep(gm: Any, examples: Any) -> Any:
        found.append((gm, examples))
        return gm.forward

    named = user_inputs(mod, args, kwargs or {})
    shapes = with_dims([(name, list(value._array.shape)) for name, value in named], dynamic_shapes)
    for (name, value), shape in zip(named, shapes, strict=True):
        fits(name, value, shape, {})
    compiled = Compiled(mod, keep, True, False)
    try:
        result = compiled.call(args, kwargs or {})
    except Unsupported as error:
        raise _user_error(error) from None
    if len(found) != 1:
        raise _user_error(Unsupported("a value is needed in the middle of the graph"))
    ((gm, examples),) = found
    return _program(mod, gm, examples, named, shapes, result)


class GuardOnDataDependentSymNode(RuntimeError):
    """A decision of an exported program depends on a value."""

    __module__ = "torch.fx.experimental.symbolic_shapes"


def _user_error(error: Exception) -> Exception:
    return GuardOnDataDependentSymNode(
        "Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)\n\n"
        + str(error)
    )


def user_inputs(mod: Any, args: Any, kwargs: Any) -> list[tuple[str, Any]]:
    """The tensors among the arguments, by the names of the parameters that they are for."""
    names = inspect.signature(type(mod).forward).bind(mod, *args, **kwargs).arguments
    return [(k, v) for k, v in list(names.items())[1:] if isinstance(v, Tensor)]


def _program(mod: Any, gm: Any, examples: Any, user: list[Any], shapes: list[Any], result: Any) -> ExportedProgram:
    placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
    by_tensor = {id(x): n for x, n in zip(examples, placeholders, strict=True)}
    graph, known = Graph(), {}
    graph.title = f"{type(mod).__name__}, exported"
    signature = ExportGraphSignature()
    inputs: list[Any] = []
    groups = [
        (InputKind.PARAMETER, "p_", list(mod.named_parameters())),
        (InputKind.BUFFER, "b_", list(mod.named_buffers())),
        (InputKind.USER_INPUT, "", user),
    ]
    for kind, prefix, tensors in groups:
        for path, tensor in tensors:
            node = graph.placeholder(prefix + path.replace(".", "_"))
            inputs.append(tensor)
            target = "" if kind is InputKind.USER_INPUT else path
            signature.input_specs.append(Spec(node.name, kind, target))
            if id(tensor) in by_tensor:
                known[by_tensor[id(tensor)]] = node
    for node in gm.graph.nodes:
        if node.op in ("call_function", "call_method"):
            known[node] = _lowered(graph, node, known)
            known[node].meta["place"] = node.meta.get("place")
        elif node.op == "output":
            # What only the way back still holds comes after what was returned, and is no output of the program.
            returned = len({id(tensor) for tensor in tensors_in(result)} - {id(tensor) for tensor in inputs})
            graph.output(map_arg(node.args[0][:returned], lambda n: known[n]))
    last = list(graph.nodes)[-1]
    signature.output_specs = [Spec(n.name, OutputKind.USER_OUTPUT) for n in last.args[0]]
    made = GraphModule(Module(), graph, "GraphModule")
    ShapeProp(made).propagate(*inputs)
    program = ExportedProgram(mod, made, signature, shapes)
    program._single = isinstance(result, Tensor)
    return program


_OPERATORS = {"truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "invert": "bitwise_not",
              "iadd": "add_", "isub": "sub_", "imul": "mul_"}  # fmt: skip


def _lowered(graph: Graph, node: Node, known: dict[Node, Node]) -> Node:
    """A call as one of an ``aten`` function."""
    name = node.target if isinstance(node.target, str) else node.target.__name__
    args, kwargs = map_arg(node.args, lambda n: known[n]), dict(map_arg(node.kwargs, lambda n: known[n]))
    if node.target is operator.getitem and isinstance(args[1], int):
        source = args[0]
        if source.op == "call_function" and getattr(source.target, "_name", "") in (
            "chunk",
            "unsafe_chunk",
            "split",
            "unbind",
        ):
            return graph.call_function(node.target, args)
        return graph.call_function(overload("select", "int"), (source, 0, args[1]))
    if node.target is operator.getitem and isinstance(args[1], tuple | slice | None):
        return _pieces(graph, args[0], args[1] if isinstance(args[1], tuple) else (args[1],))
    name = _OPERATORS.get(name, name)
    path = overrides.NAMES.get(node.target, "") if not isinstance(node.target, str) else ""
    if path.startswith("torch.nn.functional."):
        name, listed, kwargs = aten_call(name, path, tuple(args), kwargs)
        args = tuple(listed)
        while args and args[-1] in (None, 1) and name.endswith("_loss"):
            args = args[:-1]
    if name in ("view", "reshape", "permute", "expand", "repeat") and len(args) > 1 and not isinstance(args[1], list):
        args = (args[0], list(args[1:]) if not isinstance(args[1], tuple) else list(args[1]))
    if name in ("sum", "mean") and "dim" in kwargs:
        args = (args[0], kwargs.pop("dim"), *args[1:])
    if name in ("sum", "mean") and len(args) > 1 and isinstance(args[1], int):
        args = (args[0], [args[1]], *args[2:])
    return graph.call_function(overload(name, kind_of(name, args)), args, kwargs)


_END = 2**63 - 1


def _pieces(graph: Graph, source: Node, key: tuple[Any, ...]) -> Node:
    """``source[key]`` as one ``aten`` function for each part of the key."""
    axis = 0
    for part in key:
        if part is None:
            source = graph.call_function(overload("unsqueeze", "default"), (source, axis))
            axis += 1
        elif isinstance(part, int):
            source = graph.call_function(overload("select", "int"), (source, axis, part))
        elif isinstance(part, slice):
            if part != slice(None):
                ends = (0 if part.start is None else part.start, _END if part.stop is None else part.stop)
                step = () if part.step in (None, 1) else (part.step,)
                source = graph.call_function(overload("slice", "Tensor"), (source, axis, *ends, *step))
            axis += 1
        else:
            raise NotImplementedError(f"export: this teaching engine writes no index of {part!r} down")
    return source
