"""Nodes and graphs: what a program built, and what of it ran."""

from __future__ import annotations

from app.lessons.facts.table import fact
from app.lessons.lookup import Lookup


@fact("the shape that a static graph knows beforehand, as it prints: (?, 3)", "node")
def static_shape(look: Lookup, name: str) -> str | None:
    return look.static_shape(name)


@fact("how many ops of this name the graph got", "op")
def ops(look: Lookup, name: str) -> int:
    return len(look.ops(name))


@fact("how often ops of this name ran, alone or as a part of a fused one", "op")
def runs(look: Lookup, name: str) -> int:
    return look.runs(name)


@fact("how many nodes the graph of the program has (those of gradients too; plans and plumbing aside)")
def nodes(look: Lookup) -> int:
    return len(look.own_nodes(plumbing=False))


@fact("the longest chain of ops of this name that wait for each other", "op")
def longest_path(look: Lookup, name: str) -> int:
    return look.longest_path(name)


@fact("how many nodes joined a static graph after its first run began")
def nodes_added_while_running(look: Lookup) -> int:
    return look.nodes_added_while_running()


@fact("how many loops are part of a static graph")
def graph_loops(look: Lookup) -> int:
    return len(look.ops("while_loop")) + len(look.ops("for_loop"))


@fact("how many decisions are part of a static graph")
def graph_decisions(look: Lookup) -> int:
    return len(look.ops("cond"))


@fact("how many graphs were traced or compiled of a function", "function")
def traces(look: Lookup, name: str) -> int:
    return look.traces(name)


@fact("how many graphs were made")
def graphs(look: Lookup) -> int:
    return len(set(look.record.nodes["graph"]))


@fact(
    "how many phases of this kind there were: build, init, optimise, compile, run, forward, backward, update", "phase"
)
def phases(look: Lookup, name: str) -> int:
    return sum(look.record.text(index) == name for index in look.record.phases["name"])


@fact("how often a function was traced or compiled once more, since a call did not fit what was there")
def retraces(look: Lookup) -> int:
    return look.specialised("traced again") + look.specialised("compiled again")


@fact("at how many lines a compiled graph ends, and Python goes on")
def graph_breaks(look: Lookup) -> int:
    return look.specialised("broken")
