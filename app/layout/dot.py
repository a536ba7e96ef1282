"""Graphviz in a subprocess with a deadline. It sees numbers and edges, never a label of the user's program."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import graphviz
from graphviz.backend import dot_command, execute

from app.layout.layering import LONG, Edge, Spot, ranks

DEADLINE = 5.0
"""Seconds for all graphs of a recording."""

SHARE = 0.4
"""Of the time that is left, how much Graphviz may take for one graph: a simpler layout must still be possible."""

LARGE = 300
"""With more ops than this Graphviz tries less hard for few crossings: a fifth of the time, and columns are the same."""

COMMANDS = ("dot", "graphviz-pure")
"""Either understands the same arguments. The second is what the wheel of that name installs."""


class DotError(RuntimeError):
    """Graphviz gave no positions; the message is a sentence that says why."""


@functools.cache
def command() -> str:
    """The path of the Graphviz command.

    Searched on ``PATH``, then beside the running Python (a virtual environment that is not activated).

    :raises DotError: there is none.
    """
    beside = str(Path(sys.executable).parent)
    for name in COMMANDS:
        found = shutil.which(name) or shutil.which(name, path=beside)
        if found:
            return found
    raise DotError("Graphviz was not found (install Graphviz, or the package graphviz-pure)")


def source(count: int, edges: Sequence[Edge]) -> str:
    """The text for Graphviz: ``count`` equal boxes, one unit of height and half a unit of room each."""
    effort = {"nslimit": "0.1", "mclimit": "0.1"} if count > LARGE else {}
    graph = graphviz.Digraph(
        graph_attr={"rankdir": "LR", "splines": "false", "nodesep": "0.5", "ranksep": "0.5", **effort},
        node_attr={"shape": "box", "fixedsize": "true", "width": "0.5", "height": "0.5", "label": ""},
        edge_attr={"arrowhead": "none"},
    )
    for node in range(count):
        graph.node(f"n{node}")
    for tail, head in edges:
        graph.edge(f"n{tail}", f"n{head}")
    text: str = graph.source
    return text


def place(count: int, edges: Sequence[Edge], deadline: float = DEADLINE) -> list[Spot]:
    """Column and (unrounded) row of each of ``count`` nodes.

    Edges over more than ``LONG`` columns are left out: whoever draws finds a way for them.

    :raises DotError: no Graphviz, not in time, or no answer that makes sense.
    """
    rank = ranks(count, edges)
    short = [(tail, head) for tail, head in edges if rank[head] - rank[tail] <= LONG]
    words: list[str | os.PathLike[str]] = [command(), *dot_command.command("dot", "plain")[1:]]
    try:
        # The package's own `pipe` has no deadline, and would ask graphviz-pure for a version that it cannot read.
        done = execute.run_check(
            words, input=source(count, short), encoding="utf-8", capture_output=True, quiet=True, timeout=deadline
        )
    except subprocess.TimeoutExpired as error:
        raise DotError(f"Graphviz needed more than {deadline:.1f} s") from error
    except (execute.ExecutableNotFound, execute.CalledProcessError, OSError) as error:
        raise DotError(f"Graphviz failed ({type(error).__name__})") from error
    return _spots(count, done.stdout)


def _spots(count: int, plain: str) -> list[Spot]:
    spots: dict[int, tuple[float, float]] = {}
    height = 0.0
    try:
        for line in plain.splitlines():
            words = line.split()
            if words[:1] == ["graph"]:
                height = float(words[3])
            elif words[:1] == ["node"]:
                spots[int(words[1][1:])] = float(words[2]), height - float(words[3])
        columns = {x: i for i, x in enumerate(sorted({round(x, 2) for x, _ in spots.values()}))}
        return [(columns[round(spots[node][0], 2)], round(spots[node][1], 3)) for node in range(count)]
    except (IndexError, KeyError, ValueError) as error:
        raise DotError("Graphviz gave an answer that is not its plain format") from error
