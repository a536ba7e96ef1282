"""The listener while a tracer is active: tells the real one, and notices variables that the program makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events

if TYPE_CHECKING:
    from engine.bridges.tracing.tracer import Tracer


class Hearing:
    """Stands in for ``events.listener``, so that every op takes the observed way, where tracers are asked."""

    def __init__(self, tracer: Tracer, outer: events.Listener | None) -> None:
        self.tracer = tracer
        self.outer: events.Listener | None = outer.outer if isinstance(outer, Hearing) else outer

    def node_created(self, graph: int, op: str, *arguments: Any, **more: Any) -> int:
        """A node: one that is no op and has the role of a variable is a variable that the program made."""
        if op == "input" and more.get("role") == "variable":
            self.tracer.variables_made += 1
        return -1 if self.outer is None else self.outer.node_created(graph, op, *arguments, **more)

    def __getattr__(self, name: str) -> Any:
        return _nothing if self.outer is None else getattr(self.outer, name)


def _nothing(*arguments: Any, **more: Any) -> int:
    """What a listener answers that nobody is behind."""
    return -1
