"""The native API's words for what went wrong: the op, the operands' shapes and dtypes, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dynamic.facade import FreedError, ModifiedError, Primitive
from engine.dynamic.nodes import AccumulateGrad, GradNode
from engine.errors import BoundsError, DtypeError, StepgraphError, words_of


def type_text(array: Any) -> str:
    """An operand as messages write it.

    >>> type_text(np.zeros((2, 3), np.float32)), type_text(2.5)
    ('float32 (2, 3)', 'the number 2.5')
    """
    if isinstance(array, np.ndarray | np.generic):
        return f"{array.dtype} {array.shape}"
    return f"the number {array}"


def operands_text(primitive: Primitive, operands: Sequence[Any]) -> str:
    """``a: float32 (2, 3), b: float32 (4,)``, with the table's names of the operands."""
    names = primitive.op.inputs
    if primitive.op.variadic:
        names = tuple(f"{names[0]}[{i}]" for i in range(len(operands)))
    return ", ".join(f"{name}: {type_text(x._array)}" for name, x in zip(names, operands, strict=False))


def explain(
    primitive: Primitive, operands: Sequence[Any], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """An error of the engine's family that names the op and its operands; what no program can mend passes through."""
    if isinstance(error, MemoryError) or not isinstance(error, Exception):
        return error
    text = words_of(error)
    if not text.startswith(primitive.name):
        text = f"{primitive.name}: {text}"
    if not isinstance(error, StepgraphError):  # NumPy's or Python's own words, about what the rule did not foresee
        named = ", ".join(f"{name}={value!r:.40}" for name, value in attributes.items())
        text = (
            f"{text}; "
            + (f"given were {named}, and " if named else "")
            + f"help(engine.{primitive.name}) says what fits"
        )
    given = operands_text(primitive, operands)
    if given:
        text = f"{text} [{given}]"
    if isinstance(error, StepgraphError):
        error.args = (text,)
        return error
    if isinstance(error, IndexError):
        return BoundsError(text)
    if isinstance(error, TypeError):
        return DtypeError(text)
    return StepgraphError(text)


def with_saved(error: StepgraphError) -> StepgraphError:
    """An error of backward, with the shape and dtype of the value that it is about."""
    if isinstance(error, ModifiedError) and error.node.recipe is not None and error.node.saved is not None:
        saved, recipe = error.node.saved, error.node.recipe
        place = 2 * (len(recipe.operands) if error.position < 0 else recipe.operands.index(error.position))
        value = getattr(saved[place], "_array", saved[place])
        error.args = (f"{error.message} [{type_text(value)}]",)
    elif isinstance(error, FreedError):
        error.args = (f"{error.message} [{_freed_text(error)}]",)
    return error


def _freed_text(error: FreedError) -> str:
    """The result of the op whose values are gone, and of its operands what is known without them."""
    node = error.node
    names = () if node.primitive is None else node.primitive.op.inputs
    found = []
    for place, edge in enumerate(node.edges):
        if place < len(names) and isinstance(edge, AccumulateGrad):
            found.append(f"{names[place]}: {type_text(edge.variable._array)}")
        elif place < len(names) and isinstance(edge, GradNode) and edge.primitive is not None:
            found.append(f"{names[place]}: the result of {edge.primitive.name}")
    gradient = getattr(error.gradient, "_array", error.gradient)
    return ", ".join([*found, f"result: {type_text(gradient)}"])
