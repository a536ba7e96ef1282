"""``torch.compile``: functions and modules that run as compiled ones."""

from __future__ import annotations

import functools
from typing import Any

from engine.dialects.torch.compiler.compiled import Compiled
from engine.dialects.torch.nn.module import Module


class OptimizedModule(Module):
    """A module whose calls are compiled."""

    __module__ = "torch._dynamo.eval_frame"

    def __init__(self, module: Any, compiled: Compiled) -> None:
        super().__init__()
        self._orig_mod = module
        object.__setattr__(self, "_compiled", compiled)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled.call(args, kwargs)

    def __getattr__(self, name: str) -> Any:
        inner = self.__dict__.get("_modules", {}).get("_orig_mod")
        if name == "_orig_mod" or inner is None:
            return super().__getattr__(name)
        return getattr(inner, name)


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = "inductor",
    mode: str | None = None,
    options: Any = None,
    disable: bool = False,
) -> Any:
    """A function or module whose tensor ops run as compiled graphs. A decorator."""
    if model is None:
        return lambda inner: compile(
            inner, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable
        )
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if disable:
        return model
    if not callable(model):
        raise TypeError("torch.compile requires a callable")
    compiled = Compiled(model, backend, fullgraph, dynamic)
    if isinstance(model, Module):
        return OptimizedModule(model, compiled)

    @functools.wraps(model)
    def call(*args: Any, **kwargs: Any) -> Any:
        return compiled.call(args, kwargs)

    call._torchdynamo_orig_callable = model  # type: ignore[attr-defined]
    call._compiled = compiled  # type: ignore[attr-defined]
    return call
