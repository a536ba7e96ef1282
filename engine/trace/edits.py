"""Edits of a graph (``engine.static.editor``): which edges they took away, which they made, and when."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.rows import Rows
from engine.trace.strings import Strings

Table = dict[str, Ints]


def edited(rows: Rows, edges: Table, strings: Strings, count: int) -> tuple[Table, Table]:
    """``edges`` with those that edits made at its end, and the event table ``edited``: ``edge`` was taken away
    (``added`` 0) or made at ``seq``."""
    changes = rows.of(Kind.REWRITE)
    names = np.array([rows.text(int(number)) == "rewired" for number in changes["b"]], dtype=bool)
    chosen = np.flatnonzero(names & (changes["node"] >= 0) & (changes["node"] < count))
    nothing: Ints = np.zeros(0, dtype=np.int64)
    if not len(chosen):
        return edges, {"seq": nothing, "edge": nothing, "added": nothing}
    seqs = rows.seqs[Kind.REWRITE]
    into: dict[int, list[int]] = defaultdict(list)
    edited_nodes = set(changes["node"][chosen].tolist())
    for edge, target in enumerate(edges["target"].tolist()):
        if target in edited_nodes:
            into[target].append(edge)
    source, position = edges["source"].tolist(), edges["input"].tolist()
    made: list[tuple[int, int, int]] = []
    events: list[tuple[int, int, int]] = []
    present: dict[int, set[int]] = {node: set(found) for node, found in into.items()}
    for row in chosen.tolist():
        node, seq = int(changes["node"][row]), int(seqs[row])
        old, new = (rows.nodes_at(int(changes[name][row])) for name in ("blob", "value"))
        here = present.setdefault(node, set())
        free = []
        for edge in sorted(here):
            if source[edge] in old:
                here.discard(edge)
                free.append(position[edge])
                events.append((seq, edge, 0))
        for place, read in enumerate(one for one in new if 0 <= one < count):
            known = [edge for edge in into[node] if source[edge] == read and edge not in here]
            if not known:
                where = free[place] if place < len(free) else free[-1] if free else 0
                made.append((read, node, where))
                known = [len(source)]
                source.append(read)
                position.append(where)
                into[node].append(known[0])
            here.update(known)
            events.extend((seq, edge, 1) for edge in known)
    more = np.array(made, dtype=np.int64).reshape(-1, 3)
    zeros, data = np.zeros(len(more), dtype=np.int64), np.full(len(more), strings.add("data"))
    columns = {"source": more[:, 0], "port": zeros, "target": more[:, 1], "input": more[:, 2], "kind": data}
    told = np.array(events, dtype=np.int64).reshape(-1, 3)
    grown = {name: np.concatenate([edges[name], columns[name]]) for name in edges}
    return grown, {"seq": told[:, 0], "edge": told[:, 1], "added": told[:, 2]}
