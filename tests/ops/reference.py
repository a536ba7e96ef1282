"""A reference interpreter of the op table: a tape of sixty lines that can differentiate its own gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops import TABLE
from engine.ops.registry import Op


class Var:
    """An array on the tape, with the op that made it."""

    def __init__(
        self, value: Any, op: Op | None = None, operands: tuple[Any, ...] = (), attributes: Any = None
    ) -> None:
        self.value = np.asarray(value)
        self.op, self.operands, self.attributes = op, operands, attributes


def value_of(x: Any) -> Any:
    return x.value if isinstance(x, Var) else x


class Tape:
    """``F`` on :class:`Var`: every call is remembered, so gradients of gradients work."""

    def __getattr__(self, name: str) -> Callable[..., Var]:
        if name not in TABLE:
            raise AttributeError(name)
        declared = TABLE[name]

        def apply(*arguments: Any, **keywords: Any) -> Var:
            operands, attributes = declared.bind(arguments, keywords)
            result = declared.kernel(*(value_of(x) for x in operands), **attributes)
            return Var(result, declared, operands, attributes)

        return apply

    @staticmethod
    def shape(x: Any) -> tuple[int, ...]:
        return np.shape(value_of(x))


R: Any = Tape()


def need(node: Var, name: str, place: int) -> Any:
    """What a gradient function that names ``name`` gets."""
    op = node.op
    assert op is not None
    operand, _, kind = name.rpartition("_")
    if name == "out":
        return node
    if op.variadic and name == op.inputs[0]:
        return node.operands
    if op.variadic and kind == "shapes" and operand == op.inputs[0]:
        return tuple(R.shape(x) for x in node.operands)
    if op.variadic and name == "index":
        return place
    if name in op.inputs:
        return node.operands[op.inputs.index(name)]
    if operand in op.inputs and kind == "shape":
        return R.shape(node.operands[op.inputs.index(operand)])
    if operand in op.inputs and kind == "dtype":
        return np.asarray(value_of(node.operands[op.inputs.index(operand)])).dtype
    return node.attributes[name]


def gradients(root: Var, seed: Any, leaves: list[Var]) -> list[Var | None]:
    """The gradient of ``sum(root * seed)`` for each of ``leaves``, itself on the tape."""
    order: list[Var] = []
    seen: set[int] = set()

    def visit(node: Var) -> None:
        if id(node) not in seen:
            seen.add(id(node))
            for operand in node.operands:
                if isinstance(operand, Var):
                    visit(operand)
            order.append(node)

    visit(root)
    arrived: dict[int, Any] = {id(root): seed}
    for node in reversed(order):
        g = arrived.get(id(node))
        if g is None or node.op is None or not node.op.differentiable:
            continue
        for place, operand in enumerate(node.operands):
            rule = node.op.gradients.get(node.op.inputs[0 if node.op.variadic else place])
            if rule is None or not isinstance(operand, Var) or operand.value.dtype.kind != "f":
                continue
            sent = rule.function(R, g, *(need(node, name, place) for name in rule.needs))
            if sent is None:
                continue
            if node.op.elementwise:
                sent = R.sum_to(sent, operand.value.shape)
            assert R.shape(sent) == operand.value.shape, f"{node.op}: gradient of shape {R.shape(sent)}"
            arrived[id(operand)] = R.add(arrived[id(operand)], sent) if id(operand) in arrived else sent
    return [arrived.get(id(leaf)) for leaf in leaves]
