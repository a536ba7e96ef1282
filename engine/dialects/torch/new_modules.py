"""Modules made of the public names of the dialect's files."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.torch.nn import (
    parameter,
)


def new_module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(content)
    made.__dict__["__path__"] = []
    made.__dict__["__getattr__"] = module_getattr(made, "torch")
    return made


def public(source: Any, names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names.split()}


def own_classes(*sources: Any) -> dict[str, Any]:
    """The classes that these modules define themselves."""
    return {
        name: value
        for source in sources
        for name, value in vars(source).items()
        if isinstance(value, type) and not name.startswith("_") and str(value.__module__).startswith("torch")
        and (value.__module__ not in ("torch", "torch.nn.parameter") or source in (parameter,))
    }  # fmt: skip
