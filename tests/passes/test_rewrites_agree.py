"""What rewrites say agrees with what runs: no node runs that was crossed out, and none is left that never runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import engine
from engine import events


class Listener:
    """Hands out ids and keeps what was said of nodes."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.gone: set[int] = set()
        self.ran: set[int] = set()

    def node_created(self, graph: int, op: str, *_: Any, name: str = "", **__: Any) -> int:
        self.names.append(name or op)
        return len(self.names) - 1

    def rewritten(self, plan: int, action: str, old: Any, new: Any, reason: str) -> None:
        if action in ("removed", "merged", "folded", "replaced", "fused"):
            assert old, (action, reason)
            assert not self.gone & set(old), f"{[self.names[i] for i in old]} went twice"
            self.gone |= set(old)

    def op_ran(self, node: int, *_: Any, **__: Any) -> None:
        self.ran.add(node)

    def __getattr__(self, name: str) -> Callable[..., int]:
        assert hasattr(events.Listener, name)
        return lambda *_, **__: 0


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    events.listener = made  # type: ignore[assignment]
    try:
        yield made
    finally:
        events.listener = None


def scaled(g: Any, x: Any) -> Any:
    """A loop that reads what is computed outside, and which is then fused there."""
    scale = engine.identity(x * 2.0)
    _, y = g.while_loop(lambda i, y: i < 3.0, lambda i, y: (i + 1.0, y * scale + 1.0), [g.constant(0.0), x])
    return y * scale


def invariant(g: Any, x: Any) -> Any:
    _, y = g.while_loop(
        lambda i, y: i < 3.0, lambda i, y: (i + 1.0, engine.identity(y * 1.0) * 2.0 + 0.5 * x * 2.0), [0.0, x]
    )
    return y + 2.0


def counted(g: Any, x: Any) -> Any:
    """The same constant inside, twice, and outside."""
    y, _ = g.for_loop(lambda y, i: (y * 2.0 + 2.0, None), x * 2.0, count=4)
    return y


def nested(g: Any, x: Any) -> Any:
    w = g.variable([1.0, 2.0], name="w")

    def body(i: Any, y: Any) -> Any:
        _, z = g.while_loop(lambda j, z: j < 2.0, lambda j, z: (j + 1.0, z * w * x), [0.0, y])
        return i + 1.0, engine.tanh(z + w)

    _, y = g.while_loop(lambda i, y: i < 2.0, body, [0.0, x])
    return y


def differentiated(g: Any, x: Any) -> Any:
    y = nested(g, x)
    return engine.gradients(engine.sum(y * y), [x])[0]


def scanned(g: Any, x: Any) -> Any:
    return g.scan(lambda a, row: a * 0.5 + row, x, engine.sum(x) * 0.0)


PROGRAMS = [scaled, invariant, counted, nested, differentiated, scanned]


@pytest.mark.parametrize("program", PROGRAMS)
def test_nodes_of_loops(program: Callable[[Any, Any], Any], listener: Listener) -> None:
    g = engine.Graph()
    x = g.placeholder((2,), name="x")
    y = program(g, x)
    session = engine.Session(g)
    if "initializers" in g.collections:
        session.run(g.initializer())
    listener.gone.clear()
    listener.ran.clear()
    session.run(y, {x: np.array([0.25, 0.5])})

    def named(nodes: set[int]) -> set[str]:
        return {listener.names[node] for node in nodes}

    assert not named(listener.gone & listener.ran)
    never = {node.traced for node in g.nodes} - listener.ran - listener.gone - {x.traced}
    assert not named(never)
