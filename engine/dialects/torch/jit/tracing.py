"""Tracing: run a program on examples and write down the calls of the dialect's functions."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from engine.bridges.script.trace import TracerWarning as BridgeWarning
from engine.bridges.script.trace import words
from engine.dialects.torch import overrides
from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.aten import aten_call
from engine.dialects.torch.jit.ir import Graph, Node, Value, prune
from engine.dialects.torch.jit.schemas import ordered, schema
from engine.dialects.torch.jit.types import INT, TENSOR, Type
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import CPU, Size, dtype
from engine.places import program_place

_LOOK = {
    "__bool__": "bool", "__int__": "int", "__float__": "float", "__index__": "index", "__iter__": "iter",
    "__len__": "len", "item": "item", "tolist": "tolist", "numpy": "numpy",
}  # fmt: skip
_OPERATOR = {"truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "invert": "bitwise_not",
             "and": "__and__", "or": "__or__", "xor": "__xor__"}  # fmt: skip
_WRAPPED = frozenset({"add", "sub", "mul", "div", "add_", "sub_", "mul_", "div_"})
"""Functions that turn numbers into tensors."""
_LISTS = frozenset({"view", "reshape", "expand", "repeat", "permute"})
_PLAIN_PARTS = frozenset({"dim", "numel", "is_contiguous", "stride", "data_ptr", "element_size", "nelement",
                          "is_floating_point", "is_complex", "register_hook", "backward", "retain_grad",
                          "requires_grad_", "storage_offset", "allclose", "equal"})  # fmt: skip


class TracerWarning(BridgeWarning):
    """What is traced depended on a value."""

    __module__ = "torch.jit._trace"


class TracedInt(int):
    """A size: a number that a trace knows where it came from."""

    _value: Value
    _frame: _Frame

    def _computed(self, name: str, other: Any, result: int) -> Any:
        tracer = self._frame.tracer
        if not isinstance(other, int) or tracer.top is None:
            return result
        right = other if isinstance(other, TracedInt) else tracer.tensor_constant(other)
        right_value = right._value if isinstance(right, TracedInt) else right
        node = tracer.top.graph.add(f"aten::{name}", [self._value, right_value])
        return sized(result, node.add_output(TENSOR), tracer.top)

    def __mul__(self, other: Any) -> Any:
        return self._computed("mul", other, int(self) * other)

    def __add__(self, other: Any) -> Any:
        return self._computed("add", other, int(self) + other)

    def __sub__(self, other: Any) -> Any:
        return self._computed("sub", other, int(self) - other)

    def __floordiv__(self, other: Any) -> Any:
        return self._computed("floor_divide", other, int(self) // other)

    __rmul__, __radd__ = __mul__, __add__


def sized(number: int, value: Value, frame: _Frame) -> TracedInt:
    made = TracedInt(number)
    made._value, made._frame = value, frame
    return made


class _Frame:
    """The graph of one module's method (or of the function) while it is traced."""

    def __init__(self, tracer: Tracing, name: str, module: Any, outer: _Frame | None) -> None:
        self.tracer, self.module, self.outer = tracer, module, outer
        self.graph = Graph(name)
        self.known: dict[int, Value] = {}
        self.self_value: Value | None = None
        self.given: list[Any] = []
        self.attributes: dict[str, Value] = {}
        if module is not None:
            self.self_value = self.graph.head.add_output(types.module_type(module), "self")

    def attribute(self, name: str, kind: Type) -> Value:
        """``self.name``, read at the beginning."""
        known = self.attributes.get(name)
        if known is None:
            assert self.self_value is not None
            node = Node(self.graph, "prim::GetAttr", [self.self_value], {"name": name})
            self.graph.body.insert(0, node)
            known = self.attributes[name] = node.add_output(kind, name)
        return known


class Tracing:
    """One trace. ``tops`` are the frames that are open, ``kept`` everything that was seen, so that no tensor goes and
    gives its identity to another one."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.frames: list[_Frame] = []
        self.kept: list[Any] = []
        self.quiet = 0
        self.methods: dict[int, list[tuple[str, Graph]]] = {}
        self.paths: dict[int, tuple[Any, str]] = {}
        if isinstance(root, Module):
            for module in root.modules():
                for name, value in [*module._parameters.items(), *module._buffers.items()]:
                    if value is not None:
                        self.paths[id(value)] = (module, name)

    @property
    def top(self) -> _Frame | None:
        return self.frames[-1] if self.frames else None

    # -- values -------------------------------------------------------------------------------------------------------
    def constant(self, value: Any) -> Value:
        assert self.top is not None
        node = self.top.graph.add("prim::Constant", [], {"value": value})
        kind = INT if isinstance(value, dtype) else types.type_of(value)
        detail = types.detail_of(value) if isinstance(value, Tensor) else ""
        return node.add_output(Type("Tensor", detail=detail) if detail else kind)

    def tensor_constant(self, number: Any) -> Value:
        import numpy as np

        value = self.constant(Tensor(np.asarray(number, np.float64 if isinstance(number, float) else None)))
        value.node().attributes["_number"] = number
        return value

    def value_of(self, tensor: Tensor, name: str = "") -> Value:
        """The value that stands for a tensor where the program is."""
        assert self.top is not None
        found = self._found(self.top, tensor, name)
        if not found.name and name and found.node()._kind != "prim::Constant":
            found.name = name
        return found

    def _found(self, frame: _Frame, tensor: Tensor, name: str) -> Value:
        known = frame.known.get(id(tensor))
        if known is not None:
            return known
        self.kept.append(tensor)
        owner, attribute = self.paths.get(id(tensor), (None, ""))
        if owner is not None and owner is frame.module:
            return frame.attribute(attribute, TENSOR)
        if owner is not None and frame.module is not None:
            path = [n for n, m in frame.module.named_modules() if m is owner]
            if path and path[0]:
                return self._inner(frame, path[0], attribute)
        if frame.outer is not None and (owner is not None or self._is_outside(frame.outer, tensor)):
            outer = self._found(frame.outer, tensor, name)
            made = frame.graph.head.add_output(TENSOR, outer.name or f"argument_{len(frame.graph.parameters)}")
            frame.known[id(tensor)] = made
            frame.given.append(tensor)
            return made
        if tensor._requires_grad:
            shape = ",".join(str(n) for n in tensor.shape)
            raise RuntimeError(
                "Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or input, or "
                f"detaching the gradient\nTensor:\n{_plain(tensor)}\n[ torch.{tensor.dtype.legacy}Tensor{{{shape}}} ]"
            )
        made = self.constant(tensor)
        frame.known[id(tensor)] = made
        return made

    def _is_outside(self, frame: _Frame | None, tensor: Tensor) -> bool:
        while frame is not None:
            if id(tensor) in frame.known:
                return True
            frame = frame.outer
        return False

    def _inner(self, frame: _Frame, path: str, attribute: str) -> Value:
        value, module = frame.self_value, frame.module
        for part in path.split("."):
            module = getattr(module, part)
            kind = types.module_type(module)
            if value is frame.self_value:
                value = frame.attribute(part, kind)
            else:
                assert value is not None
                value = frame.graph.add("prim::GetAttr", [value], {"name": part}).add_output(kind)
        assert value is not None
        return frame.graph.add("prim::GetAttr", [value], {"name": attribute}).add_output(TENSOR, attribute)

    def argument(self, x: Any, names: dict[int, str], wrapped: bool = False) -> Value:
        """An argument of a call."""
        assert self.top is not None
        if isinstance(x, Tensor):
            return self.value_of(x, names.get(id(x), ""))
        if isinstance(x, TracedInt) and self._is_here(x):
            if wrapped:
                return x._value
            return self.top.graph.add("aten::Int", [x._value]).add_output(INT)
        if wrapped and isinstance(x, int | float) and not isinstance(x, bool):
            return self.tensor_constant(x)
        if isinstance(x, list | tuple) and not isinstance(x, str):
            items = [self.argument(i, names) for i in x]
            kind = items[0].kind if items else INT
            kind = TENSOR if kind.kind == "Tensor" else kind
            return self.top.graph.add("prim::ListConstruct", items, {}, 0).add_output(types.list_of(kind))
        return self.constant(x)

    def _is_here(self, x: TracedInt) -> bool:
        return x._frame is self.top

    # -- what the program calls ---------------------------------------------------------------------------------------
    def override(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A function of the dialect is called."""
        path = overrides.NAMES[function]
        name = path.rpartition(".")[2]
        if path.startswith("torch.Tensor.") and name in _LOOK:
            return self._look(function, _LOOK[name], args)
        if self.top is None:
            return NotImplemented
        if name in overrides.MAKERS:
            return self._made(function, name, args, kwargs)
        if not overrides.contains((args, kwargs), Tensor):
            return NotImplemented
        if name == "size":
            return self._size(args, kwargs)
        names = _names_in_caller()
        result = function(*args, **kwargs)
        if name in _PLAIN_PARTS:
            return result
        if name == "__setitem__":
            self._stored(args, names)
            return None
        if name == "__getitem__":
            self._indexed(args[0], args[1], result, names)
            return result
        word = name
        if name.startswith("__"):
            word = name.strip("_")
            if word.startswith("i") and word != "invert":
                word = _OPERATOR.get(word[1:], word[1:]) + "_"
            elif word.startswith("r") and word not in ("rshift",):
                return self._reflected(word[1:], args, result, names)
            word = _OPERATOR.get(word, word)
        self._called(word, path, args, kwargs, result, names)
        return result

    def _made(self, function: Any, name: str, args: Any, kwargs: dict[str, Any]) -> Any:
        """A new tensor."""
        assert self.top is not None
        result = function(*args, **kwargs)
        given = list(args)
        if name in ("zeros", "ones", "empty", "rand", "randn") and not isinstance(
            given[0] if given else (), list | tuple
        ):
            given = [list(given)]
        known = [kwargs.get("dtype"), None, CPU, False]
        values = [self.argument(x, {}) for x in (*given, *known)]
        node = self.top.graph.add(f"aten::{name}", values, {"_all": True})
        self._outputs(node, result)
        return result

    def _reflected(self, word: str, args: Any, result: Any, names: dict[int, str]) -> Any:
        mine, other = args
        if word in ("add", "mul"):
            self._called(word, "", (mine, other), {}, result, names)
        elif word == "sub":
            self._called("rsub", "", (mine, other), {}, result, names)
        elif word == "truediv":
            assert self.top is not None
            inner = self.top.graph.add("aten::reciprocal", [self.argument(mine, names)]).add_output(TENSOR)
            node = self.top.graph.add("aten::mul", [inner, self.tensor_constant(other)])
            self._outputs(node, result)
        else:
            self._called(_OPERATOR.get(word, word), "", (other, mine), {}, result, names)
        return result

    def _called(
        self, name: str, path: str, args: Any, kwargs: dict[str, Any], result: Any, names: dict[int, str]
    ) -> None:
        """Write a call down."""
        assert self.top is not None
        args = list(args)
        if name in _LISTS and len(args) > 1 and not isinstance(args[1], list | tuple):
            args = [args[0], args[1:]]
        if path.startswith("torch.nn.functional."):
            name, args, kwargs = aten_call(name, path, tuple(args), kwargs)
        if name in ("float", "double", "long", "int", "bool", "half") and len(args) == 1:
            name, args = "to", [args[0], result.dtype]
        if name == "to":
            args, kwargs = [args[0], result.dtype], {}
        if name == "flatten" and len(args) == 1 and not kwargs:
            args = [*args, 0, -1]
        if name == "detach" or not isinstance(result, Tensor | tuple | list):
            kwargs = dict(kwargs)
        filled = self._filled(name, args, kwargs)
        wrapped = name in _WRAPPED
        values = [self.argument(x, names, wrapped and place == 1) for place, x in enumerate(filled)]
        node = self.top.graph.add(f"aten::{name}", values)
        self._outputs(node, result)

    def _filled(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the schema that a call means."""
        if name == "sum" and len(args) == 1 and not kwargs:
            return [args[0], None]
        if name in ("mean", "max", "min", "std", "var", "prod", "any", "all") and len(args) == 1 and not kwargs:
            return args
        found = ordered(name, args, kwargs)
        known = schema(name)
        if name in ("sum", "mean") and known is not None and isinstance(found[1], int):
            found[1] = [found[1]]
        if name in ("max", "min", "std", "var"):
            while found and found[-1] in (None, False):
                found.pop()
        return found

    def _outputs(self, node: Node, result: Any) -> None:
        assert self.top is not None
        if isinstance(result, Tensor):
            value = node.add_output(Type("Tensor", detail=types.detail_of(result)))
            self._bind(result, value)
        elif isinstance(result, tuple | list) and result and all(isinstance(x, Tensor) for x in result):
            if isinstance(result, list) or node._kind in (
                "aten::chunk",
                "aten::unsafe_chunk",
                "aten::split",
                "aten::unbind",
            ):
                value = node.add_output(types.list_of(TENSOR))
                node = self.top.graph.add("prim::ListUnpack", [value])
            for item in result:
                self._bind(item, node.add_output(Type("Tensor", detail=types.detail_of(item))))

    def _bind(self, tensor: Tensor, value: Value) -> None:
        assert self.top is not None
        self.kept.append(tensor)
        self.top.known[id(tensor)] = value

    def _look(self, function: Any, what: str, args: Any) -> Any:
        """The program asks for a value: it becomes a constant, with a warning."""
        result = function(*args)
        if self.top is None or self.quiet:
            return result
        file, line = program_place()
        warnings.warn_explicit(words(what), TracerWarning, file, line)
        if what == "iter":
            items = list(result)
            node = self.top.graph.add("aten::unbind", [self.argument(args[0], {}), self.constant(0)])
            self._outputs(node, items)
            return iter(items)
        return result

    def _size(self, args: Any, kwargs: dict[str, Any]) -> Any:
        tensor, *rest = args
        place = rest[0] if rest else kwargs.get("dim")
        if place is None:
            return Size([self._one_size(tensor, i) for i in range(tensor._array.ndim)])
        return self._one_size(tensor, place)

    def _one_size(self, tensor: Tensor, place: int) -> TracedInt:
        assert self.top is not None
        inputs = [self.argument(tensor, _names_in_caller()), self.constant(place)]
        size = self.top.graph.add("aten::size", inputs).add_output(INT)
        value = self.top.graph.add("prim::NumToTensor", [size]).add_output(TENSOR)
        return sized(tensor._array.shape[place], value, self.top)

    def _indexed(self, tensor: Tensor, index: Any, result: Any, names: dict[int, str]) -> None:
        """Subscripts, one step for each; ``result`` is what they give together."""
        value = self._steps(tensor, index, names)
        if value is not None:
            self._bind(result, value)

    def _steps(self, tensor: Tensor, index: Any, names: dict[int, str]) -> Value:
        assert self.top is not None
        graph, value, axis = self.top.graph, self.argument(tensor, names), 0
        items = index if isinstance(index, tuple) else (index,)
        masks: list[Value] = []
        for i, item in enumerate(items):
            place = self.constant(axis)
            if isinstance(item, bool) or item is None:
                value = graph.add("aten::unsqueeze", [value, place]).add_output(TENSOR)
                axis += 1
            elif isinstance(item, int):
                value = graph.add("aten::select", [value, place, self.argument(item, names)]).add_output(TENSOR)
            elif isinstance(item, slice):
                start = 0 if item.start is None else item.start
                stop = 9223372036854775807 if item.stop is None else item.stop
                bounds = [self.argument(x, names) for x in (start, stop, 1 if item.step is None else item.step)]
                value = graph.add("aten::slice", [value, place, *bounds]).add_output(TENSOR)
                axis += 1
            elif item is Ellipsis:
                axis = i + 1 - len(items) or -1
            else:
                masks += [self.constant(None)] * (axis if not masks else 0) + [self.argument(item, names)]
                axis += 1
        if masks:
            listed = graph.add("prim::ListConstruct", masks).add_output(types.list_of(types.optional(TENSOR)))
            value = graph.add("aten::index", [value, listed]).add_output(TENSOR)
        return value

    def _stored(self, args: Any, names: dict[int, str]) -> None:
        assert self.top is not None
        tensor, index, new = args
        part = self._steps(tensor, index, names)
        source = self.argument(new, names) if isinstance(new, Tensor) else self.tensor_constant(new)
        self.top.graph.add("aten::copy_", [part, source, self.constant(False)]).add_output(TENSOR)

    # -- modules ------------------------------------------------------------------------------------------------------
    def module_called(self, call: Any, module: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """A submodule is called: a graph of its own."""
        outer = self.top
        if outer is None or self.quiet or not self._is_inside(outer, module):
            return call(module, *args, **kwargs)
        names = _names_in_caller(3)
        frame = _Frame(self, "forward", module, outer)
        self.frames.append(frame)
        try:
            for x in args:
                if isinstance(x, Tensor) and not self._is_outside(outer, x):
                    self._found(outer, x, names.get(id(x), ""))
            result = call(module, *args, **kwargs)
        finally:
            self.frames.pop()
        self._close(frame, outer, module, result, names)
        return result

    def _is_inside(self, frame: _Frame, module: Any) -> bool:
        return frame.module is not None and any(m is module for m in frame.module.modules())

    def _close(self, frame: _Frame, outer: _Frame, module: Any, result: Any, names: dict[int, str]) -> None:
        known = self.methods.setdefault(id(module), [])
        frame.graph.name = "forward" if not known else f"forward{len(known)}"
        path = next(n for n, m in outer.module.named_modules() if m is module)
        target, owner = outer.self_value, outer.module
        for part in path.split("."):
            owner = getattr(owner, part)
            kind = types.module_type(owner)
            if target is outer.self_value:
                target = outer.attribute(part, kind)
            else:
                assert target is not None
                target = outer.graph.add("prim::GetAttr", [target], {"name": part}).add_output(kind)
        assert target is not None
        leaves = [x for x in _leaves(result) if isinstance(x, Tensor)]
        if any(id(x) not in frame.known for x in leaves):
            self._opaque(frame, module, leaves)
        self.frames.append(frame)
        frame.graph.tail.add_input(self._returned(result))
        self.frames.pop()
        known.append((frame.graph.name, frame.graph))
        inputs = [target, *(self._found(outer, x, names.get(id(x), "")) for x in frame.given)]
        node = outer.graph.add("prim::CallMethod", inputs, {"name": frame.graph.name})
        self.frames, before = [*self.frames], self.frames
        value = node.add_output(frame.graph.results[0].kind)
        value.kind = TENSOR if value.kind.kind == "Tensor" else value.kind
        self._spread(value, result)
        self.frames = before

    def _opaque(self, frame: _Frame, module: Any, leaves: list[Any]) -> None:
        """A module whose inside is not written down in functions of the dialect: one node that runs it."""
        frame.graph.body.clear()
        frame.known.clear()
        inputs = list(frame.graph.parameters[1:])
        node = frame.graph.add("prim::PythonOp", inputs, {"name": type(module).__name__, "_callee": module})
        if len(leaves) == 1:
            frame.known[id(leaves[0])] = node.add_output(TENSOR)
            return
        raise RuntimeError(
            f"Tracing {type(module).__name__} is not possible in this teaching engine: it gives more than one tensor"
        )

    def _spread(self, value: Value, result: Any) -> None:
        """Bind the tensors of a (nested) result to a value and its parts."""
        assert self.top is not None
        if isinstance(result, Tensor):
            self._bind(result, value)
        elif isinstance(result, tuple | list):
            unpack = self.top.graph.add(
                "prim::TupleUnpack" if isinstance(result, tuple) else "prim::ListUnpack", [value]
            )
            for item in result:
                self._spread(unpack.add_output(TENSOR if isinstance(item, Tensor) else types.type_of(item)), item)

    def _returned(self, result: Any, strict: bool = True) -> Value:
        assert self.top is not None
        if isinstance(result, Tensor):
            return self.value_of(result)
        if result is None and len(self.frames) > 1:  # a part of the program may give nothing
            return self.constant(None)
        if isinstance(result, tuple | list) and result:
            items = [self._returned(item, strict) for item in result]
            kinds = [TENSOR if i.kind.kind == "Tensor" else i.kind for i in items]
            if isinstance(result, tuple):
                return self.top.graph.add("prim::TupleConstruct", items).add_output(types.tuple_of(kinds))
            return self.top.graph.add("prim::ListConstruct", items).add_output(types.list_of(kinds[0]))
        if isinstance(result, dict):
            if strict:
                raise RuntimeError(
                    "Encountering a dict at the output of the tracer might cause the trace to be incorrect, this is "
                    "only valid if the container structure does not change based on the module's inputs. Consider "
                    "using a constant container instead (e.g. for `list`, use a `tuple` instead. for `dict`, use a "
                    "`NamedTuple` instead). If you absolutely need this and know the side effects, pass strict=False "
                    "to trace() to allow this behavior."
                )
            pairs = [v for k, x in result.items() for v in (self.constant(k), self._returned(x, strict))]
            kind = Type("Dict", (types.STR, TENSOR))
            return self.top.graph.add("prim::DictConstruct", pairs).add_output(kind)
        raise RuntimeError(
            "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions"
        )

    # -- the whole ----------------------------------------------------------------------------------------------------
    def run(self, function: Callable[..., Any], examples: Any, name: str, module: Any, strict: bool) -> Graph:
        """Trace one call."""
        frame = _Frame(self, name, module, None)
        self.frames.append(frame)
        names = _parameter_names(function, len(examples))
        given = []
        for word, example in zip(names, examples, strict=False):
            given.append(self._example(frame, word, example))
        with overrides.overriding(self.override), self._watching():
            result = function(*given)
            frame.graph.tail.add_input(self._returned(result, strict))
        self.frames.pop()
        for graph in [frame.graph, *(g for known in self.methods.values() for _, g in known)]:
            prune(graph)
        return frame.graph

    def _example(self, frame: _Frame, name: str, example: Any) -> Any:
        if isinstance(example, Tensor):
            copy = example.detach().clone()
            copy._requires_grad = example._requires_grad
            value = frame.graph.head.add_output(Type("Tensor", detail=types.detail_of(example)), name)
            frame.known[id(copy)] = value
            self.kept.append(copy)
            return copy
        if isinstance(example, tuple | list):
            kind = types.type_of(example)
            value = frame.graph.head.add_output(kind, name)
            word = "prim::TupleUnpack" if isinstance(example, tuple) else "prim::ListUnpack"
            unpack = frame.graph.add(word, [value])
            made = []
            for item in example:
                copy = item.detach().clone()
                frame.known[id(copy)] = unpack.add_output(TENSOR)
                made.append(copy)
                self.kept.append(copy)
            return type(example)(made)
        raise RuntimeError(
            f"Type '{type(example).__name__}' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts, and "
            "Tuples of Tensors can be traced"
        )

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """While this lasts, calls of modules and reads of shapes come here."""
        kind, tracer = cast(Any, Module), self
        call, shape = kind.__call__, Tensor.shape

        def watched(module: Any, *args: Any, **kwargs: Any) -> Any:
            return tracer.module_called(call, module, args, kwargs)

        def read(tensor: Any) -> Any:
            if tracer.top is None or not overrides.is_innermost(tracer.override):
                return Size(tensor._array.shape)
            return tracer._size((tensor,), {})

        kind.__call__, cast(Any, Tensor).shape = watched, property(read)
        try:
            yield
        finally:
            kind.__call__, cast(Any, Tensor).shape = call, shape


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _plain(tensor: Tensor) -> str:
    return "\n".join(f" {v:g}" for v in tensor._array.reshape(-1).tolist())


def _names_in_caller(depth: int = 0) -> dict[int, str]:
    """What tensors are called in the innermost frame that is not the engine's machinery."""
    frame: Any = sys._getframe(2)
    while frame is not None and _is_machinery(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return {}
    return {id(v): k for k, v in reversed(list(frame.f_locals.items())) if isinstance(v, Tensor) and k != "self"}


def _is_machinery(file: str) -> bool:
    return "/torch/jit/" in file or file.endswith("torch/overrides.py") or file.startswith("<op ")


def _parameter_names(function: Any, count: int) -> list[str]:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    return [names[i] if i < len(names) else f"argument_{i}" for i in range(count)]
