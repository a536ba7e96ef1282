"""Views: tensors that look at another tensor's memory.

Writing into a view changes its base, so the gradient of the base has to learn about it, and every other view of that
base has to look at the base's new past. A view therefore remembers how it was made, as a chain of view ops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.dynamic import modes

if TYPE_CHECKING:
    from engine.dynamic.facade import Primitive
    from engine.dynamic.tensor import Tensor

Link = tuple["Primitive", dict[str, Any]]


class View:
    """How a tensor was made from ``base``: apply ``chain`` to it. ``version`` is the storage's when it was last
    right; ``recorded``: ops went on the tape when it was made; ``piece``: which result it is of an op that gives
    several views at once (or 0, of a view of such a one), which may not be written to."""

    __slots__ = ("base", "chain", "piece", "recorded", "version")

    def __init__(self, base: Tensor, chain: tuple[Link, ...], version: int) -> None:
        self.base = base
        self.chain = chain
        self.version = version
        self.recorded = modes.enabled
        self.piece: int | None = None
