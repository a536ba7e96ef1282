"""Gradients of decisions and loops.

The gradient of a decision is a decision with the same predicate: each branch computes the gradient of that branch. The
gradient of a loop is a loop that runs as often, backwards: its variables are the gradients of the loop variables, and
sums for what the body reads from outside. Both can be differentiated again, because they are made of the same nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from engine.static.building_control import filling, finish, output
from engine.static.gradients import Backward, between, is_differentiable
from engine.static.needs import Label, operand_labels, result_of
from engine.static.node import Node
from engine.static.reaching import BodyReach, BranchReach, picked
from engine.static.regions import Region
from engine.tensor_type import TensorType

_SMALL = 1024
"""Zeros up to this many elements are constants of the graph, more are made by the run."""


def cond_gradient(outer: Backward, node: Node, given: dict[Label, Node]) -> None:
    """Send what arrived at the results of a decision back to what its branches read."""
    graph = outer.graph
    wanted = [source for (source, _), label in zip(node.inputs, operand_labels(node), strict=True)
              if label[0] == "capture" and outer.wants(source)]  # fmt: skip
    if not wanted:
        return
    regions = []
    for forward in node.regions:
        here = Region(graph, forward.name, graph.names.scope, graph._region)
        with filling(graph, here, forward.name):
            seeds = [(result, g) for label, g in given.items() if (result := result_of(forward, label)) is not None]
            inner = Backward(
                graph,
                between([result for result, _ in seeds], wanted, forward),
                BranchReach(outer.reach, forward, here),
                forward,
            )
            for result, g in seeds:
                inner.arrive(result, g)
            inner.run()
            here.results = [total_or_zeros(inner, source) for source in wanted]
        regions.append(here)
    pred = outer.reach(node.inputs[0][0])
    control = finish(graph, "cond", [pred], regions, {"results": len(wanted)}, name="cond", role="gradient")
    for i, source in enumerate(wanted):
        outer.arrive(source, output(graph, control, "value", i, source.type))


def loop_gradient(outer: Backward, node: Node, given: dict[Label, Node]) -> None:
    """Send what arrived at the results of a loop back to the initial values, stacks and captured values."""
    graph, body = outer.graph, node.regions[-1]
    operands = {label: source for (source, _), label in zip(node.inputs, operand_labels(node), strict=True)}
    captured = [source for label, source in operands.items() if label[0] == "capture" and outer.wants(source)]
    sliced = [label[1] for label, source in operands.items() if label[0] == "slice" and outer.wants(source)]
    active = _active(outer, node, operands, given, captured, sliced)
    if not active and not any(label[0] == "stack" for label in given):
        return
    given = {label: g for label, g in given.items() if label[0] == "stack" or label[1] in active}
    count = (
        operands["count", 0] if node.op == "for_loop" else picked(node, ("count", 0), TensorType(np.dtype("int32"), ()))
    )
    starts = []
    for k in active:
        g = given.get(("value", k))
        starts.append(
            zeros_for(outer, picked(node, ("value", k), body.parameters["carried", k].type)) if g is None else g
        )
    starts += [zeros_for(outer, source) for source in captured]
    types = [body.parameters["carried", k].type for k in active] + [source.type for source in captured]
    here = Region(graph, "body", graph.names.scope, graph._region)
    with filling(graph, here, "body"):
        given_now = []
        for i, type in enumerate(types):
            variable = graph.add("loop_variable", (), {"kind": "carried", "index": i}, type=type, name="variable")
            here.parameters["carried", i] = variable
            given_now.append(variable)
        reach = BodyReach(outer.reach, body, here)
        seeds: list[tuple[Node, Node]] = [(body.results[k], given_now[i]) for i, k in enumerate(active)]
        for label, g in given.items():
            if label[0] == "stack":
                result = result_of(body, label)
                assert result is not None
                seeds.append((result, reach.entry(g, result.type)))
        parameters = [body.parameters["carried", k] for k in active]
        slices = [body.parameters["slice", j] for j in sliced]
        inner = Backward(
            graph, between([result for result, _ in seeds], [*parameters, *slices, *captured], body), reach, body
        )
        for result, g in seeds:
            inner.arrive(result, g)
        inner.run()
        results = [total_or_zeros(inner, one) for one in parameters]
        for source, so_far in zip(captured, given_now[len(active) :], strict=True):
            part = inner.total(source)
            results.append(so_far if part is None else inner.F.add(so_far, part))
        here.results = [*results, *(total_or_zeros(inner, one) for one in slices)]
    attributes = {
        "carried": len(starts),
        "slices": len(reach.stacks),
        "results": len(starts),
        "reverse": not node.attributes.get("reverse", False) if node.op == "for_loop" else True,
    }
    control = finish(
        graph, "for_loop", [outer.reach(count), *starts, *reach.stacks], [here], attributes, name="for", role="gradient"
    )
    for i, k in enumerate(active):
        outer.send(operands["carried", k], output(graph, control, "value", i, types[i]))
    for i, source in enumerate(captured, len(active)):
        outer.arrive(source, output(graph, control, "value", i, types[i]))
    for i, j in enumerate(sliced):
        outer.arrive(operands["slice", j], output(graph, control, "stack", i, operands["slice", j].type))


def _active(
    outer: Backward,
    node: Node,
    operands: dict[Label, Node],
    given: dict[Label, Node],
    captured: list[Node],
    sliced: list[int],
) -> list[int]:
    """The loop variables through which gradients pass: they depend on what is wanted, and what arrived depends on
    them."""
    body, carried = node.regions[-1], range(node.attributes["carried"])
    usable = [k for k in carried if is_differentiable(body.parameters["carried", k])]
    moving = {k for k in usable if outer.wants(operands["carried", k])}
    starts = [*captured, *(body.parameters["slice", j] for j in sliced)]

    def depends() -> set[int]:
        on = [*starts, *(body.parameters["carried", k] for k in moving)]
        found = between(body.results[: len(carried)], on, body)
        return {k for k in usable if body.results[k] in found}

    moving = _grown(moving, depends)
    wanted = {label[1] for label in given if label[0] == "value" and label[1] in usable}
    stacks = [result for label in given if label[0] == "stack" and (result := result_of(body, label)) is not None]

    def reads() -> set[int]:
        targets = [*stacks, *(body.results[k] for k in wanted)]
        return {
            k
            for k in usable
            if body.parameters["carried", k] in between(targets, [body.parameters["carried", k]], body)
        }

    wanted = _grown(wanted, reads)
    return [k for k in usable if k in moving and k in wanted]


def _grown(known: set[int], more: Callable[[], set[int]]) -> set[int]:
    """``known`` with what ``more`` finds from it, until there is nothing new."""
    while not (found := more()) <= known:
        known |= found
    return known


def total_or_zeros(backward: Backward, node: Node) -> Node:
    """The gradient of ``node``, zeros if none arrived."""
    total = backward.total(node)
    return zeros_for(backward, node) if total is None else total


def zeros_for(outer: Backward, node: Node) -> Node:
    """Zeros with the type of ``node``, where the gradient is being built."""
    graph, type = outer.graph, node.type
    assert type is not None
    if type.is_known and prod(n or 0 for n in type.shape or ()) <= _SMALL:
        return graph.constant(np.zeros(tuple(n or 0 for n in type.shape or ()), type.dtype), name="zeros")
    return graph.apply("zeros_like", outer.reach(node), name="zeros")
