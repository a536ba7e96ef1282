"""What a layout depends on, and nothing else: the items of one graph and the links between them.

Two graphs with the same structure get the same layout, whatever their slots are numbered and their values are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

LEAVES = frozenset({"input", "variable", "constant"})


@dataclass(frozen=True, slots=True)
class Item:
    """A slot that has a place. ``mirror`` and ``anchor`` are indexes into :attr:`Structure.items`, -1 for none.

    ``goal``: fetched, or where backward began. ``anchor`` is the item that a plan-owned item replaced; ``plan`` numbers
    the plans of this graph from 0. ``group`` numbers the branches and loops whose ops stand together (-1: none).
    """

    role: str
    form: str
    width: int
    height: int
    mirror: int = -1
    plan: int = -1
    anchor: int = -1
    goal: bool = False
    group: int = -1


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two items (indexes), in the direction in which values flow. ``back``: against the order of
    birth."""

    source: int
    target: int
    kind: str
    back: bool = False


@dataclass(frozen=True)
class Structure:
    """One graph. ``items`` are in the order in which their first nodes were made; ``slots`` has the slot of each.

    ``unplaced`` slots that came later, and ``undrawn`` links, are too many for a picture.
    """

    static: bool
    items: tuple[Item, ...]
    links: tuple[Link, ...]
    slots: tuple[int, ...] = field(compare=False, default=())
    unplaced: int = field(compare=False, default=0)
    undrawn: int = field(compare=False, default=0)

    def digest(self) -> str:
        """A hash of everything that the layout depends on (not of ``slots``, nor of what is left out).

        >>> Structure(False, (), ()).digest() == Structure(False, (), (), (3,)).digest()
        True
        """
        rows = [[i.role, i.form, i.width, i.height, i.mirror, i.plan, i.anchor, i.goal, i.group] for i in self.items]
        links = [[k.source, k.target, k.kind, k.back] for k in self.links]
        text = json.dumps([self.static, rows, links], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def gradient_orders(items: Sequence[Item], reads: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Of each gradient item: 1 for a gradient, 2 for a gradient of a gradient, and so on.

    ``reads`` are (source, target); whoever reads something of a higher order belongs to that sweep too.
    """
    gradients = {i for i, item in enumerate(items) if item.role == "gradient"}
    sources: dict[int, list[int]] = {i: [] for i in gradients}
    for source, target in reads:
        if source in gradients and target in gradients and source < target:
            sources[target].append(source)
    order: dict[int, int] = {}
    for i in sorted(gradients):
        order[i] = max([1 + order.get(items[i].mirror, 0), *(order[source] for source in sources[i])])
    return order
