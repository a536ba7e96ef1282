"""Reads decisions and loops out of the frames of TensorFlow 1: which rows lie in which branch, and what owns it.

Each row has a home: the branch or loop part in which it runs. ``Switch`` and ``Enter`` lead into one, ``Merge`` and
``Exit`` out of it; whatever else runs where its innermost operand does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import GraphError
from engine.static.building_control import checked_pred, filling, finish, output
from engine.static.decisions import add_cond
from engine.static.loops import carried_types, next_values, parameters
from engine.static.node import Node
from engine.static.regions import Region, visible
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.adapters.graphdef_reader import Reader

ENTERS, SWITCHES = frozenset({"Enter", "RefEnter"}), frozenset({"Switch", "RefSwitch"})
MERGES, EXITS = frozenset({"Merge", "RefMerge"}), frozenset({"Exit", "RefExit"})
NEXTS = frozenset({"NextIteration", "RefNextIteration"})
FRAMES = ENTERS | SWITCHES | MERGES | EXITS | NEXTS | {"LoopCond"}
"""The ops that decisions and loops are made of."""
_WORDS = 80
_DEEPEST = 60


@dataclass(eq=False)
class Owner:
    """A decision (``loop`` is false) or a loop; ``ends`` are the rows through which its results leave."""

    name: str
    home: Part | None
    loop: bool
    pred: str = ""
    ends: list[Any] = field(default_factory=list)
    merges: list[Any] = field(default_factory=list)
    switches: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)


@dataclass(eq=False)
class Part:
    """A branch, the condition or the body of ``owner``."""

    owner: Owner
    name: str
    depth: int


def source(text: str) -> str:
    """The row that an input names."""
    return text.removeprefix("^").partition(":")[0]


class Structure:
    """The homes of ``rows``, and their order."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = {row.name: row for row in rows}
        self.homes: dict[str, Part | None] = {}
        self._owners: dict[tuple[str, str], Owner] = {}
        self._of_end: dict[str, Owner] = {}
        for row in ordered(rows, {row.name: [source(text) for text in self._forward(row)] for row in rows}):
            self.homes[row.name] = self._home(row)

    def _forward(self, row: Any) -> list[str]:
        """What ``row`` reads, without the way back of a loop."""
        if row.op not in MERGES:
            return list(row.input)
        return [text for text in row.input if source(text) not in self.rows or self._op(text) not in NEXTS]

    def _op(self, text: str) -> str:
        return str(self.rows[source(text)].op)

    def _part(self, owner: Owner, name: str) -> Part:
        if name not in owner.parts:
            depth = owner.home.depth + 2 if owner.home else 2
            if depth > 2 * _DEEPEST:
                raise GraphError(f"node {owner.name[:_WORDS]!r} lies in more than {_DEEPEST} decisions and loops")
            owner.parts[name] = Part(owner, name, depth + (name == "body"))
        return owner.parts[name]

    def _read_home(self, text: str) -> Part | None:
        """Where the value that ``text`` names is at home."""
        row = self.rows[source(text)]
        home = self.homes[row.name]
        if row.op not in SWITCHES or len(row.input) < 2:
            return home
        port = text.partition(":")[2]
        if self._op(row.input[1]) == "LoopCond":
            if home is None:
                raise GraphError(f"node {row.name[:_WORDS]!r} reads a LoopCond outside of a loop")
            return self._part(home.owner, "body") if port == "1" else home
        return self._part(self._decision(row, home), "true" if port == "1" or text.startswith("^") else "false")

    def _decision(self, row: Any, home: Part | None) -> Owner:
        pred = self.rows[source(row.input[1])]
        # All of one decision asks the same copy of the predicate; its scope is that of the decision.
        scope = (pred if pred.op == "Identity" else row).name.rpartition("/")[0]
        while pred.op == "Identity":
            pred = self.rows[source(pred.input[0])]
        owner = self._owner((scope, pred.name), scope or row.name, home, loop=False)
        owner.pred = owner.pred or row.input[1]
        return owner

    def _owner(self, key: tuple[str, str], name: str, home: Part | None, loop: bool) -> Owner:
        """The owner of this key. It lies where the innermost of what enters it does."""
        owner = self._owners.setdefault(key, Owner(name, home, loop))
        if home is not None and (owner.home is None or home.depth > owner.home.depth):
            owner.home = home
            for part in owner.parts.values():
                part.depth = home.depth + 2 + (part.name == "body")
        return owner

    def _innermost(self, texts: Iterable[str]) -> Part | None:
        found = [self._read_home(text) for text in texts]
        return max(found, key=lambda part: part.depth if part else 0, default=None)

    def _home(self, row: Any) -> Part | None:
        home = self._innermost(self._forward(row))
        if row.op in ENTERS:
            frame = row.attr["frame_name"].s.decode("utf-8", "replace")
            return self._part(self._owner(("", frame), frame, home, loop=True), "condition")
        if row.op in EXITS:
            if home is None or not home.owner.loop:
                raise GraphError(f"node {row.name[:_WORDS]!r} leaves a loop, but is in none")
            return self._left(row, home.owner)
        if row.op in MERGES:
            back = [text for text in row.input if self._op(text) in NEXTS]
            if back and home is not None:
                home.owner.merges.append(row)
                return home
            if home is None or home.owner.loop:
                raise GraphError(f"node {row.name[:_WORDS]!r} merges what no decision has made")
            return self._left(row, home.owner)
        if row.op in SWITCHES and self._op(row.input[1]) == "LoopCond" and home is not None:
            home.owner.switches[source(row.input[0])] = row
        if row.op == "LoopCond" and home is not None:
            home.owner.pred = row.name
        return home

    def _left(self, row: Any, owner: Owner) -> Part | None:
        owner.ends.append(row)
        self._of_end[row.name] = owner
        return owner.home

    # -- what runs where, in order -----------------------------------------------------------------------------------
    def items(self, part: Part | None) -> list[Any]:
        """The rows of ``part`` and the owners in it, in an order in which they can be made."""
        items: dict[Any, list[Any]] = {}
        for row in self.rows.values():
            item = self._item(row.name, part)
            if item is not None:
                reads = (self._item(source(text), part) for text in self._forward(row))
                items.setdefault(item, []).extend(one for one in reads if one is not None and one is not item)
        keys = list(items)
        found = ordered(keys, items)
        return [self.rows[one] if isinstance(one, str) else one for one in found]

    def _item(self, name: str, part: Part | None) -> Any:
        """``name``, or the owner in ``part`` that it belongs to; ``None``: it is not in there."""
        if name in self._of_end and self._of_end[name].home is part:
            return self._of_end[name]
        home = self.homes[name]
        while home is not part:
            if home is None:
                return None
            if home.owner.home is part:
                return home.owner
            home = home.owner.home
        return name


def ordered(items: list[Any], reads: dict[Any, list[Any]]) -> list[Any]:
    """``items`` (rows, or keys of ``reads``) so that each comes after what it reads, else as they stand.

    :raises GraphError: some read each other, or what is not there.
    """
    keys = [item if item.__hash__ and item in reads else item.name for item in items]
    place = {key: i for i, key in enumerate(keys)}
    after: list[list[int]] = [[] for _ in keys]
    missing = []
    for i, key in enumerate(keys):
        needed = set(reads[key])
        for read in needed:
            if read not in place:
                raise GraphError(f"node {key[:_WORDS]!r} reads {read[:_WORDS]!r}, which is not in this GraphDef")
            after[place[read]].append(i)
        missing.append(len(needed))
    ready = [i for i, count in enumerate(missing) if not count]
    found = []
    while ready:
        i = heapq.heappop(ready)
        found.append(items[i])
        for later in after[i]:
            missing[later] -= 1
            if not missing[later]:
                heapq.heappush(ready, later)
    if len(found) < len(items):
        stuck = next(item for item, count in zip(items, missing, strict=True) if count)
        name, op = (stuck, "") if isinstance(stuck, str) else (stuck.name, f" ({getattr(stuck, 'op', 'loop')})")
        raise GraphError(f"node {name[:_WORDS]!r}{op} is in a cycle that is no loop of TensorFlow's")
    return found


class Builder:
    """Makes the nodes of a structure through ``reader``."""

    def __init__(self, reader: Reader, structure: Structure) -> None:
        self._reader = reader
        self._structure = structure
        self.part(None)

    def part(self, part: Part | None) -> None:
        """All nodes that are at home in ``part``."""
        for item in self._structure.items(part):
            if isinstance(item, Owner):
                self._loop(item) if item.loop else self._decision(item)
            elif item.op in FRAMES:
                self._door(item)
            else:
                self._reader.make(item)

    def _door(self, row: Any) -> None:
        """A row that stands for a value from elsewhere."""
        reader = self._reader
        if row.op in SWITCHES and self._structure._op(row.input[1]) != "LoopCond":
            reader.made[row.name] = reader.ports[f"{row.name}:1"] = reader.value(row.input[0])
        elif row.op in ENTERS or row.op == "LoopCond":
            reader.made[row.name] = reader.value(row.input[0])

    def _decision(self, owner: Owner) -> None:
        reader, graph = self._reader, self._reader.graph
        pred = reader.value(owner.pred)
        around, regions = graph._region, []
        title = f"{reader.prefix}{owner.name}"
        with graph.scope(f"{title}/"):
            for name in ("true", "false"):
                region = Region(graph, name, title, around)
                with filling(graph, region, name):
                    if name in owner.parts:
                        self.part(owner.parts[name])
                    region.results = [reader.value(self._branch(row, name)) for row in owner.ends]
                regions.append(region)
            shape = (list, None, [None] * len(owner.ends))
            control, types = add_cond(graph, pred, regions, [shape, shape], "decision")
        for i, (row, type) in enumerate(zip(owner.ends, types, strict=True)):
            reader.made[row.name] = output(graph, control, "value", i, type)

    def _branch(self, row: Any, name: str) -> str:
        for text in row.input:
            home = self._structure._read_home(text)
            if home is not None and home.name == name and not text.startswith("^"):
                return str(text)
        raise GraphError(f"node {row.name[:_WORDS]!r} merges nothing from the branch {name!r}")

    def _loop(self, owner: Owner) -> None:
        reader, graph, rows = self._reader, self._reader.graph, self._structure.rows
        if not owner.pred:
            raise GraphError(f"the loop {owner.name[:_WORDS]!r} has no LoopCond")
        merges = [row for row in owner.merges if row.name in owner.switches]
        enters = [rows[source(next(t for t in row.input if self._structure._op(t) in ENTERS))] for row in merges]
        nexts = [rows[source(next(t for t in row.input if self._structure._op(t) in NEXTS))] for row in merges]
        inits = [reader.value(row.input[0]) for row in enters]
        shape = (list, None, [None] * len(inits))
        known = carried_types(inits, shape, None, owner.name)
        types = [TensorType(type.dtype, type.shape) for type in known]
        around, title = graph._region, f"{reader.prefix}{owner.name}"
        with graph.scope(f"{title}/"):
            condition = Region(graph, "condition", title, around)
            with filling(graph, condition, "condition"):
                for row, variable in zip(merges, parameters(graph, condition, "carried", types), strict=True):
                    reader.made[row.name] = variable
                self.part(owner.parts["condition"])
                condition.results = [checked_pred(graph, reader.value(owner.pred), owner.name)]
            body = Region(graph, "body", title, around)
            with filling(graph, body, "body"):
                for row, variable in zip(merges, parameters(graph, body, "carried", types), strict=True):
                    reader.made[row.name] = variable
                    reader.ports[f"{owner.switches[row.name].name}:1"] = variable
                    reader.made[owner.switches[row.name].name] = variable
                if "body" in owner.parts:
                    self.part(owner.parts["body"])
                after = [reader.value(row.input[0]) for row in nexts]
                body.results = next_values(graph, after, shape, inits, types, owner.name)
            attributes = {"carried": len(types), "results": len(types), "maximum": False}
            control = finish(graph, "while_loop", inits, [condition, body], attributes, name="loop")
        places = {owner.switches[row.name].name: i for i, row in enumerate(merges)}
        for row in owner.ends:
            i = places[source(row.input[0])]
            reader.made[row.name] = output(graph, control, "value", i, types[i])


def waits(nodes: Iterable[Node | None], region: Region | None) -> list[Node]:
    """Those of ``nodes`` that a node of ``region`` can wait for: loop variables are there anyway."""
    return [node for node in nodes if node is not None and node.op != "loop_variable" and visible(node, region)]
