"""The op table on tensors: the interpreter through which gradients of gradients are recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dynamic.apply import apply
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Number, Tensor, fresh


class Tape:
    """``Tape(facade).mul(a, b)`` applies the op ``mul`` to tensors, so that it is recorded like any other op.

    Operands may be tensors, Python numbers or arrays (which become constants); attributes follow them, in order or by
    name, as in a kernel's signature.
    """

    def __init__(self, facade: Facade) -> None:
        self._facade = facade

    @staticmethod
    def shape(tensor: Tensor) -> tuple[int, ...]:
        """The shape token of a tensor: a tuple."""
        return tensor._array.shape

    def __getattr__(self, name: str) -> Callable[..., Tensor]:
        primitive = self._facade.default(name)
        op = primitive.op
        names = tuple(op.attributes)
        count = len(op.inputs)
        make = self._facade.tensor

        def operand(x: Any) -> Tensor | Number:
            if isinstance(x, Tensor):
                return x
            return fresh(make, np.asarray(x)) if isinstance(x, (np.ndarray, np.generic)) else Number(x)

        def call(*arguments: Any, **attributes: Any) -> Tensor:
            taken = len(arguments) if op.variadic else min(count, len(arguments))
            attributes.update(zip(names, arguments[taken:], strict=False))
            return apply(primitive, [operand(x) for x in arguments[:taken]], attributes)

        setattr(self, name, call)
        return call
