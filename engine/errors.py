"""One family of exceptions: every error names the op, the operands and what to do."""

from __future__ import annotations


class StepgraphError(Exception):
    """Anything that the engine refuses. Dialects translate these into the framework's own type and words."""


class ShapeError(StepgraphError, ValueError):
    """Operands whose shapes cannot go together. ``op`` is the op's name, ``shapes`` the operands' shapes."""

    def __init__(self, message: str, *, op: str = "", shapes: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.op = op
        self.shapes = shapes


class DtypeError(StepgraphError, TypeError):
    """Operands whose dtypes cannot go together."""


class BoundsError(StepgraphError, IndexError):
    """An index in a tensor (a class number, a row to take) that points at nothing."""


class GraphError(StepgraphError, ValueError):
    """A graph is used in a way it does not allow (another graph's node, a finalized graph, a cycle)."""


class FeedError(StepgraphError, ValueError):
    """A feed or fetch that the graph cannot take or give."""


class StateError(StepgraphError, RuntimeError):
    """Something is asked for that does not exist yet, or no longer (a freed graph, an uninitialised variable)."""
