"""Running something for the first time: node by node, without making a plan.

Compiling costs a few runs' time, so it only pays from the second run on. A program that adds a node to its graph and
runs it once (and an initializer, which runs once by nature) never pays it. What this gives is what the plan gives, to
the bit; whatever goes wrong here is left to the plan, which has the better words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import StateError
from engine.ops import TABLE
from engine.static.building import infer
from engine.static.node import Node
from engine.static.state_ops import STATE
from engine.static.storage import Variable
from engine.tensor_type import TensorType

Array = NDArray[Any]
_position = attrgetter("order")
_WRITES: Mapping[str, Any] = {"assign": None, "assign_add": np.add, "assign_sub": np.subtract}
_NOTHING = frozenset({"group", "no_op"})
_SPECIAL = frozenset({"constant", "variable", *_NOTHING, *_WRITES, *STATE})
"""Everything that is no kernel's work."""


class CannotRunOnceError(Exception):
    """Something that only a plan says well: nothing has changed, make the plan."""


def run_once(fetches: Sequence[Node], fed: Mapping[Node, Array], hold: Callable[[Node], Variable]) -> tuple[Any, ...]:
    """The values of ``fetches``; writes go to the variables that ``hold`` gives.

    :raises CannotRunOnceError: anything at all went wrong; every variable is as it was.
    """
    saved: dict[Variable, Array | None] = {}
    try:
        values = _run(_needed(fetches, fed), dict(fed), hold, saved)
        found = tuple(_result(node, values[node], node in fed, hold) for node in fetches)
    except Exception as error:
        for variable, before in saved.items():
            if before is not None:
                variable.array[...] = before
        raise CannotRunOnceError from error
    for variable in saved:
        variable.initialised = True
    return found


def _needed(fetches: Sequence[Node], fed: Mapping[Node, Array]) -> list[Node]:
    found: set[Node] = set()
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if node not in fed:
                for source, _ in node.inputs:
                    waiting.append(source)
                if node.control:
                    waiting += node.control
                if node.regions:
                    raise StateError("decisions and loops are run by plans")
    return sorted(found, key=_position)


def _run(
    needed: Sequence[Node],
    values: dict[Node, Any],
    hold: Callable[[Node], Variable],
    saved: dict[Variable, Array | None],
) -> dict[Node, Any]:
    writes = [node.inputs[0][0] for node in needed if node.op in _WRITES]
    written = set(writes)
    often = len(writes) > len(written)
    table = TABLE
    for node in needed:
        if node in values:
            continue
        op = node.op
        if op not in _SPECIAL:
            operands = []
            open_shapes = False
            for source, _ in node.inputs:
                operands.append(values[source])
                kind = source.type
                open_shapes = open_shapes or kind is None or kind.shape is None or None in kind.shape
                if source.op == "variable":
                    _check(source, hold, saved)
            declared = table[op]
            attributes = node.attributes
            if open_shapes:  # nobody has looked yet whether these operands can go together; kernels do not
                infer(op, [TensorType(value.dtype, value.shape) for value in operands], attributes)
            if declared.stateful and hasattr(attributes.get("generator"), "restart"):
                raise StateError("a random stream belongs to a session: the plan knows which")
            result = declared.kernel(*operands, **attributes) if attributes else declared.kernel(*operands)
            # What is read before a write must not change with it.
            if written and declared.view and any(_base(source) in written for source, _ in node.inputs):
                result = np.array(result)
            values[node] = result
        elif op == "constant":
            values[node] = node.attributes["value"]
        elif op == "variable":
            values[node] = hold(node).array
        elif op in _NOTHING:
            values[node] = None
        elif op in _WRITES:
            _write(node, values, hold, saved)
            if often:
                values[node] = values[node].copy()
        else:
            values[node] = _ask(node, values, hold)
    return values


def _base(node: Node) -> Node:
    """The variable of which a write hands on the new value, else the node itself."""
    while node.op in _WRITES:
        node = node.inputs[0][0]
    return node


def _check(node: Node, hold: Callable[[Node], Variable], saved: Mapping[Variable, Any]) -> None:
    variable = hold(node)
    if not variable.initialised and variable not in saved:
        raise StateError("no value yet")


def _write(
    node: Node, values: dict[Node, Any], hold: Callable[[Node], Variable], saved: dict[Variable, Array | None]
) -> None:
    (target, _), (source, _) = node.inputs
    if target.op != "variable" or source.op == "variable":
        raise StateError("a write through a write, or of a variable: the plan orders them")
    variable, value, how = hold(target), values[source], _WRITES[node.op]
    if how is not None:
        _check(target, hold, saved)
    if variable not in saved:
        saved[variable] = variable.array.copy() if variable.initialised else None
    if np.shape(value) != variable.array.shape:
        raise StateError("another shape")
    if how is None:
        np.copyto(variable.array, value)
    else:
        how(variable.array, value, variable.array)
    values[node] = variable.array


def _ask(node: Node, values: Mapping[Node, Any], hold: Callable[[Node], Variable]) -> Any:
    flags = [hold(source).initialised for source, _ in node.inputs if source.op == "variable"]
    if node.op == "is_initialized":
        return np.array(flags[0])
    if node.op == "initialized_value":
        return values[node.inputs[0 if flags[0] else 1][0]].copy()
    names = np.array([name.encode() for name in node.attributes["names"]], object)
    return names[~np.array(flags)]


def _result(node: Node, value: Any, fed: bool, hold: Callable[[Node], Variable]) -> Any:
    if value is None:
        return None
    if node.op == "variable" and not fed:
        variable = hold(node)
        if not variable.initialised:
            raise StateError("no value yet")
    return value.copy()[()] if value.__class__ is np.ndarray else value
