"""From the trace document to one :class:`Structure` for each graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import islice
from typing import Any

from app.layout import measure, regions
from app.layout.columns import LayoutError, Nodes, column
from app.layout.modules import modules_of
from app.layout.structure import Item, Link, Structure, gradient_orders

_FORMS = {"input": "input", "variable": "variable", "constant": "const", "gradient": "grad", "accumulate": "storage"}
_BACKWARD = frozenset({"gradient", "accumulate"})

MOST_SLOTS = 6_000
"""So many slots of a graph have a place, the first that were made: the player folds scopes, so that more can be
read than fits a pane; beyond this the time and the document's size are too much."""
MOST_LINKS = 18_000
"""So many links of a graph are drawn."""

SlotLinks = dict[tuple[int, int, str], None]
"""Edges between slots, each once, in the order of their first appearance."""


def read(trace: dict[str, Any]) -> list[Structure]:
    """The structures of all graphs, in the order of ``trace["graphs"]``.

    :raises LayoutError: a table is not as ``docs/trace.md`` says.
    """
    try:
        return _read(trace)
    except LayoutError:
        raise
    except (IndexError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise LayoutError(f"the trace's tables do not fit together: {error!r}") from error


def _read(trace: dict[str, Any]) -> list[Structure]:
    nodes = Nodes(trace)
    modes = [nodes.text(mode) for mode in column(trace.get("graphs", {}), "mode")]
    first: list[dict[int, int]] = [{} for _ in modes]
    roles: dict[int, str] = {}
    for node in range(nodes.count):
        if nodes.is_shown(node):
            slot = nodes.slot[node]
            first[nodes.graph[node]].setdefault(slot, node)
            # A leaf that becomes a parameter in any pass stands on the shelf from the start.
            if slot not in roles or nodes.role[node] == "variable":
                roles[slot] = nodes.role[node]
    placed = {slot for slots in first for slot in islice(slots, MOST_SLOTS)}
    widths = _widths(trace, nodes, roles, placed)
    links = _edges(trace, nodes, placed)
    regions.enter(nodes, placed, links)
    anchors = _rewrites(trace, nodes, links)
    goals = _goals(trace, nodes)
    structures = []
    for graph, mode in enumerate(modes):
        # What a decision or a loop holds was made before it, but is run by it: it comes right after it.
        order = sorted(islice(first[graph], MOST_SLOTS), key=lambda slot: regions.rank(nodes, first[graph][slot]))
        index = {slot: i for i, slot in enumerate(order)}
        plans: dict[int, int] = {}
        groups: dict[int, int] = {}
        items = []
        for slot in order:
            node, role = first[graph][slot], roles[slot]
            pill = role == "constant" and _is_scalar(nodes, node)
            mirror, plan = nodes.host(nodes.mirrors[node]), nodes.plan[node]
            items.append(
                Item(
                    role=role,
                    form=_FORMS.get(role) or ("control" if nodes.is_control(node) else "op"),
                    width=measure.pill_width(widths[slot]) if pill else measure.box_width(widths[slot]),
                    height=measure.PILL_HEIGHT if pill else measure.HEIGHT,
                    mirror=index.get(nodes.slot[mirror], -1) if mirror >= 0 else -1,
                    plan=plans.setdefault(plan, len(plans)) if plan >= 0 else -1,
                    anchor=index.get(anchors.get(slot, -1), -1) if plan >= 0 else -1,
                    goal=slot in goals,
                    group=-1 if (group := regions.group(nodes, node)) < 0 else groups.setdefault(group, len(groups)),
                )
            )
        static = mode == "static"
        local = _local(links, index, items, static)
        structures.append(
            Structure(
                static,
                tuple(items),
                local[:MOST_LINKS],
                tuple(order),
                unplaced=len(first[graph]) - len(order),
                undrawn=max(0, len(local) - MOST_LINKS),
            )
        )
    return structures


def _is_scalar(nodes: Nodes, node: int) -> bool:
    kind = nodes.types[nodes.type[node]] if nodes.type[node] >= 0 else None
    return isinstance(kind, dict) and kind.get("shape") == []


def _widths(trace: dict[str, Any], nodes: Nodes, roles: dict[int, str], placed: Collection[int]) -> dict[int, float]:
    """What the box of each of these slots needs, over all nodes of the slot."""
    types = [measure.type_width(kind) for kind in nodes.types]
    needed: dict[int, float] = defaultdict(float)
    seen: dict[tuple[int, int, int, int], None] = {}
    for node in range(nodes.count):
        if nodes.slot[node] in placed and nodes.is_shown(node):
            own = nodes.variable[node] if roles[nodes.slot[node]] in ("input", "variable", "accumulate") else -1
            seen[nodes.slot[node], nodes.definition[node], nodes.type[node], own] = None
    representative: dict[int, int] = {}
    for node in range(nodes.count):
        if nodes.slot[node] in placed and nodes.is_shown(node):
            representative.setdefault(nodes.slot[node], node)
    modules = modules_of(trace, nodes)
    for slot, _, kind, own in seen:
        node, role = representative[slot], roles[slot]
        text = nodes.label(node)
        if role in ("input", "variable"):
            text = nodes.text(own) or modules.get(node) or nodes.text(nodes.name[node]) or text
        elif role == "accumulate":
            mirrored = nodes.mirrors[node]
            name = (nodes.text(nodes.variable[mirrored]) or modules.get(mirrored, "")) if mirrored >= 0 else ""
            text = f"{name}.grad" if name else text
        glyph = role not in ("variable", "constant", "accumulate")
        label = measure.label_width(text, glyph=glyph) + (measure.TIP if role == "input" else 0)
        width = max(label, types[kind] if kind >= 0 else 0.0)
        needed[slot] = max(needed[slot], width)
    return needed


def _edges(trace: dict[str, Any], nodes: Nodes, placed: Collection[int]) -> SlotLinks:
    """Edges between ``placed`` slots; chains through plumbing are joined.

    Where the plumbing writes a variable (an assignment that is collapsed under it), the joined edge is an ``update``.
    """
    table = trace.get("edges", {})
    sources, targets = column(table, "source"), column(table, "target")
    kinds = [nodes.text(kind) for kind in column(table, "kind")]
    feeding: dict[int, list[int]] = defaultdict(list)
    for source, target in zip(sources, targets, strict=True):
        if not nodes.is_shown(target):
            feeding[target].append(source)
    origins: dict[int, dict[tuple[int, str], None]] = {}
    for node in sorted(feeding):
        found: dict[tuple[int, str], None] = {}
        for source in feeding[node]:
            if nodes.is_shown(source):
                writes = nodes.role[node] == "update" and nodes.role[source] == "variable"
                found[source, "update" if writes else ""] = None
            else:
                found.update(origins.get(source, {}))
        origins[node] = found
    links: SlotLinks = {}
    slot = nodes.slot
    for source, target, kind in zip(sources, targets, kinds, strict=True):
        if slot[target] not in placed and nodes.is_shown(target):
            continue
        if not nodes.is_shown(target):
            host = nodes.host(target)
            if nodes.role[target] == "update" and host >= 0 and nodes.role[host] == "variable":
                # What a variable begins with.
                for origin in (source,) if nodes.is_shown(source) else [o for o, _ in origins.get(source, {})]:
                    links[slot[origin], slot[host], "update"] = None
            continue
        if nodes.is_shown(source):
            links[slot[source], slot[target], kind] = None
            continue
        for origin, special in origins.get(source, {}):
            links[slot[origin], slot[target], special or kind] = None
    return links


def _rewrites(trace: dict[str, Any], nodes: Nodes, links: SlotLinks) -> dict[int, int]:
    """Adds where what replaced something came from (``origin``) and what it feeds (``rewired``); returns, for each slot
    that a plan owns, the slot that it replaced."""
    table = trace.get("events", {}).get("rewrite", {})
    lists: list[list[int]] = trace.get("lists", [])
    consumers: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for source, target, kind in links:
        consumers[source].append((target, kind))
    anchors: dict[int, int] = {}
    for old_list, new_list in zip(column(table, "old"), column(table, "new"), strict=True):
        old = [nodes.slot[n] for n in map(nodes.host, lists[old_list]) if n >= 0 and nodes.slot[n] >= 0]
        new = [nodes.slot[n] for n in map(nodes.host, lists[new_list]) if n >= 0 and nodes.slot[n] >= 0]
        gone = [slot for slot in old if slot not in new]
        if not gone or not new:
            continue
        # What others read from is what was replaced; the rest of `old` went with it.
        leaving = [slot for slot in gone if any(target not in gone for target, _ in consumers[slot])] or gone[-1:]
        for replacement in new:
            for slot in leaving:
                links[slot, replacement, "origin"] = None
                for target, kind in consumers[slot]:
                    if target not in gone and target != replacement and kind == "data":
                        links[replacement, target, "rewired"] = None
            anchors.setdefault(replacement, leaving[0])
    return anchors


def _goals(trace: dict[str, Any], nodes: Nodes) -> set[int]:
    """The slots that the program is after: what is fetched, and the op at whose gradient a backward begins."""
    events, lists = trace.get("events", {}), trace.get("lists", [])
    wanted = {n for row in set(column(events.get("run", {}), "fetches")) if row >= 0 for n in lists[row]}
    wanted.update(column(events.get("fetched", {}), "node"))
    wanted.update(nodes.mirrors[n] for n in column(events.get("backward", {}), "node"))
    return {nodes.slot[host] for host in map(nodes.host, wanted) if host >= 0}


def _local(links: SlotLinks, index: dict[int, int], items: list[Item], static: bool) -> tuple[Link, ...]:
    """The links of one graph, each turned into the direction in which values flow."""
    found: dict[tuple[int, int, str], None] = {}
    inside = [(index[s], index[t]) for s, t, kind in links if kind == "data" and s in index and t in index]
    order = gradient_orders(items, inside) if static else {}
    # An update writes the variable that it reads, or, if it reads none, a `.grad`.
    writers = {t for s, t in inside if items[s].role == "variable"}
    for source_slot, target_slot, kind in links:
        source, target = index.get(source_slot, -1), index.get(target_slot, -1)
        if source < 0 or target < 0 or source == target:
            continue
        ends = items[source].role in _BACKWARD, items[target].role in _BACKWARD
        if kind == "data":
            writes = items[target].role == "update"
            if all(ends) and order.get(source) != order.get(target):
                kind = "saved"
            elif writes and items[source].role == ("variable" if target in writers else "accumulate"):
                kind = "update"
            elif all(ends) or (ends[0] and writes):
                kind = "grad"
            elif ends[1] and items[source].role != "constant":
                kind = "saved"
        if kind == "grad" and all(ends) and not static:
            # The tape is built forwards and walked backwards: values flow from what was made later, and into `.grad`.
            to_storage = items[target].role == "accumulate", items[source].role == "accumulate"
            if to_storage[1] or (source < target and not to_storage[0]):
                source, target = target, source
        found[source, target, kind] = None
    return tuple(
        Link(s, t, kind, back=s > t and kind in ("data", "control"))
        for s, t, kind in found
        # One line for a pair: control and rewired edges say nothing where values flow already.
        if kind not in ("control", "rewired", "enters") or (s, t, "data") not in found
    )
