"""What a node is called: the one place that decides it.

In this order: the variable that the program bound it to before anything read it; its path in a module; the framework's
own name (``nodes.name``, nothing to do here); a variable that it was bound to later. A loop's (``for name, p in
net.named_parameters()``) passes over many nodes and names none of them, unless there is nothing else.
"""

from __future__ import annotations

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.rows import Rows

NEVER = 1 << 62


def names_of(rows: Rows, sources: Ints, targets: Ints, framework: Ints) -> dict[int, str]:
    """The name of each node that has one beside the framework's.

    ``sources`` and ``targets`` are the ends of the data edges, ``framework`` has the framework's name of each node (an
    index, -1: none). A node without a path keeps its first plain variable whenever that came.
    """
    count = len(rows.nodes)
    paths = _paths(rows, count)
    used = np.full(count, NEVER, dtype=np.int64)
    np.minimum.at(used, sources, rows.seqs[Kind.NODE][targets])
    plain: dict[int, tuple[int, str]] = {}
    passing: dict[int, str] = {}
    steps_through = _loop_variables(rows)
    assigned = rows.of(Kind.ASSIGNED)
    columns = (rows.seqs[Kind.ASSIGNED].tolist(), *(assigned[name].tolist() for name in ("node", "a", "line")))
    for seq, node, text, line in zip(*columns, strict=True):
        if not 0 <= node < count:
            continue
        name = rows.text(text)
        if name in steps_through.get(line, ()):
            passing.setdefault(node, name)
        else:
            plain.setdefault(node, (seq, name))
    names = {node: name for node, name in passing.items() if framework[node] < 0}
    names.update((node, name) for node, (_, name) in plain.items())
    for node, path in paths.items():
        bound = plain.get(node)
        if bound is None or bound[0] > used[node]:
            names[node] = path
    return names


def _paths(rows: Rows, count: int) -> dict[int, str]:
    """The path of each parameter: the first that was told, made longer by the modules that its module became part of.

    Another path to the same parameter (shared weights) does not rename it.
    """
    paths: dict[int, str] = {}
    told = rows.reader.of_kind(Kind.NAMED)
    for node, number in zip(told["node"].tolist(), told["a"].tolist(), strict=True):
        path = rows.text(number)
        known = paths.get(node)
        if path and 0 <= node < count and (known is None or path.endswith(f".{known}")):
            paths[node] = path
    return paths


def _loop_variables(rows: Rows) -> dict[int, frozenset[str]]:
    """What the ``for`` loops that begin at a line step through."""
    found: dict[int, frozenset[str]] = {}
    for line, blob in zip(rows.loops["b"].tolist(), rows.loops["blob"].tolist(), strict=True):
        names = rows.reader.text_at(blob) if blob >= 0 else ""
        if names:
            found[line] = found.get(line, frozenset()) | frozenset(names.split("\n"))
    return found
