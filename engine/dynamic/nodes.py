"""The tape's nodes: how a gradient travels from the result of an op to its operands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.dynamic.facade import Primitive
    from engine.dynamic.recipes import Recipe
    from engine.dynamic.tensor import Tensor

sequence = count()
"""Nodes are numbered as they are made; a node's consumers always have higher numbers than the node."""

watched = False
"""Whether the program has hooks or gradients of its own: code that runs during backward and may look around. Written
only by :func:`watch`."""


def watch() -> None:
    """Say that code of the program may run during backward, from now on."""
    global watched
    watched = True


def follow_ends(gone: Callable[[GradNode], None] | None) -> None:
    """Have ``gone`` called with each node that nobody holds any more, from now on; ``None``: no longer."""
    if gone is not None:
        GradNode.__del__ = gone  # type: ignore[attr-defined]
    elif "__del__" in GradNode.__dict__:
        del GradNode.__del__  # type: ignore[attr-defined]


class GradNode:
    """The gradient of one op that ran.

    ``edges`` has one entry for each operand: where its gradient goes, or ``None``. ``saved`` is what the gradient
    functions need (laid out by ``recipe``), ``None`` once freed. What few nodes have is kept in class attributes:
    ``repair``: the operands' (shape, dtype) where a gradient must be summed or cast back after broadcasting and
    promotion;
    ``node`` and ``forward``: ids of this node and of its op in a recording; ``places``: which operands are tensors.
    """

    __slots__ = ("__dict__", "__weakref__", "attributes", "edges", "recipe", "saved", "sequence")

    primitive: Primitive | None = None
    label = "GradNode"
    outputs = 1
    hooks: NodeHooks | None = None
    repair: tuple[tuple[tuple[int, ...], Any] | None, ...] | None = None
    node = -1
    forward = -1
    places: tuple[int, ...] | None = None

    edges: tuple[Edge | None, ...]
    attributes: dict[str, Any]
    saved: Any
    recipe: Recipe | None
    sequence: int

    @property
    def holds_values(self) -> bool:
        """Whether backward frees something here: running it a second time then fails."""
        return self.recipe is not None and self.recipe.holds_values

    def hook_table(self) -> NodeHooks:
        """The node's hooks, made at first use."""
        watch()
        if self.hooks is None:
            self.hooks = NodeHooks()
        return self.hooks


class Port:
    """One of several outputs of a gradient node: where a tensor that is not its op's only result sends its gradient."""

    __slots__ = ("index", "target")

    def __init__(self, target: GradNode, index: int) -> None:
        self.target = target
        self.index = index


class AccumulateGrad(GradNode):
    """Where the gradients of a leaf arrive and are added up into its ``.grad``."""

    __slots__ = ("variable",)

    label = "AccumulateGrad"
    variable: Tensor

    def __init__(self, variable: Tensor) -> None:
        self.sequence = -1
        self.variable = variable
        self.edges = ()
        self.attributes = {}
        self.saved = None
        self.recipe = None


class NodeHooks:
    """What runs when a gradient arrives at a node (rare, so kept apart)."""

    __slots__ = ("before", "retains")

    def __init__(self) -> None:
        self.before: dict[int, dict[int, Any]] = {}
        """Functions on the gradient of one output, by output index, then by handle."""
        self.retains: dict[int, Any] = {}
        """Weak references to tensors that keep their gradient, by output index."""


Edge = GradNode | Port


def split_edge(edge: Edge) -> tuple[GradNode, int]:
    """An edge as node and output index."""
    return (edge.target, edge.index) if type(edge) is Port else (edge, 0)  # type: ignore[return-value]
