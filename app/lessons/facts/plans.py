"""Sessions and what they made of a graph before it ran."""

from __future__ import annotations

from app.lessons.facts.table import fact
from app.lessons.lookup import Lookup


@fact("how many plans were compiled")
def compiles(look: Lookup) -> int:
    return len(look.rows("compiled").get("seq", ()))


@fact("how often a session or a compiled function ran a graph")
def session_runs(look: Lookup) -> int:
    return len(look.rows("run").get("seq", ()))


@fact("how often a placeholder was fed", "node")
def fed(look: Lookup, name: str) -> int:
    wanted = set(look.named(name))
    return sum(node in wanted for node in look.rows("fed").get("node", ()))


@fact("how often a node left through its door", "node")
def fetched(look: Lookup, name: str) -> int:
    wanted = set(look.named(name))
    return sum(node in wanted for node in look.rows("fetched").get("node", ()))


@fact("how many nodes the optimiser did this to: removed, merged, folded, fused, moved", "action")
def rewritten(look: Lookup, action: str) -> int:
    return look.rewritten(action)


@fact("how many groups of calls ran as one, with dynamic batching")
def batches(look: Lookup) -> int:
    return len(look.rows("batched").get("seq", ()))


@fact("how many nodes the last compiled plan has, after the optimiser")
def plan_nodes(look: Lookup) -> int:
    return look.last_plan("nodes")


@fact("how many NumPy calls the last compiled plan makes in a run")
def plan_calls(look: Lookup) -> int:
    return look.last_plan("calls")


@fact("how many buffers the last compiled plan writes its results into")
def plan_buffers(look: Lookup) -> int:
    return look.last_plan("buffers")
