"""What a layout depends on, and nothing else: the items of one graph and the links between them.

Two graphs with the same structure get the same layout, whatever their slots are numbered and their values are.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field

LEAVES = frozenset({"input", "variable", "constant"})


@dataclass(frozen=True, slots=True)
class Item:
    """A slot that has a place. ``mirror`` and ``anchor`` are indexes into :attr:`Structure.items`, -1 for none.

    ``anchor`` is the item that a plan-owned item replaced; ``plan`` numbers the plans of this graph from 0.
    """

    role: str
    form: str
    width: int
    height: int
    mirror: int = -1
    plan: int = -1
    anchor: int = -1
    fetched: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two items (indexes), in the direction in which values flow. ``back``: against the order of birth."""

    source: int
    target: int
    kind: str
    back: bool = False


@dataclass(frozen=True)
class Structure:
    """One graph. ``items`` are in the order in which their first nodes were made; ``slots`` has the slot of each."""

    static: bool
    items: tuple[Item, ...]
    links: tuple[Link, ...]
    slots: tuple[int, ...] = field(compare=False, default=())

    def digest(self) -> str:
        """A hash of everything that the layout depends on (not of ``slots``).

        >>> Structure(False, (), ()).digest() == Structure(False, (), (), (3,)).digest()
        True
        """
        rows = [[i.role, i.form, i.width, i.height, i.mirror, i.plan, i.anchor, i.fetched] for i in self.items]
        links = [[k.source, k.target, k.kind, k.back] for k in self.links]
        text = json.dumps([self.static, rows, links], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]
