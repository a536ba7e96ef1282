"""One call of a compiled function: what it does with tensors becomes graphs."""

from __future__ import annotations

import builtins
import linecache
import operator
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import events
from engine.dialects.torch import overrides
from engine.dialects.torch.compiler.calls import is_method, live_names, program_frame
from engine.dialects.torch.compiler.messages import REASONS, Reason, branch_reason, print_reason
from engine.dialects.torch.fx.functional_form import written
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.node import Node
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.tensor import Tensor

if TYPE_CHECKING:
    from engine.dialects.torch.compiler.compiled import Compiled

_LOOKS = {
    "__bool__": "bool", "__int__": "int", "__float__": "float", "__index__": "index", "item": "item",
    "tolist": "tolist", "numpy": "numpy", "backward": "backward",
}  # fmt: skip
_PLAIN = frozenset({"__len__", "__iter__", "size", "dim", "numel", "stride", "is_contiguous", "register_hook",
                    "requires_grad_", "retain_grad", "is_floating_point", "equal", "allclose", "data_ptr"})  # fmt: skip
_KEEP_STATISTICS = frozenset({"batch_norm", "instance_norm"})
"""Functions that write their second and third argument."""
_REAL_NAMES = {"and": "and_", "or": "or_"}

active: list[Capture] = []
"""The calls that are being captured, outermost first."""


class Capture:
    """What one call has done since the last break."""

    def __init__(self, compiled: Compiled, sources: dict[int, str], values: tuple[Any, ...]) -> None:
        self.compiled, self.sources, self.values = compiled, sources, values
        self.segment = 0
        self.whole: tuple[Any, list[Any], list[Any]] | None = None
        self.busy = False
        self.kept: list[Any] = []
        self._begin()

    def _begin(self) -> None:
        self.graph = Graph()
        self.graph.is_told = False
        self.inputs: list[tuple[str, Any]] = []
        self.nodes: dict[int, Node] = {}
        self.results: list[tuple[weakref.ref[Any], Node]] = []
        self.written: list[tuple[Any, Any]] = []
        self.named: set[Node] = set()
        self._random: Any = None
        self._last: Any = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """While this lasts, calls of the dialect come here, and ``print`` breaks the graph."""
        scope = _builtins_of(self.compiled.function)
        said = scope["print"]

        def breaking(*arguments: Any, **more: Any) -> None:
            if not self.busy:
                self.flush("print", said=(arguments, bool(more)))
            said(*arguments, **more)

        scope["print"] = breaking
        active.append(self)
        try:
            with overrides.overriding(self.override):
                yield
        finally:
            active.pop()
            scope["print"] = said

    # -- calls --------------------------------------------------------------------------------------------------------
    def override(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A function of the dialect is called."""
        path = overrides.NAMES[function]
        name = path.rpartition(".")[2]
        if self.busy or name in _PLAIN:
            return NotImplemented
        if name not in overrides.MAKERS and not overrides.contains((args, kwargs), Tensor):
            return NotImplemented
        frame = program_frame(sys._getframe(2))
        if name in _LOOKS:
            self.flush(_LOOKS[name], frame, args[0])
            return NotImplemented
        if self._random is None:
            from engine.dialects.torch.streams import get_rng_state

            self._random = get_rng_state()
        self._name(frame)
        self._last = frame
        self._save_written(name, args, kwargs)
        result = self._quietly(function, args, kwargs)
        if result is NotImplemented:
            return function(*args, **kwargs)
        self._write(function, path, name, args, kwargs, result, frame)
        return result

    def _quietly(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Run an op to learn what it gives; what the program sees comes from the compiled graph."""
        listener, events.listener = events.listener, None
        try:
            return function(*args, **kwargs)
        finally:
            events.listener = listener

    def _write(self, function: Any, path: str, name: str, args: Any, kwargs: Any, result: Any, frame: Any) -> None:
        for x in sorted(tensors_in((args, kwargs)), key=lambda t: not isinstance(t, Parameter)):
            self._node_of(x, frame)
        op, target, given, named = self._form(function, path, name, args, kwargs, frame)
        lowered = self._lowered(given), {key: self._lowered(value) for key, value in named.items()}
        node = self.graph.create_node(op, target, *lowered)
        if frame is not None:
            node.meta["place"] = (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        if name == "__setitem__":
            return
        if isinstance(result, Tensor):
            self._bind(result, node)
        elif isinstance(result, tuple | list):
            for i, item in enumerate(result):
                if isinstance(item, Tensor):
                    self._bind(item, self.graph.call_function(operator.getitem, (node, i)))

    def _form(self, function: Any, path: str, name: str, args: Any, kwargs: Any, frame: Any) -> Any:
        if name.startswith("__"):
            word = name.strip("_")
            if word[0] == "r" and hasattr(operator, _real(word[1:])) and word not in ("rshift",):
                return "call_function", getattr(operator, _real(word[1:])), (args[1], args[0]), {}
            return "call_function", getattr(operator, _real(word)), args, kwargs
        if path.startswith("torch.Tensor.") or (path.count(".") == 1 and is_method(frame, name)):
            return "call_method", name, args, kwargs
        return ("call_function", function, *written(path, args, kwargs))

    def _lowered(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self.nodes[id(value)]
        if isinstance(value, tuple | list):
            items = [self._lowered(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        if isinstance(value, slice):
            return slice(*(self._lowered(x) for x in (value.start, value.stop, value.step)))
        return value

    def _bind(self, tensor: Tensor, node: Node) -> None:
        if id(tensor) in self.nodes and any(tensor is x for _, x in self.inputs):
            self.nodes[id(tensor)] = node
            return
        self.nodes[id(tensor)] = node
        self.kept.append(tensor._array)
        self.results.append((weakref.ref(tensor, self._gone(id(tensor), node)), node))

    def _gone(self, number: int, node: Node) -> Any:
        def forget(_: Any) -> None:
            if self.nodes.get(number) is node:
                del self.nodes[number]

        return forget

    def _node_of(self, tensor: Tensor, frame: Any) -> Node:
        known = self.nodes.get(id(tensor))
        if known is None:
            source = self.sources.get(id(tensor)) or _local_name(tensor, frame) or f"L_stack{len(self.inputs)}_"
            kind = Parameter if isinstance(tensor, Parameter) else Tensor
            name = source[0].lower() + source[1:]
            first = next(iter(n for n in self.graph.nodes if n.op != "placeholder"), None)
            with self.graph.inserting_before(first) if first is not None else self.graph.inserting_after(None):
                known = self.graph.create_node("placeholder", source, name=name.lower(), type_expr=kind)
            self.inputs.append((_readable(source), tensor))
            self.nodes[id(tensor)] = known
        return known

    def _name(self, frame: Any) -> None:
        """Nodes take the names of the variables that hold their results."""
        if frame is None:
            return
        held = {id(v): k for k, v in frame.f_locals.items() if isinstance(v, Tensor)}
        for ref, node in self.results:
            tensor = ref()
            if tensor is not None and id(tensor) in held and node not in self.named:
                self.named.add(node)
                node.name = self.graph._names.create_name(held[id(tensor)])

    def _save_written(self, name: str, args: Any, kwargs: Any) -> None:
        in_place = name == "__setitem__" or (name.endswith("_") and not name.endswith("__")) or name[:3] == "__i"
        targets = (
            args[:1]
            if in_place and name != "__invert__"
            else (*args[1:3], *kwargs.values())
            if name in _KEEP_STATISTICS
            else ()
        )
        for target in targets:
            if not isinstance(target, Tensor):
                continue
            made_here = any(ref() is target for ref, _ in self.results)
            if not made_here and not any(target is x for x, _ in self.written):
                self.written.append((target, target._array.copy()))

    # -- breaks -------------------------------------------------------------------------------------------------------
    def flush(
        self, what: str = "", frame: Any = None, asked: Any = None, said: Any = None, returned: Any = None
    ) -> None:
        """Compile and run what was captured. ``what`` is why the graph ends here, if the function has not ended with
        what it ``returned``."""
        frame = frame or program_frame(sys._getframe(1))
        if what:
            self.compiled.note_break(self._reason(what, frame, asked, said), what, frame)
        calls = [n for n in self.graph.nodes if n.op != "placeholder"]
        if not calls:
            return
        # Whoever holds the frame of a function that has returned still sees its variables; they live as long.
        self._name(frame if what else self._last or frame)
        self._last = None
        outputs = self._outputs(frame if what else None, list(tensors_in((asked, returned))))
        self.graph.output(tuple(node for _, node in outputs))
        graph, inputs, random = self.graph, self.inputs, self._random
        for tensor, before in self.written:
            tensor._array[...] = before
        self.busy = True
        try:
            if random is not None:
                from engine.dialects.torch.streams import set_rng_state

                set_rng_state(random)
            run, given = self.compiled.compiled_for(self.segment, graph, inputs, self.values)
            results = run(*given)
        finally:
            self.busy = False
        once = self.segment == 0 and not self.written
        self.whole = (run, given, [tensor for tensor, _ in outputs]) if once else None
        for (tensor, _), result in zip(outputs, results, strict=True):
            _become(tensor, result)
        self.segment += 1
        self._begin()

    def _reason(self, what: str, frame: Any, asked: Any, said: Any) -> Reason:
        if what == "print":
            return print_reason(*said)
        node = self.nodes.get(id(asked))
        if what != "bool" or node is None or node.op == "placeholder" or frame is None:
            return REASONS[what]
        given = ", ".join(str(x) for x in node.args)
        target = node.target if isinstance(node.target, str) else node.target.__name__
        place = f'File "{frame.f_code.co_filename}", line {frame.f_lineno}, in {frame.f_code.co_name}'
        code = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        return branch_reason(place, code, f"{node.name} = {target}({given})")

    def _outputs(self, frame: Any, asked: list[Tensor]) -> list[tuple[Any, Node]]:
        """The results that the program still holds: those that it asks for first, then by variable."""
        alive = {id(t): (t, node) for ref, node in self.results if (t := ref()) is not None}
        found: list[tuple[Any, Node]] = []
        found += [alive.pop(id(tensor)) for tensor in asked if id(tensor) in alive]
        if frame is not None:
            live = live_names(frame)
            for name in live:
                value = frame.f_locals.get(name)
                if id(value) in alive:
                    found.append(alive.pop(id(value)))
            for name, value in frame.f_locals.items():
                if id(value) in alive and name not in live:
                    alive.pop(id(value))
        return [*found, *alive.values()]


def _builtins_of(function: Any) -> dict[str, Any]:
    """The builtins that a program sees."""
    plain = type(function).forward if isinstance(function, Module) else getattr(function, "__func__", function)
    held = getattr(plain, "__globals__", {}).get("__builtins__", builtins)
    return held if isinstance(held, dict) else vars(held)


def _real(word: str) -> str:
    return _REAL_NAMES.get(word, word)


def _become(tensor: Any, result: Any) -> None:
    """From now on a tensor is what the compiled graph gave."""
    if tensor is result:
        return
    tensor._array, tensor._storage, tensor._view = result._array, result._storage, result._view
    tensor._requires_grad, tensor._grad_fn, tensor._node = result._requires_grad, result._grad_fn, result._node


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in nested lists, tuples and dictionaries."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        yield from tensors_in(tuple(value.values()))


def _local_name(tensor: Tensor, frame: Any) -> str:
    if frame is None:
        return ""
    for name, value in frame.f_locals.items():
        if value is tensor:
            return f"L_{name}_"
        if isinstance(value, Module):
            for path, parameter in value.named_parameters():
                if parameter is tensor:
                    return module_source(f"L_{name}_", path, "parameters")
            for path, buffer in value.named_buffers():
                if buffer is tensor:
                    return module_source(f"L_{name}_", path, "buffers")
    return next((f"G_{name}_" for name, value in frame.f_globals.items() if value is tensor), "")


def module_source(owner: str, path: str, kind: str) -> str:
    """
    >>> module_source("L_self_", "fc.weight", "parameters")
    'L_self_modules_fc_parameters_weight_'
    """
    *modules, name = path.split(".")
    inner = "".join(f"modules_{part}_" for part in modules)
    return f"{owner}{inner}{kind}_{name}_"


def _readable(source: str) -> str:
    return source[2:-1] if source.startswith(("L_", "G_")) else source
