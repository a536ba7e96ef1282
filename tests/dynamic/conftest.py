"""A facade of its own for these tests, and a listener that writes everything down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.dynamic import Facade, Tensor, apply
from engine.dynamic.tensor import Number

NATIVE = Facade("native", Tensor)


class Ops:
    """``ops.mul(a, b, …)``: apply an op of the table; arrays and numbers become operands."""

    def __getattr__(self, name: str) -> Any:
        primitive = NATIVE.default(name)

        def call(*operands: Any, **attributes: Any) -> Tensor:
            wrapped = [x if isinstance(x, Tensor) else Number(x) for x in operands]
            return apply(primitive, wrapped, attributes)

        return call


@pytest.fixture
def ops() -> Ops:
    return Ops()


@pytest.fixture
def facade() -> Facade:
    return NATIVE


class Log:
    """A listener: every call is kept as (name, arguments, options) and nodes get numbers."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **options: Any) -> int:
            kept = tuple(np.array(a) if isinstance(a, np.ndarray) else a for a in arguments)
            self.calls.append((name, kept, options))
            if name == "node_created":
                self.count += 1
                return self.count - 1
            return 0

        return call

    def named(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(arguments, options) for called, arguments, options in self.calls if called == name]

    def names(self) -> list[str]:
        return [name for name, _, _ in self.calls]


@pytest.fixture
def log() -> Iterator[Log]:
    listener = Log()
    events.listener = listener  # type: ignore[assignment]
    yield listener
    events.listener = None
