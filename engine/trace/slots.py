"""Slots: nodes of repeated passes share a place in the structure, so that a loop of a thousand passes is one picture.

A node's slot is found by what it is and where it hangs: its op, its place in the source and the calls that led there,
the slots of its inputs, and its occurrence number among such nodes of the same pass. Static nodes, and nodes outside
episodes, have slots of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.trace.columns import Ints


@dataclass(slots=True)
class Slots:
    """``of_node`` gives each node's slot; ``first_node`` and ``count`` are per slot."""

    of_node: Ints
    first_node: Ints
    count: Ints


def assign_slots(
    kinds: list[Any],
    places: list[Any],
    dynamic: Ints,
    passes: Ints,
    loops: Ints,
    inputs: list[list[int]],
    mirrors: Ints,
) -> Slots:
    """Give every node a slot.

    All arguments have one entry a node: ``kinds`` what it is (hashable), ``places`` where in the program, ``dynamic``
    whether its graph is, ``passes`` the innermost pass of an episode that it was made in (-1: none), ``loops`` the
    source loop of that pass, ``inputs`` its input nodes, ``mirrors`` the forward node of a gradient.

    >>> import numpy as np
    >>> one = np.array
    >>> slots = assign_slots(
    ...     ["mul", "mul"], [4, 4], one([1, 1]), one([0, 1]), one([0, 0]), [[], []], one([-1, -1])
    ... )
    >>> slots.of_node.tolist(), slots.count.tolist()
    ([0, 0], [2])
    """
    slot_of: list[int] = []
    first: list[int] = []
    count: list[int] = []
    known: dict[Any, int] = {}
    occurrences: dict[Any, int] = {}
    columns = zip(
        kinds, places, dynamic.tolist(), passes.tolist(), loops.tolist(), inputs, mirrors.tolist(), strict=True
    )
    for node, (kind, where, is_dynamic, one_pass, loop, sources, mirror) in enumerate(columns):
        slot = -1
        key: Any = None
        if is_dynamic and one_pass >= 0:
            hangs_on = tuple([slot_of[source] if source < node else -1 for source in sources])
            mirrored = slot_of[mirror] if 0 <= mirror < node else -1
            place = (kind, loop, where, hangs_on, mirrored)
            seen = (one_pass, place)
            number = occurrences.get(seen, 0)
            occurrences[seen] = number + 1
            key = (place, number)
            slot = known.get(key, -1)
        if slot < 0:
            slot = len(first)
            first.append(node)
            count.append(0)
            if key is not None:
                known[key] = slot
        count[slot] += 1
        slot_of.append(slot)
    return Slots(*(np.array(column, dtype=np.int64) for column in (slot_of, first, count)))


def call_paths(functions: list[int], parents: list[int], lines: list[int]) -> list[int]:
    """A number for each frame, the same for calls that came the same way: the same functions from the same lines.

    Frame 0 is the module; the arguments have one entry for each frame after it. A frame's parent is older than it.

    >>> call_paths([7, 7, 7], [0, 0, 0], [3, 3, 4])
    [0, 1, 1, 2]
    """
    known: dict[tuple[int, int, int], int] = {}
    paths = [0]
    for function, parent, line in zip(functions, parents, lines, strict=True):
        key = (paths[parent] if 0 <= parent < len(paths) else 0, function, line)
        paths.append(known.setdefault(key, len(known) + 1))
    return paths
