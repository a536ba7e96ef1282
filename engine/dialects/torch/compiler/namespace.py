"""The modules around ``torch.compile``."""

from __future__ import annotations

import functools
from typing import Any

from engine.dialects.torch.compiler import backends, capturing, compiled, explaining, messages, optimized
from engine.dialects.torch.compiler.config import CONFIG


def graph_break(msg: str | None = None) -> None:
    """End the graph here."""
    if capturing.active:
        capturing.active[-1].flush("break")


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """A function that is never compiled. A decorator."""
    if fn is None:
        return lambda inner: disable(inner, recursive, reason=reason)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not capturing.active:
            return fn(*args, **kwargs)
        capture = capturing.active[-1]
        capture.flush("disable")
        capture.busy = True
        try:
            return fn(*args, **kwargs)
        finally:
            capture.busy = False

    return call


def is_compiling() -> bool:
    """Whether this runs because a compiled function was called."""
    return bool(capturing.active)


def mark_dynamic(t: Any, index: Any, **_: Any) -> None:
    """Sizes become dynamic by themselves here, the first time that they change."""


def allow_in_graph(fn: Any) -> Any:
    return fn


_EXCEPTIONS = {
    "Unsupported": messages.Unsupported, "InvalidBackend": messages.InvalidBackend,
    "BackendCompilerFailed": messages.BackendCompilerFailed, "TorchDynamoException": messages.TorchDynamoException,
}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "torch._dynamo": {
        "explain": explaining.explain, "reset": compiled.reset, "graph_break": graph_break, "disable": disable,
        "list_backends": backends.list_backends, "register_backend": backends.register_backend,
        "optimize": lambda backend="inductor", **options: optimized.compile(backend=backend, **_taken(options)),
        "is_compiling": is_compiling, "mark_dynamic": mark_dynamic, "allow_in_graph": allow_in_graph,
        "OptimizedModule": optimized.OptimizedModule, "config": CONFIG,
    },
    "torch._dynamo.exc": _EXCEPTIONS,
    "torch._dynamo.eval_frame": {"OptimizedModule": optimized.OptimizedModule},
    "torch._dynamo.testing": {"CompileCounter": backends.CompileCounter},
    "torch.compiler": {
        "is_compiling": is_compiling, "is_dynamo_compiling": is_compiling, "disable": disable, "reset": compiled.reset,
        "list_backends": backends.list_backends, "allow_in_graph": allow_in_graph, "compile": optimized.compile,
    },
}  # fmt: skip
"""What each module holds, by its full name."""


def _taken(options: dict[str, Any]) -> dict[str, Any]:
    renamed = {"nopython": "fullgraph"}
    return {renamed.get(key, key): value for key, value in options.items()}
