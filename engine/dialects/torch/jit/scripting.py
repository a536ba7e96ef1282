"""Scripting: functions and modules compiled, each once."""

from __future__ import annotations

import inspect
from typing import Any

from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.ir import Graph
from engine.dialects.torch.jit.modules import (
    _MARK,
    Method,
    RecursiveScriptModule,
    ScriptFunction,
    ScriptModule,
    ignored,
    type_name,
)
from engine.dialects.torch.jit.native import native_graph, sequence_graph
from engine.dialects.torch.jit.telling import tell
from engine.dialects.torch.jit.types import TENSOR
from engine.dialects.torch.nn.module import Module

_scripted: dict[Any, Any] = {}


def script_function(function: Any) -> ScriptFunction:
    """A function, compiled once."""
    from engine.dialects.torch.jit.compiling import Compiler

    known = _scripted.get(function)
    if known is None:
        compiler = Compiler(function)
        known = _scripted[function] = ScriptFunction(Method(compiler.compile(), compiler.defaults), function)
    return known


_compiling: list[tuple[Any, ScriptModule]] = []


def script_module(source: Any) -> ScriptModule:
    """A module with its methods compiled: ``forward``, those that it calls, and exported ones."""
    if isinstance(source, ScriptModule):
        return source
    made = RecursiveScriptModule()
    made._fill(source, script_module)
    _compiling.append((source, made))
    try:
        if type(source).__module__.startswith("torch.nn") and not _has_graph(source):
            object.__setattr__(made, "_native", source)
            graph = native_graph(source)
            if graph is not None:
                made._methods["forward"] = Method(graph, {}, made)
        else:
            names = [n for n, f in inspect.getmembers(type(source)) if getattr(f, _MARK, "") == "export"]
            if type(source).forward is not Module.forward:
                names.insert(0, "forward")
            for name in names:
                compile_method(source, made, name)
        for name, function in inspect.getmembers(type(source), inspect.isfunction):
            if ignored(function):
                object.__setattr__(made, name, function.__get__(source))
    finally:
        _compiling.pop()
    for method in made._methods.values():
        tell(method.graph, type_name(made))
    return made


def _has_graph(source: Any) -> bool:
    return type(source).__name__ == "Sequential"


def compile_method(source: Any, made: ScriptModule, name: str) -> Method:
    """One method of a module."""
    from engine.dialects.torch.jit.compiling import Compiler

    known = made._methods.get(name)
    if known is None:
        if type(source).__name__ == "Sequential":
            known = Method(sequence_graph(source), {}, made)
        else:
            compiler = Compiler(getattr(type(source), name), source, name)
            graph = compiler.compile()
            known = Method(graph, compiler.defaults, made)
        made._methods[name] = known
    return known  # type: ignore[no-any-return]


def method_of(module: Any, name: str) -> Any:
    """The compiled method of a module that a graph calls."""
    for source, made in _compiling:
        if source is module:
            if ignored(getattr(type(source), name)):
                return None
            return compile_method(source, made, name)
        for path, inner in source.named_modules():
            if inner is module:
                found: Any = made.get_submodule(path)
                if found._native is not None:
                    return _native_method(inner)
                return compile_method(inner, found, name)
    return None


def _native_method(module: Any) -> Method:
    """A method of a module of the dialect itself: its signature, without a graph of its own."""
    graph = native_graph(module)
    if graph is None:
        graph = Graph("forward")
        graph.head.add_output(types.module_type(module), "self")
        defaults = {}
        for parameter in list(inspect.signature(type(module).forward).parameters.values())[1:]:
            graph.head.add_output(types.ANY, parameter.name)
            if parameter.default is not parameter.empty:
                defaults[parameter.name] = parameter.default
        kind = types.tuple_of((TENSOR, TENSOR)) if type(module).__name__ in ("GRU", "RNN") else TENSOR
        if type(module).__name__ == "LSTM":
            kind = types.tuple_of((TENSOR, types.tuple_of((TENSOR, TENSOR))))
        if type(module).__name__ == "LSTMCell":
            kind = types.tuple_of((TENSOR, TENSOR))
        graph.tail.add_input(graph.add("prim::Uninitialized", ()).add_output(kind))
        return Method(graph, defaults, module)
    return Method(graph, {}, module)
