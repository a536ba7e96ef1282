"""One trace of a function: what was traced, for which arguments, and how it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from engine.bridges.function.key import flatten, rebuild
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.array_ops import identity
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.creation import placeholder
from engine.dialects.tensorflow.eager import random_ops
from engine.dialects.tensorflow.eager.messages import mixed
from engine.dialects.tensorflow.eager.tensor import EagerTensor, Valued, array_of
from engine.dialects.tensorflow.eager.tensor import convert as eager
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.func_graph import FuncGraph, building
from engine.dialects.tensorflow.function.importing import import_function
from engine.dialects.tensorflow.function.running import FunctionRegion, region_of
from engine.dialects.tensorflow.function.specs import TensorSpec, VariableSpec, shown
from engine.dialects.tensorflow.function.structures import arranged, ordered, skeleton
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Node

_numbers = count(2)


class ConcreteFunction:
    """A function traced for one kind of arguments. ``reason`` says why it was made, ``calls`` how often it ran."""

    __module__ = "tensorflow.python.eager.polymorphic_function.concrete_function"

    def __init__(self, name: str, parameters: Sequence[tuple[str, int]], reason: str = "") -> None:
        self._plain_name = name
        self._parameters = list(parameters)
        self.reason = reason
        self.calls = 0
        self._paths: list[str] = []
        self._specs: list[Any] = []
        self._structure: Any = None
        self._out_structure: Any = None
        self._out_leaves: list[Any] = []
        self._arrangement: Any = None
        self._bound: dict[int, int] = {}
        self._graph: FuncGraph = FuncGraph(name)
        self._title = f"__inference_{name}_{next(_numbers)}"
        self._epoch = random_ops.epoch()

    # -- tracing -----------------------------------------------------------------------------------------------------
    def trace(
        self, body: Callable[..., Any], paths: Sequence[str], specs: Sequence[Any], leaves: Sequence[Any],
        structure: Any, outer: Any = None, may_make_variables: bool = True, python: Any = None,
    ) -> None:  # fmt: skip
        """Run ``body`` once on symbolic arguments, and keep the graph."""
        graph = self._graph
        graph.outer_graph, graph.seed = outer, random_ops.whole_seed()
        graph.may_make_variables = may_make_variables
        self._paths, self._specs, self._structure = list(paths), list(specs), structure
        self._places: list[int] = []
        # A recording shows each trace as a graph of its own, for these arguments, and says why it was made.
        graph.core.name = f"{self._plain_name}; made because {self.reason}" if self.reason else self._plain_name
        given: list[Any] = []
        inputs: list[Tensor] = []
        with graph.as_default():
            for place, (path, spec, leaf) in enumerate(zip(paths, specs, leaves, strict=True)):
                if isinstance(spec, VariableSpec):
                    self._bound[id(leaf)] = place
                elif isinstance(spec, TensorSpec):
                    leaf = placeholder(spec.dtype, spec.shape, name=spec.name or _identifier(path))
                    inputs.append(leaf)
                    self._places.append(place)
                given.append(leaf)
            arguments, more = rebuild(structure, iter(given))
            result = body(*arguments, **more)
            self._finish(result, inputs, python or body)

    def _finish(self, result: Any, inputs: list[Tensor], python: Any) -> None:
        graph = self._graph
        found: list[tuple[str, Any]] = []
        self._out_structure = flatten(ordered(result), "", found)
        self._arrangement = skeleton(result)
        leaves: list[Any] = []
        for _, leaf in found:
            if leaf is None:
                leaves.append(None)
                continue
            try:
                leaves.append(convert(leaf))
            except (TypeError, ValueError):
                unusable = getattr(type(leaf), "_unusable", None)
                if unusable is not None:
                    unusable(leaf)
                raise TypeError(
                    "To be compatible with tf.function, Python functions must return zero or more Tensors or "
                    f"ExtensionTypes or None values; in compilation of {python}, found return value of type "
                    f"{type(leaf).__name__}, which is not a Tensor or ExtensionType."
                ) from None
        self._out_leaves = [None if leaf is None else identity(leaf) for leaf in leaves]
        acts = graph.effects()
        self._extra: list[Node] = []
        waits = [*acts, *graph.reading()]
        if waits:
            done = graph.core.add("group", control=waits, name="NoOp", label="NoOp", role="control")
            for leaf in self._out_leaves:
                if leaf is not None:
                    leaf.op._waits = [graph.operation(done)]
            if acts:
                self._extra.append(done)
        self._close(inputs, len(graph.core.nodes))

    def _close(self, inputs: list[Tensor], ended: int) -> None:
        """The graph is whole: what it takes, gives, and how it runs."""
        graph = self._graph
        graph.ended = ended
        graph.inputs = [*inputs, *(graph.tensor(c.node) for c in graph.captures.values())]
        graph.outputs = [leaf for leaf in self._out_leaves if leaf is not None]
        graph.__dict__["_structured"] = self.structured_outputs
        self._written = [c for c in graph.captures.values() if _is_written(c.node, graph)]
        nodes = [t._node for t in graph.inputs]
        self._region: FunctionRegion = region_of(graph, self._title, nodes, [t._node for t in graph.outputs])

    # -- running -----------------------------------------------------------------------------------------------------
    def run(self, leaves: Sequence[Any]) -> Any:
        """Run the graph on flattened arguments; inside another function, become part of it."""
        self.calls += 1
        if building() is not None:
            return self._inside(leaves)
        if self._epoch != random_ops.epoch():
            self._epoch = random_ops.epoch()
            self._region.session.restart_random()
        values = [_value(leaves[place], self._specs[place]) for place in self._places]
        captured = [self._standing(c.value, leaves) for c in self._graph.captures.values()]
        for one in captured:
            if isinstance(one, ResourceVariable):
                one._was_read()
        results, _ = self._region.called([*values, *captured], self._extra)
        for capture, variable in zip(self._graph.captures.values(), captured, strict=True):
            if capture in self._written:
                variable._received(self._region.session._core.value(capture.node))
        return self._rebuilt(results)

    def _standing(self, captured: Any, leaves: Sequence[Any]) -> Any:
        """What a capture is in this call: variables among the arguments are those of the call."""
        place = self._bound.get(id(captured))
        return captured if place is None else leaves[place]

    def _inside(self, leaves: Sequence[Any]) -> Any:
        values = [convert(leaves[place], self._specs[place].dtype) for place in self._places]
        captured = [self._standing(c.value, leaves) for c in self._graph.captures.values()]
        return self._rebuilt(import_function(self._graph, self._plain_name, values, captured))

    def _rebuilt(self, results: Sequence[Any]) -> Any:
        found = iter(results)
        return self._packed([None if leaf is None else next(found) for leaf in self._out_leaves])

    def _packed(self, leaves: Sequence[Any]) -> Any:
        """Leaves in the structure of the result, dictionaries in the order in which the function made them."""
        return arranged(rebuild(self._out_structure, iter(leaves)), self._arrangement)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = self._bind(args, kwargs)
        for place in self._places:
            spec, given = self._specs[place], leaves[place]
            kind = getattr(given, "dtype", None)
            if isinstance(given, Valued) and kind != spec.dtype:
                text = mixed("", self._places.index(place), spec.dtype._numpy, given._array.dtype)
                raise type(text)(None, None, str(text).replace("compute ", f"compute {self._title}", 1)
                                 .replace("[Op:] name: ", f"[Op:{self._title}]"))  # fmt: skip
        return self.run(leaves)

    def _bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The leaves of a call. :raises TypeError: arguments are missing or too many."""
        named = self._by_parameter()
        given: dict[str, Any] = {}
        wanted = [name for name, _ in self._parameters]
        needed = [name for name in wanted if any(isinstance(self._specs[i], TensorSpec) for i in named[name])]
        if len(args) > len(needed) and len(args) <= len(wanted):
            given.update(zip(wanted, args, strict=False))
        else:
            if len(args) > len(needed):
                raise self._failure("too many positional arguments", args, kwargs)
            given.update(zip(needed, args, strict=False))
        by_spec = {self._specs[named[name][0]].name: name for name in needed if len(named[name]) == 1}
        for word, value in kwargs.items():
            name = word if word in wanted else by_spec.get(word, word)  # a spec may have a name of its own
            if name in given or name not in wanted:
                raise self._failure(f"got an unexpected keyword argument '{word}'", args, kwargs)
            given[name] = value
        leaves: list[Any] = [getattr(spec, "value", None) for spec in self._specs]
        for name in needed:
            if name not in given:
                raise self._failure(f"missing a required argument: '{name}'", args, kwargs)
        for name, value in given.items():
            found: list[tuple[str, Any]] = []
            flatten(ordered(value), name, found)
            for place, (_, leaf) in zip(named[name], found, strict=False):
                leaves[place] = leaf
        return leaves

    def _failure(self, why: str, args: Sequence[Any], kwargs: dict[str, Any]) -> TypeError:
        names = ", ".join(name for name, _ in self._parameters)
        lacking = why.replace("a required argument:", "required arguments:").replace("'", "")
        return TypeError(
            f"Binding inputs to tf.function failed due to `{why}`. Received args: {tuple(args)} and kwargs: {kwargs} "
            f"for signature: {self._signature_text()}.\nFallback to flat signature also failed due to: "
            f"{self._plain_name}({names}) {lacking}."
        )

    def _by_parameter(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        at = 0
        for name, size in self._parameters:
            found[name] = list(range(at, at + size))
            at += size
        return found

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def graph(self) -> FuncGraph:
        return self._graph

    @property
    def name(self) -> bytes:
        return self._title.encode()

    @property
    def inputs(self) -> list[Tensor]:
        return self._graph.inputs

    @property
    def outputs(self) -> list[Tensor]:
        return self._graph.outputs

    @property
    def captured_inputs(self) -> list[Any]:
        return [c.value for c in self._graph.captures.values()]

    @property
    def variables(self) -> tuple[Any, ...]:
        return self._graph.variables

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        return self._graph.trainable_variables

    @property
    def structured_outputs(self) -> Any:
        return self._packed(self._out_leaves)

    @property
    def structured_input_signature(self) -> Any:
        """The arguments as specs, which have the names of the placeholders."""
        specs = []
        for place, spec in enumerate(self._specs):
            if type(spec) is TensorSpec:
                tensor = self._graph.inputs[self._places.index(place)]
                specs.append(TensorSpec(spec.shape, spec.dtype, tensor.op.name))
            else:
                specs.append(getattr(spec, "value", spec))
        args, kwargs = rebuild(self._structure, iter(specs))
        return args, kwargs

    @property
    def output_shapes(self) -> Any:
        return self._outputs_by(lambda t: t.shape)

    @property
    def output_dtypes(self) -> Any:
        return self._outputs_by(lambda t: t.dtype)

    def _outputs_by(self, of: Callable[[Tensor], Any]) -> Any:
        return self._packed([None if t is None else of(t) for t in self._out_leaves])

    @property
    def guards(self) -> list[str]:
        """For which arguments the trace holds, one condition a leaf."""
        return [f"{path}: {spec.told()}" for path, spec in zip(self._paths, self._specs, strict=True)]

    def takes(self, specs: Sequence[Any]) -> bool:
        """Whether arguments of these specs can run here."""
        return len(specs) == len(self._specs) and all(a.takes(b) for a, b in zip(self._specs, specs, strict=True))

    @property
    def width(self) -> int:
        """How many sizes are left open."""
        return sum(spec.width for spec in self._specs)

    def parameter_texts(self) -> list[tuple[str, str]]:
        """The parameters, and what each takes."""
        named = self._by_parameter()
        args, kwargs = self._structure[1][0][1], self._structure[1][1][1]
        structures = [*args, *kwargs]
        return [
            (name, shown(structure, [_spec_text(self._specs[i]) for i in named[name]]))
            for (name, _), structure in zip(self._parameters, structures, strict=True)
        ]

    def output_text(self) -> str:
        """What it gives, as signatures show it."""
        specs = [_Nothing() if t is None else TensorSpec(t.shape, t.dtype.base_dtype) for t in self._out_leaves]
        return shown(self._out_structure, specs)

    def _signature_text(self) -> str:
        inner = ", ".join(f"{name}: {text}" for name, text in self.parameter_texts())
        return f"({inner}) -> {self.output_text()}"

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """What it takes, gives and captures, in lines."""
        if not verbose:
            return f"{self._plain_name}{self._signature_text()}"
        lines = ["Input Parameters:"]
        lines += [f"  {name} (POSITIONAL_OR_KEYWORD): {text}" for name, text in self.parameter_texts()] or ["  None"]
        lines += ["Output Type:", f"  {self.output_text()}", "Captures:"]
        captures = [
            f"  {id(c.value)}: "
            + (
                "TensorSpec(shape=(), dtype=tf.resource, name=None)"
                if isinstance(c.value, ResourceVariable)
                else repr(TensorSpec(c.value._array.shape, dtypes.from_numpy(c.value._array.dtype)))
            )
            for c in self._graph.captures.values()
        ]
        return "\n".join([*lines, *(captures or ["  None"])])

    @property
    def function_type(self) -> FunctionType:
        """Parameters and result, to look at."""
        return FunctionType(self._signature_text())

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self._signature_text()} at {id(self):#x}>".replace("0x", "0x", 1)

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"


class FunctionType:
    """What a trace takes and gives. Shown as a signature."""

    __module__ = "tensorflow.core.function.polymorphism.function_type"

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class _Nothing:
    def __repr__(self) -> str:
        return "Literal[None]"


def _spec_text(spec: Any) -> Any:
    return TensorSpec(spec.shape, spec.dtype, spec.name) if type(spec) is TensorSpec else spec


def _identifier(path: str) -> str:
    """The name of a placeholder: that of the parameter."""
    return path.partition("[")[0] or "args"


def _is_written(node: Node, graph: FuncGraph) -> bool:
    return node.op == "variable" and any(
        one.op.startswith("assign") and one.inputs[0][0] is node for one in graph.core.nodes
    )


def _value(leaf: Any, spec: Any) -> Any:
    """An argument as an eager tensor."""
    if isinstance(leaf, Valued):
        return leaf
    if isinstance(leaf, np.ndarray | np.generic):
        return eager(leaf)
    if isinstance(leaf, Tensor):
        return eager(leaf)
    return eager(array_of(leaf, spec.dtype))


__all__ = ["ConcreteFunction", "EagerTensor", "TensorShape"]
