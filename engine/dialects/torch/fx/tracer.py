"""``torch.fx.Tracer`` and ``symbolic_trace``: run a program once on proxies."""

from __future__ import annotations

import inspect
import math
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

from engine.dialects.torch import overrides
from engine.dialects.torch.fx.functional_form import written
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.proxy import TracerBase, proxies_in
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.tensor import Tensor

_wrapped: list[tuple[dict[str, Any], str]] = []
"""Functions of programs that are not walked into: the globals that hold them, and their names."""


def wrap(fn_or_name: Any) -> Any:
    """Let calls of a function be one node of a graph. At module level: ``wrap("name")``, or as a decorator."""
    if not isinstance(fn_or_name, str) and not callable(fn_or_name):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    frame = inspect.currentframe()
    caller = None if frame is None else frame.f_back
    assert caller is not None
    if caller.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    _wrapped.append((caller.f_globals, name))
    return fn_or_name


class Tracer(TracerBase):
    """Walks proxies through a module or function. Subclasses say which modules stay one node."""

    __module__ = "torch.fx._symbolic_trace"
    root: Any

    def __init__(
        self, autowrap_modules: Any = (math,), autowrap_functions: Any = (), param_shapes_constant: bool = False
    ) -> None:
        self._autowrap = [value for m in autowrap_modules for value in vars(m).values() if callable(value)]
        self._autowrap += list(autowrap_functions)
        self.submodule_paths: dict[Any, str] | None = None
        self.tensor_attrs: dict[int, str] = {}

    # -- what a subclass may decide ------------------------------------------------------------------------------------
    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        """Whether a call of ``m`` is one node; else its own calls are."""
        return m.__module__.startswith(("torch.nn", "torch.ao.nn")) and type(m).__name__ != "Sequential"

    def path_of_module(self, mod: Any) -> str:
        """Where ``mod`` is in the root.

        :raises NameError: it is not there.
        """
        for path, module in self.root.named_modules():
            if module is mod:
                return str(path)
        raise NameError("module is not installed as a submodule")

    def call_module(self, m: Any, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A module is called: one node, or what its forward does."""
        path = self.path_of_module(m)
        if not self.is_leaf_module(m, path):
            return forward(*args, **kwargs)
        return self.create_proxy("call_module", path, args, kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """A program reads ``self.weight``: a node where it is a parameter, the value otherwise."""
        if isinstance(attr_val, Parameter):
            return self._proxy_of(attr_val, self.root.named_parameters(), parameter_proxy_cache, attr_val)
        if self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            return self._proxy_of(attr_val, self.root.named_buffers(), parameter_proxy_cache, attr_val)
        return attr_val

    def _proxy_of(self, value: Any, named: Any, known: dict[str, Any], otherwise: Any) -> Any:
        for path, held in named:
            if held is value:
                if path not in known:
                    known[path] = self.create_proxy("get_attr", path, (), {})
                return known[path]
        return otherwise

    def create_arg(self, a: Any) -> Any:
        """An argument as the graph keeps it; tensors become attributes of the root."""
        if isinstance(a, Parameter):
            for path, held in self.root.named_parameters():
                if held is a:
                    return self.create_node("get_attr", path, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, Tensor):
            for path, held in self.root.named_buffers():
                if held is a:
                    return self.create_node("get_attr", path, (), {})
            return self.create_node("get_attr", self._constant(a), (), {})
        if isinstance(a, Module):
            for path, module in self.root.named_modules():
                if module is a:
                    return self.create_node("get_attr", path, (), {})
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return self.create_node("call_function", type(a), tuple(self.create_arg(item) for item in a), {})
        return super().create_arg(a)

    def _constant(self, tensor: Tensor) -> str:
        known = self.tensor_attrs.get(id(tensor))
        if known is None:
            number = 0
            while hasattr(self.root, f"_tensor_constant{number}"):
                number += 1
            known = self.tensor_attrs[id(tensor)] = f"_tensor_constant{number}"
            setattr(self.root, known, tensor)
        return known

    # -- tracing -------------------------------------------------------------------------------------------------------
    def trace(self, root: Any, concrete_args: dict[str, Any] | None = None) -> Graph:
        """The graph of what ``root`` (a module or a function) does with its arguments."""
        if isinstance(root, Module):
            self.root, function = root, type(root).forward
            title = type(root).__name__
        else:
            self.root, function = Module(), root
            title = getattr(root, "__name__", "function")
        graph = self.graph = Graph(tracer_cls=type(self))
        graph.title = title
        self.tensor_attrs = {id(value): path for path, value in _tensors_of(self.root)}
        known: dict[str, Any] = {}
        call, arguments = self.create_args_for_root(function, isinstance(root, Module), concrete_args)
        with ExitStack() as stack:
            stack.enter_context(overrides.overriding(self._override))
            stack.enter_context(self._watching_modules(known))
            stack.enter_context(self._wrapping(function))
            result = call(*arguments)
            returned = getattr(function, "__annotations__", {}).get("return")
            if returned == "Any":
                returned = None if type(root).__name__ == "Sequential" else Tensor
            self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=returned)
        return graph

    def create_args_for_root(
        self, root_fn: Any, is_module: bool, concrete_args: dict[str, Any] | None = None
    ) -> tuple[Callable[..., Any], list[Any]]:
        """A placeholder for each parameter of the function that is not given a value."""
        function = inspect.unwrap(root_fn)
        parameters = list(inspect.signature(function).parameters.values())
        arguments: list[Any] = []
        if is_module:
            arguments.append(self.root)
            parameters = parameters[1:]
        if isinstance(concrete_args, tuple):
            names = [p.name for p in parameters]
            if len(names) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(names)} arguments but got {len(concrete_args)} concrete arguments"
                )
            concrete_args = dict(zip(names, concrete_args, strict=True))
        named: dict[str, Any] = {}
        starred: list[Any] = []
        double: dict[str, Any] | Any = None
        for parameter in parameters:
            made = self._placeholder(parameter, concrete_args or {})
            if parameter.kind is parameter.VAR_POSITIONAL:
                starred.append(made)
            elif parameter.kind is parameter.VAR_KEYWORD:
                double = made
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = made
            else:
                arguments.append(made)
        if not starred and double is None and not named:
            return root_fn, arguments
        if not starred and double is None:
            return (lambda *given: root_fn(*given, **named)), arguments
        return _with_stars(root_fn, len(arguments), named, starred, double), arguments

    def _placeholder(self, parameter: inspect.Parameter, given: dict[str, Any]) -> Any:
        name = parameter.name
        annotation = None if type(self.root).__name__ == "Sequential" else _annotation(parameter)
        if parameter.kind is parameter.VAR_POSITIONAL:
            return self.create_proxy("placeholder", f"*{name}", (), {})
        if parameter.kind is parameter.VAR_KEYWORD:
            return self.create_proxy("placeholder", f"**{name}", (), {})
        if name in given:
            value = given[name]
            proxy = self.create_proxy("placeholder", f"{name}_1", (), {}, type_expr=annotation)
            self._check_given(name, value, proxy)
            return value
        default = () if parameter.default is parameter.empty else (parameter.default,)
        return self.create_proxy("placeholder", name, default, {}, type_expr=annotation)

    def _check_given(self, name: str, value: Any, proxy: Any) -> None:
        """A call of the traced program with another value has to fail."""
        from engine.dialects.torch.fx.given import _assert, _assert_is_none

        message = f"{name} has been specialized to have value {value} but got another value"
        if value is None:
            self.create_proxy("call_function", _assert_is_none, (proxy, message), {})
        elif isinstance(value, bool | int | float | str):
            self.create_proxy("call_function", _assert, (proxy == value, message), {})

    def _override(self, function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """A function of the dialect is called: with a proxy among its arguments it becomes a node."""
        found = next(proxies_in((arguments, options)), None)
        if found is None:
            return NotImplemented
        path = overrides.NAMES[function]
        if path.startswith("torch.Tensor."):
            name = function.__name__.strip("_") if function.__name__.startswith("__") else function.__name__
            return found.tracer.create_proxy("call_method", name, arguments, options)
        return found.tracer.create_proxy("call_function", function, *written(path, arguments, options))

    @contextmanager
    def _watching_modules(self, known: dict[str, Any]) -> Iterator[None]:
        """While this lasts, calls of modules and reads of their attributes come to the tracer."""
        tracer, call, kind = self, Module.__call__, cast(Any, Module)
        plain: Any = Module.__getattribute__

        def watched_call(module: Any, *args: Any, **kwargs: Any) -> Any:
            def forward(*args: Any, **kwargs: Any) -> Any:
                return call(module, *args, **kwargs)

            return tracer.call_module(module, forward, args, kwargs)

        def watched_read(module: Any, name: str) -> Any:
            value = plain(module, name)
            if isinstance(value, Tensor):
                return tracer.getattr(name, value, known)
            return value

        kind.__call__ = watched_call
        kind.__getattribute__ = watched_read
        try:
            yield
        finally:
            kind.__call__ = call
            del kind.__getattribute__

    @contextmanager
    def _wrapping(self, function: Any) -> Iterator[None]:
        """While this lasts, wrapped functions write down calls with proxies among the arguments."""
        changed: list[tuple[dict[str, Any], str, Any]] = []
        scopes = [getattr(inspect.unwrap(function), "__globals__", {})]
        scopes += [vars(m) for n, m in list(sys.modules.items()) if n == "__main__" and m is not None]
        places = list(_wrapped)
        for scope in scopes:
            for name, value in list(scope.items()):
                if isinstance(value, types.BuiltinFunctionType) and any(value is f for f in self._autowrap):
                    places.append((scope, name))
        for scope, name in places:
            present = name in scope
            original = scope[name] if present else getattr(__import__("builtins"), name)
            if getattr(original, "_recorded_as", None) is None:
                changed.append((scope, name, original if present else _ABSENT))
                scope[name] = _recorded(original)
        functions = [f for f in self._autowrap if getattr(f, "__module__", "") == "math"]
        for value in functions:
            changed.append((vars(math), value.__name__, value))
            vars(math)[value.__name__] = _recorded(value)
        try:
            yield
        finally:
            for scope, name, value in reversed(changed):
                if value is _ABSENT:
                    del scope[name]
                else:
                    scope[name] = value


def _annotation(parameter: inspect.Parameter) -> Any:
    """The type of a parameter; those of the dialect's own modules say ``Any`` for a tensor."""
    if parameter.annotation is parameter.empty:
        return None
    return Tensor if parameter.annotation == "Any" else parameter.annotation


_ABSENT = object()


def _recorded(function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        found = next(proxies_in((args, kwargs)), None)
        if found is None:
            return function(*args, **kwargs)
        made = found.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    call._recorded_as = function  # type: ignore[attr-defined]
    return call


def _with_stars(
    function: Any, count: int, named: dict[str, Any], starred: list[Any], double: Any
) -> Callable[..., Any]:
    """Call ``function`` with its ``*args`` and ``**kwargs`` each one proxy, which Python itself would unpack."""
    code = inspect.unwrap(function).__code__
    flags = code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    total = code.co_argcount + code.co_kwonlyargcount + len(starred) + (double is not None)
    plain = types.FunctionType(
        code.replace(co_flags=flags, co_argcount=total, co_kwonlyargcount=0),
        function.__globals__, function.__name__, None, function.__closure__,
    )  # fmt: skip
    rest = [*named.values(), *starred, *([] if double is None else [double])]
    return lambda *given: plain(*given[:count], *rest)


def _tensors_of(root: Any) -> Iterator[tuple[str, Tensor]]:
    """Tensors that are plain attributes of modules."""
    for path, module in root.named_modules():
        for name, value in vars(module).items():
            if isinstance(value, Tensor):
                yield (f"{path}.{name}" if path else name), value


def symbolic_trace(root: Any, concrete_args: Any = None) -> Any:
    """A :class:`GraphModule` that does what ``root`` did with proxies."""
    from engine.dialects.torch.fx.graph_module import GraphModule

    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
