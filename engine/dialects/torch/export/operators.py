"""``torch.ops.aten``: the functions that exported graphs call."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.dialects.torch.fx.node import Node
from engine.dialects.torch.jit import running


class OpOverload:
    """One ``aten`` function for one kind of arguments: ``aten.add.Tensor``."""

    __module__ = "torch._ops"

    def __init__(self, name: str, overload: str) -> None:
        self._name, self._overload = name, overload
        self.__name__ = f"{name}.{overload}"
        self.__qualname__ = self.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return running.call(self._name, [*args, *kwargs.values()])

    def name(self) -> str:
        return f"aten::{self._name}" + ("" if self._overload == "default" else f".{self._overload}")

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self._name}', overload='{self._overload}')>"

    def __str__(self) -> str:
        return f"aten.{self._name}.{self._overload}"


@cache
def overload(name: str, kind: str) -> OpOverload:
    """The one object for a function and a kind of arguments."""
    from engine.dialects.torch import overrides

    made = OpOverload(name, kind)
    overrides.QUALIFIED[made] = f"torch.ops.aten.{name}.{kind}"
    return made


_WITH_TENSOR = frozenset({"add", "sub", "mul", "div"})
_COMPARE = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def kind_of(name: str, args: tuple[Any, ...]) -> str:
    """Which overload a call means."""
    if name in _WITH_TENSOR:
        return "Tensor"
    if name in _COMPARE or name in ("remainder", "bitwise_and"):
        return "Tensor" if isinstance(args[1], Node) else "Scalar"
    if name == "pow":
        if isinstance(args[1], Node):
            return "Tensor_Tensor" if isinstance(args[0], Node) else "Scalar"
        return "Tensor_Scalar"
    if name in ("sum", "mean") and len(args) > 1:
        return "dim_IntList" if name == "sum" else "dim"
    if name in ("softmax", "log_softmax", "transpose", "select"):
        return "int"
    if name == "slice":
        return "Tensor"
    return "default"
