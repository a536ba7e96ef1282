"""``torch.jit.trace``: what a program calls."""

from __future__ import annotations

import warnings
from typing import Any

from engine.dialects.torch.jit.ir import Graph
from engine.dialects.torch.jit.modules import (
    Method,
    ScriptFunction,
    ScriptModule,
    TopLevelTracedModule,
    TracedModule,
)
from engine.dialects.torch.jit.telling import tell
from engine.dialects.torch.jit.tracing import TracerWarning, Tracing
from engine.dialects.torch.nn.module import Module


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    **_: Any,
) -> Any:
    """The path that a function or module takes on examples, as a graph."""
    from engine.dialects.torch.jit.deprecated import deprecated

    deprecated("trace")
    if isinstance(func, ScriptModule | ScriptFunction):
        return func
    examples = example_inputs if isinstance(example_inputs, tuple | list) else (example_inputs,)
    if isinstance(func, Module):
        return trace_module(func, {"forward": examples}, check_trace=check_trace, strict=strict, _told=True)
    name = getattr(func, "__name__", "forward").replace("<lambda>", "_lambda")
    graph = Tracing(func).run(func, examples, name, None, strict)
    _check(func, examples, graph, None, check_trace)
    return ScriptFunction(Method(graph), func)


def trace_module(
    mod: Any, inputs: dict[str, Any], check_trace: bool = True, strict: bool = True, **options: Any
) -> Any:
    """Several methods of a module, traced."""
    from engine.dialects.torch.jit.deprecated import deprecated

    if not options.get("_told"):
        deprecated("trace_module")
    tracing = Tracing(mod)
    graphs: list[tuple[str, Graph]] = []
    for name, examples in inputs.items():
        given = examples if isinstance(examples, tuple | list) else (examples,)
        method = getattr(mod, name)
        graphs.append((name, tracing.run(method, given, name, mod, strict)))
        if name == "forward":
            _check(method, given, None, tracing, check_trace)
    made = _converted(mod, tracing, TopLevelTracedModule())
    for name, graph in graphs:
        made._methods[name] = Method(graph, {}, made)
    for path, module in made.named_modules():
        for method in module._methods.values():
            tell(method.graph, path or made.original_name)
    return made


def _check(function: Any, examples: Any, graph: Graph | None, tracing: Any, wanted: bool) -> None:
    """Trace a second time, as PyTorch does to see whether the program does the same again."""
    if not wanted:
        return
    from engine.dialects.torch.streams import fork_rng

    with fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore", TracerWarning)
        again = Tracing(function if tracing is None else tracing.root)
        again.run(function, examples, "again", None if tracing is None else tracing.root, False)


def _converted(source: Any, tracing: Tracing, made: Any) -> Any:
    made._fill(source, lambda inner: _converted(inner, tracing, TracedModule()))
    for name, graph in tracing.methods.get(id(source), ()):
        made._methods[name] = Method(graph, {}, made)
    return made
