"""What an exercise may ask of a recording. Facts without arguments are values, the others are called with a name.

``stepgraph lessons facts PROGRAM`` prints those of a program. Names are those of the program's variables; ops are
called by the dialect's word (``MatMul``) or the engine's (``matmul``), whatever the case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.lessons.lookup import Lookup


@dataclass(frozen=True)
class Fact:
    """``of`` takes the recording, and a name if ``argument`` is not empty."""

    words: str
    argument: str
    of: Callable[..., Any]


FACTS: dict[str, Fact] = {}


def _fact(words: str, argument: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        FACTS[function.__name__] = Fact(words, argument, function)
        return function

    return declare


class Facts(Mapping[str, Any]):
    """The facts of one recording, each worked out when it is asked for."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.look = Lookup(trace)

    def __getitem__(self, name: str) -> Any:
        fact = FACTS[name]
        return (lambda argument: fact.of(self.look, argument)) if fact.argument else fact.of(self.look)

    def __iter__(self) -> Any:
        return iter(FACTS)

    def __len__(self) -> int:
        return len(FACTS)


# -- how it ended ----------------------------------------------------------------------------------------------------
@_fact("how the program ended: ok, error, exit or limit")
def ended(look: Lookup) -> str:
    return str(look.trace["end"]["kind"])


@_fact("the name of the exception that ended it, or an empty text")
def error(look: Lookup) -> str:
    found = look.trace["end"]["error"]
    return str(found["type"]).rpartition(".")[2] if found else ""


@_fact("the line that an error ended in, or 0")
def error_line(look: Lookup) -> int:
    found = look.trace["end"]["error"]
    return int(found["line"] or 0) if found else 0


@_fact("whether the output holds this text", "text")
def printed(look: Lookup, text: str) -> bool:
    return str(text) in str(look.trace["stdout"])


# -- variables -------------------------------------------------------------------------------------------------------
@_fact("the last value of a variable: a number, a text, or nothing if it has more elements than one", "variable")
def final(look: Lookup, name: str) -> Any:
    return look.single(look.last_value(name))


@_fact("the shape of the last value of a variable, as a tuple", "variable")
def shape(look: Lookup, name: str) -> tuple[int, ...] | None:
    value = look.last_value(name)
    return tuple(value["shape"]) if value is not None and "shape" in value else None


@_fact("the shape that a static graph knows beforehand, as it prints: (?, 3)", "node")
def static_shape(look: Lookup, name: str) -> str | None:
    return look.static_shape(name)


@_fact("how many tensors a list or another container holds at the end", "variable")
def tensors_in(look: Lookup, name: str) -> int:
    return look.tensors_in(name)


@_fact("whether a parameter or variable has another value at the end than at the start", "variable")
def changed(look: Lookup, name: str) -> bool:
    return look.changed(name)


# -- the graph -------------------------------------------------------------------------------------------------------
@_fact("how many ops of this name the graph got", "op")
def ops(look: Lookup, name: str) -> int:
    return len(look.ops(name))


@_fact("how often ops of this name ran", "op")
def runs(look: Lookup, name: str) -> int:
    wanted = set(look.ops(name))
    return sum(node in wanted for node in look.rows("ran").get("node", ()))


@_fact("how many nodes the graph of the program has (plans and plumbing aside)")
def nodes(look: Lookup) -> int:
    return len(look.own_nodes(plumbing=False))


@_fact("the longest chain of ops of this name that wait for each other", "op")
def longest_path(look: Lookup, name: str) -> int:
    return look.longest_path(name)


@_fact("how many nodes joined a static graph after its first run began")
def nodes_added_while_running(look: Lookup) -> int:
    return look.nodes_added_while_running()


@_fact("how many loops are part of a static graph")
def graph_loops(look: Lookup) -> int:
    return len(look.ops("while_loop")) + len(look.ops("for_loop"))


@_fact("how many decisions are part of a static graph")
def graph_decisions(look: Lookup) -> int:
    return len(look.ops("cond"))


@_fact("how many graphs were traced or compiled of a function", "function")
def traces(look: Lookup, name: str) -> int:
    return look.traces(name)


@_fact("how many graphs were made")
def graphs(look: Lookup) -> int:
    return len(set(look.record.nodes["graph"]))


# -- gradients -------------------------------------------------------------------------------------------------------
@_fact("the last gradient of a parameter, if it is one number", "variable")
def gradient(look: Lookup, name: str) -> Any:
    return look.single(look.last_gradient(name))


@_fact("whether a gradient has arrived at a parameter", "variable")
def gradient_arrives(look: Lookup, name: str) -> bool:
    return look.last_gradient(name) is not None


@_fact("how often a gradient was added to one that was there already", "variable")
def accumulated(look: Lookup, name: str) -> int:
    return look.accumulated(name)


@_fact("how many nodes belong to a backward pass")
def gradient_nodes(look: Lookup) -> int:
    return sum(look.record.definition(node)["role"] == "gradient" for node in look.own_nodes())


@_fact("how often backward was called")
def backwards(look: Lookup) -> int:
    return len(look.rows("backward").get("seq", ()))


@_fact("how often a graph was freed")
def freed(look: Lookup) -> int:
    return len(look.rows("freed").get("seq", ()))


# -- sessions and plans ----------------------------------------------------------------------------------------------
@_fact("how many plans were compiled")
def compiles(look: Lookup) -> int:
    return len(look.rows("compiled").get("seq", ()))


@_fact("how often a session ran its graph")
def session_runs(look: Lookup) -> int:
    return len(look.rows("run").get("seq", ()))


@_fact("how often a placeholder was fed", "node")
def fed(look: Lookup, name: str) -> int:
    wanted = set(look.named(name))
    return sum(node in wanted for node in look.rows("fed").get("node", ()))


@_fact("how often a node left through its door", "node")
def fetched(look: Lookup, name: str) -> int:
    wanted = set(look.named(name))
    return sum(node in wanted for node in look.rows("fetched").get("node", ()))


@_fact("how many nodes the optimiser did this to: removed, merged, folded, fused, moved", "action")
def rewritten(look: Lookup, action: str) -> int:
    return look.rewritten(action)


@_fact("how many groups of calls ran as one, with dynamic batching")
def batches(look: Lookup) -> int:
    return len(look.rows("batched").get("seq", ()))


@_fact("how many files the program left")
def files(look: Lookup) -> int:
    return len(look.trace.get("files", ()))
