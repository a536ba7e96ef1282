"""One family of exceptions: every error names the op, the operands, the line of the program and what to do."""

from __future__ import annotations

from typing import Any

from engine.places import Place, native_place


class StepgraphError(Exception):
    """Anything that the engine refuses. Dialects translate these into the framework's own type and words.

    ``message`` is what went wrong; ``place`` the file and line of the program that was running (``None`` in a dialect,
    whose messages stay the framework's); ``node`` the node that it is about, if it is about one; ``reason`` what an op
    itself said, where ``message`` tells of its node first. As text, an error is all of them.

    >>> raised = StateError("nothing to run", )
    >>> raised.place = ("lesson.py", 3)
    >>> raised.message, str(raised)
    ('nothing to run', 'nothing to run (lesson.py, line 3)')
    """

    node: Any = None
    reason: str = ""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.place: Place | None = native_place()

    @property
    def message(self) -> str:
        """What went wrong, without where."""
        return str(self.args[0]) if self.args else ""

    def __str__(self) -> str:
        graph = getattr(self.node, "graph", None)
        told = graph.description(self.node) if graph is not None and self.place is not None else ""
        words = f"{self.message} [{told}]" if told and told not in self.message else self.message
        return words if self.place is None else f"{words} ({self.place[0]}, line {self.place[1]})"


def words_of(error: BaseException) -> str:
    """What went wrong, for a sentence about it."""
    return error.message if isinstance(error, StepgraphError) else str(error)


class ShapeError(StepgraphError, ValueError):
    """Operands whose shapes cannot go together. ``op`` is the op's name, ``shapes`` the operands' shapes."""

    def __init__(self, message: str, *, op: str = "", shapes: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.op = op
        self.shapes = shapes


class DtypeError(StepgraphError, TypeError):
    """Operands whose dtypes cannot go together."""


class BoundsError(StepgraphError, IndexError):
    """An index in a tensor (a class number, a row to take) that points at nothing. ``indices`` are all of them and
    ``size`` how many there are to point at, where that is known."""

    def __init__(self, message: str, *, indices: Any = None, size: int = 0) -> None:
        super().__init__(message)
        self.indices = indices
        self.size = size


class GraphError(StepgraphError, ValueError):
    """A graph is used in a way it does not allow (another graph's node, a finalized graph, a cycle)."""


class FeedError(StepgraphError, ValueError):
    """A feed or fetch that the graph cannot take or give."""


class StateError(StepgraphError, RuntimeError):
    """Something is asked for that does not exist yet, or no longer (a freed graph, an uninitialised variable)."""
