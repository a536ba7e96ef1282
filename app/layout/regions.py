"""Decisions and loops of a static graph: what they run comes after them, and they lead to it."""

from __future__ import annotations

from collections.abc import Collection

from app.layout.columns import Nodes

SlotLinks = dict[tuple[int, int, str], None]
_DEEPEST = 64


def rank(nodes: Nodes, node: int) -> tuple[int, ...]:
    """A key that sorts nodes by birth, those of a branch or of a part of a loop after what runs them."""
    key: tuple[int, ...] = (node,)
    region = nodes.region[node]
    for _ in range(_DEEPEST):
        if region < 0 or nodes.runs_region[region] < 0:
            break
        key = (nodes.host(nodes.runs_region[region]), region + 1, *key)
        region = nodes.around[region]
    return key


def enter(nodes: Nodes, placed: Collection[int], links: SlotLinks) -> None:
    """Adds the way from a decision or a loop to the ops of each region with which it begins (``enters``).

    A loop's body is entered from what its condition came to."""
    region_of = {
        nodes.slot[n]: nodes.region[n]
        for n in range(nodes.count)
        if nodes.region[n] >= 0 and nodes.slot[n] in placed and nodes.is_shown(n)
    }
    fed = {target for source, target, _ in links if region_of.get(source, -1) == region_of.get(target, -2)}
    answers = {
        region: slot for slot, region in region_of.items() if nodes.text(nodes.region_name[region]) == "condition"
    }
    for slot, region in region_of.items():
        runner = nodes.runs_region[region]
        if slot in fed or runner < 0:
            continue
        before = nodes.slot[nodes.host(runner)]
        if nodes.text(nodes.region_name[region]) == "body":
            asked = (answers[r] for r in answers if nodes.runs_region[r] == runner)
            before = next(asked, before)
        if before in placed and before != slot:
            links[before, slot, "enters"] = None


def group(nodes: Nodes, node: int) -> int:
    """A number for what stands together: a branch of an outermost decision, or an outermost loop with what runs it; -1
    outside any."""
    region, outermost = nodes.region[node], -1
    for _ in range(_DEEPEST):
        if region < 0:
            break
        outermost, region = region, nodes.around[region]
    if outermost < 0:
        loops = (r for r, runner in enumerate(nodes.runs_region) if runner >= 0 and nodes.host(runner) == node)
        return next((r for r in loops if nodes.around[r] < 0 and is_loop(nodes, r)), -1)
    if is_loop(nodes, outermost):
        runner = nodes.runs_region[outermost]
        return next(r for r, other in enumerate(nodes.runs_region) if other == runner)
    return outermost


def is_loop(nodes: Nodes, region: int) -> bool:
    """Whether a region is a part of a loop, not a branch of a decision."""
    return nodes.text(nodes.region_name[region]) in ("condition", "body")
