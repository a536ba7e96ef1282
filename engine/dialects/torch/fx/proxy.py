"""Proxies: what stands for a tensor while a program is written down."""

from __future__ import annotations

import dis
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

from engine.dialects.torch.fx.code import MAGIC, REFLECTED
from engine.dialects.torch.fx.node import Node
from engine.dialects.torch.types import Size, device, dtype


class TraceError(ValueError):
    """A program asks for a value that a proxy does not have."""

    __module__ = "torch.fx.proxy"


class TracerBase:
    """What proxies tell of what happens to them. ``graph`` is where it is written down."""

    __module__ = "torch.fx.proxy"
    graph: Any
    record_stack_traces = False
    trace_asserts = False
    proxy_buffer_attributes = False

    def create_node(
        self, kind: str, target: Any, args: Any, kwargs: Any, name: str | None = None, type_expr: Any = None
    ) -> Node:
        """Write down one call."""
        made: Node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        return made

    def proxy(self, node: Node) -> Proxy:
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Any,
        args: Any,
        kwargs: Any,
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Callable[[Node], Any] | None = None,
    ) -> Any:
        """Write down one call; gives the proxy for its result."""
        node = self.create_node(kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr)
        return proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)

    def create_arg(self, a: Any) -> Any:
        """An argument as the graph keeps it: nodes in the place of proxies.

        :raises NotImplementedError: it is nothing that a graph can keep.
        """
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            return {self._key(key): self.create_arg(item) for key, item in a.items()}
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, range):
            return range(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if a is None or a is ... or isinstance(a, _PLAIN):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def _key(self, key: Any) -> Any:
        made = self.create_arg(key)
        if isinstance(made, Node):
            raise RuntimeError("Keys for dictionaries used as an argument cannot contain a Node. Got key: " + str(key))
        return made

    def to_bool(self, obj: Proxy) -> bool:
        """A program decides by a proxy.

        :raises TraceError: always, unless a tracer knows better.
        """
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj: Proxy) -> Iterator[Any]:
        """A program loops over a proxy.

        :raises TraceError: always, unless a tracer knows better.
        """
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what "
            "types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy "
            "iteration errors"
        )

    def keys(self, obj: Proxy) -> Any:
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """Writes what happens to a proxy to the end of a graph that is there already."""

    __module__ = "torch.fx.proxy"

    def __init__(self, graph: Any) -> None:
        self.graph = graph


class Proxy:
    """Stands for the result of ``node``; what is done with it is written down by ``tracer``."""

    __module__ = "torch.fx.proxy"

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Attribute:
        return Attribute(self, k)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        caller = inspect.currentframe()
        caller = None if caller is None else caller.f_back
        assert caller is not None
        for step in dis.get_instructions(caller.f_code):
            if step.offset == caller.f_lasti and step.opname == "UNPACK_SEQUENCE":
                return (self[i] for i in range(step.argval))  # type: ignore[index]
        return self.tracer.iter(self)

    def __abs__(self) -> Any:
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self) -> bool:
        if self.tracer.trace_asserts and _is_asserted(inspect.currentframe()):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def keys(self) -> Any:
        return self.tracer.keys(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
            "torch.fx.wrap('len') at module scope"
        )


def assert_fn(x: object) -> None:
    """What an ``assert`` of a traced program becomes."""
    if not x:
        raise AssertionError("Assertion failed")


def _is_asserted(frame: Any) -> bool:
    """Whether the decision that the program is about to take is that of an ``assert``."""
    code, place = frame.f_back.f_code, frame.f_back.f_lasti
    steps = list(dis.get_instructions(code))
    at = next(i for i, step in enumerate(steps) if step.offset == place)
    return steps[at].opname.endswith("IF_TRUE") and steps[at + 1].opname == "LOAD_ASSERTION_ERROR"


class Attribute(Proxy):
    """``proxy.name``: a node of its own once something is done with it, part of a method call if it is called."""

    __module__ = "torch.fx.proxy"

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:  # type: ignore[override]
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


_PLAIN = (float, int, bool, str, complex, dtype, device, Size)


def _operator(name: str, reflected: bool) -> Any:
    target = getattr(operator, name)

    def method(self: Any, *others: Any) -> Any:
        arguments = (*others, self) if reflected else (self, *others)
        return _tracer_among(arguments).create_proxy("call_function", target, arguments, {})

    word = name.strip("_")
    method.__name__ = f"__r{word}__" if reflected else f"__{word}__"
    return method


def _tracer_among(arguments: tuple[Any, ...]) -> TracerBase:
    """Who writes down a call with these arguments: the tracer of the first proxy."""
    for value in arguments:
        if isinstance(value, Proxy):
            return value.tracer
        if isinstance(value, tuple | list):
            for item in value:
                if isinstance(item, Proxy):
                    return item.tracer
    raise AssertionError("no proxy among the arguments")


for _name in MAGIC:
    setattr(Proxy, f"__{_name.strip('_')}__", _operator(_name, False))
for _name in REFLECTED:
    if _name != "getitem":
        setattr(Proxy, f"__r{_name.strip('_')}__", _operator(_name, True))
Proxy.__hash__ = object.__hash__  # type: ignore[method-assign]


def proxies_in(value: Any) -> Iterator[Proxy]:
    """The proxies in nested lists, tuples, dictionaries and slices."""
    if isinstance(value, Proxy):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from proxies_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from proxies_in(item)
    elif isinstance(value, slice):
        yield from proxies_in((value.start, value.stop, value.step))
