"""``replace_pattern``: put another subgraph where one is found."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.graph_module import GraphModule
from engine.dialects.torch.fx.node import Node
from engine.dialects.torch.fx.tracer import symbolic_trace


class Match(NamedTuple):
    """A place where a pattern was found: ``anchor`` is its last node, ``nodes_map`` the node for each of the
    pattern's."""

    anchor: Node
    nodes_map: dict[Node, Node]


Match.__module__ = "torch.fx.subgraph_rewriter"


@dataclass
class ReplacedPatterns:
    """A match with the nodes that took its place."""

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node] = field(default_factory=list)


def _graph_of(given: Any) -> Graph:
    if isinstance(given, GraphModule):
        return given.graph
    if isinstance(given, Graph):
        return given
    graph: Graph = symbolic_trace(given).graph
    return graph


class _Matcher:
    """Looks for one pattern; what its placeholders stand for may be anything."""

    def __init__(self, pattern: Graph, ignore_literals: bool) -> None:
        self.pattern = pattern
        self.ignore_literals = ignore_literals
        nodes = list(pattern.nodes)
        if not any(n.op not in ("placeholder", "output") for n in nodes):
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        self.placeholders = [n for n in nodes if n.op == "placeholder"]
        self.output = next(n for n in nodes if n.op == "output")
        self.returned = self.output.all_input_nodes
        self.anchors = [n for n in self.returned if len(n.users) == 1] or self.returned[:1]

    def matches(self, graph: Graph) -> list[dict[Node, Any]]:
        """All places where the pattern is, none overlapping an earlier one."""
        found: list[dict[Node, Any]] = []
        starts: list[dict[Node, Any]] = [{}]
        for anchor in self.anchors:
            grown = []
            for known in starts:
                for node in graph.nodes:
                    trial = dict(known)
                    if self._same(anchor, node, trial):
                        grown.append(trial)
            starts = grown
        taken: set[Node] = set()
        for trial in starts:
            inner = [v for k, v in trial.items() if k.op not in ("placeholder", "output") and isinstance(v, Node)]
            if self._is_contained(trial) and taken.isdisjoint(inner):
                taken.update(inner)
                found.append(trial)
        return found

    def _is_contained(self, known: dict[Node, Any]) -> bool:
        """Whether nothing outside reads what the pattern computes on the way."""
        inside = {v for k, v in known.items() if isinstance(v, Node) and k.op != "placeholder"}
        for mine, other in known.items():
            if mine.op == "placeholder" or mine in self.returned:
                continue
            if any(user not in inside for user in other.users):
                return False
        return True

    def _same(self, mine: Any, other: Any, known: dict[Node, Any]) -> bool:
        if isinstance(mine, Node) and mine.op == "placeholder":
            if mine in known:
                return known[mine] is other or (not isinstance(other, Node) and known[mine] == other)
            known[mine] = other
            return True
        if isinstance(mine, Node) and isinstance(other, Node):
            if mine in known:
                return known[mine] is other
            if other in known.values() or not self._same_call(mine, other):
                return False
            before = dict(known)
            known[mine] = other
            if self._same_arguments(mine, other, known):
                return True
            known.clear()
            known.update(before)
            return False
        if isinstance(mine, list | tuple) and isinstance(other, list | tuple):
            return len(mine) == len(other) and all(self._same(a, b, known) for a, b in zip(mine, other, strict=True))
        if isinstance(mine, Node) or isinstance(other, Node):
            return False
        return type(mine) is type(other) and (self.ignore_literals or mine == other)

    def _same_call(self, mine: Node, other: Node) -> bool:
        if mine.op != other.op:
            return False
        if mine.op == "call_module":
            owners = mine.graph.owning_module, other.graph.owning_module
            a, b = owners[0].get_submodule(mine.target), owners[1].get_submodule(other.target)
            return type(a) is type(b)
        if mine.op == "get_attr":
            return bool(mine.target == other.target)
        return mine.target is other.target or mine.target == other.target

    def _same_arguments(self, mine: Node, other: Node, known: dict[Node, Any]) -> bool:
        a, b = _arguments(mine), _arguments(other)
        return a.keys() == b.keys() and all(self._same(a[key], b[key], known) for key in a)


def _arguments(node: Node) -> dict[Any, Any]:
    return {**dict(enumerate(node.args)), **node.kwargs}


def replace_pattern(gm: Any, pattern: Any, replacement: Any) -> list[Match]:
    """Put ``replacement`` wherever ``pattern`` is found in ``gm``; both take the same arguments."""
    return [Match(m.anchor, m.nodes_map) for m in replace_pattern_with_filters(gm, pattern, replacement)]


def replace_pattern_with_filters(
    gm: Any,
    pattern: Any,
    replacement: Any = None,
    match_filters: Any = None,
    ignore_literals: bool = False,
    replacement_callback: Any = None,
) -> list[ReplacedPatterns]:
    """:func:`replace_pattern` where all of ``match_filters`` agree."""
    graph, wanted = gm.graph, _graph_of(pattern)
    matcher = _Matcher(wanted, ignore_literals)
    common = None if replacement is None else _graph_of(replacement)
    changed: dict[Node, Node] = {}
    done: list[ReplacedPatterns] = []
    for known in matcher.matches(graph):
        match = ReplacedPatterns(known[matcher.anchors[0]], known)
        if not all(accept(match, graph, wanted) for accept in match_filters or ()):
            continue
        new = common if replacement_callback is None else replacement_callback(match, graph, wanted)
        assert new is not None
        done.append(_replace(graph, matcher, match, new, changed))
    gm.recompile()
    if replacement is not None and isinstance(replacement, GraphModule):
        _bring_along(gm, replacement)
        gm.recompile()
    return done


def _replace(graph: Graph, matcher: _Matcher, match: ReplacedPatterns, new: Graph, changed: dict[Node, Node]) -> Any:
    known = match.nodes_map
    places = [n for n in new.nodes if n.op == "placeholder"]
    if len(places) != len(matcher.placeholders):
        raise AssertionError(f"Placeholder count mismatch: {len(matcher.placeholders)} vs {len(places)}")
    values: dict[Node, Any] = {}
    for place, mine in zip(places, matcher.placeholders, strict=True):
        value = known.get(mine)
        if isinstance(value, Node) and value in changed:
            value = known[mine] = changed[value]
        values[place] = value
    returning = [known[n] for n in matcher.returned]
    order = list(graph.nodes)
    users = {user for node in returning for user in node.users}
    after = [n for n in order[max(order.index(n) for n in returning) + 1 :] if not users or n in users]
    with graph.inserting_before(after[0]):
        result = graph.graph_copy(new, values)
    results = (result,) if isinstance(result, Node) else tuple(result)
    if len(results) != len(returning):
        raise AssertionError(f"Returning nodes count mismatch: {len(returning)} vs {len(results)}")
    for old, made in zip(returning, results, strict=True):
        old.replace_all_uses_with(made)
        changed[old] = made
    for mine in reversed(matcher.pattern.nodes):
        if mine.op not in ("placeholder", "output") and isinstance(known.get(mine), Node):
            graph.erase_node(known[mine])
    inputs = [v for v in (values[p] for p in places) if isinstance(v, Node)]
    match.replacements = [v for v in values.values() if isinstance(v, Node) and v not in inputs]
    return match


def _bring_along(gm: Any, replacement: Any) -> None:
    """Modules and tensors that the replacement names."""
    for node in gm.graph.nodes:
        if node.op in ("call_module", "get_attr") and not _has(gm, node.target) and _has(replacement, node.target):
            from engine.dialects.torch.fx.graph_module import _copy_attribute

            _copy_attribute(copy.deepcopy(replacement), gm, node.target)
    gm.graph.lint()


def _has(owner: Any, path: str) -> bool:
    for part in path.split("."):
        owner = getattr(owner, part, None)
    return owner is not None
