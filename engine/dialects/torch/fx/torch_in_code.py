"""What the code of a graph finds under ``torch``."""

from __future__ import annotations

import math
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from engine.dialects.torch import overrides
from engine.dialects.torch.fx.functional_form import called
from engine.dialects.torch.fx.given import _assert, _assert_is_none
from engine.dialects.torch.types import device


class _Aten:
    """``torch.ops.aten``."""

    def __getattr__(self, name: str) -> Any:
        from engine.dialects.torch.export.operators import overload

        return _Packet(lambda kind: overload(name, kind))


class _Packet:
    """An ``aten`` function, whose attributes are its overloads."""

    def __init__(self, find: Any) -> None:
        self._find = find

    def __getattr__(self, kind: str) -> Any:
        return self._find(kind)


class _Namespace(SimpleNamespace):
    """A module's functions, called as a graph writes the calls down."""

    def __init__(self, module: Any, inner: dict[str, Any]) -> None:
        super().__init__(**inner)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


_made: list[tuple[Any, dict[str, Any]]] = []


def names() -> dict[str, Any]:
    """The globals of every graph's code."""
    torch = sys.modules.get("torch") or ModuleType("torch")
    if not _made or _made[-1][0] is not torch:
        _made[:] = [(torch, _names(torch))]
    return dict(_made[-1][1])


def _names(torch: Any) -> dict[str, Any]:
    functional = _Namespace(None, {})
    native: dict[str, Any] = {}
    for function, path in overrides.NAMES.items():
        home, _, name = path.rpartition(".")
        if home == "torch.nn.functional":
            functional.__dict__[name] = _taking(function)
        elif home == "torch._C._nn":
            native[name] = function
    nn = _Namespace(getattr(torch, "nn", None), {"functional": functional})
    core = _Namespace(getattr(torch, "_C", None), {"_nn": SimpleNamespace(**native)})
    plain: dict[str, Any] = {
        name: f for f, path in overrides.NAMES.items() for home, _, name in [path.rpartition(".")] if home == "torch"
    }
    own = SimpleNamespace(wrap=lambda name: None, _assert_is_none=_assert_is_none)
    fx = SimpleNamespace(_symbolic_trace=own)
    plain["_assert"] = _assert
    plain["ops"] = SimpleNamespace(aten=_Aten())
    return {
        "torch": _Namespace(torch, {**plain, "nn": nn, "_C": core, "fx": fx}),
        "device": device, "inf": math.inf, "nan": math.nan, "NoneType": type(None), "_operator_abs": abs,
    }  # fmt: skip


def _taking(function: Any) -> Any:
    def call(*arguments: Any, **options: Any) -> Any:
        return called(function, arguments, options)

    return call
