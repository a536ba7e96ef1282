"""Every op of the table as a function, written from its declaration.

``engine.matmul(a, b)`` runs the op if ``a`` or ``b`` is a tensor, and adds a node if one of them is a node of a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os.path import dirname
from typing import Any

import numpy as np

from engine.dynamic.apply import apply
from engine.dynamic.direct import direct, is_direct
from engine.dynamic.facade import Primitive
from engine.dynamic.tensor import Number
from engine.dynamic.tensor import Tensor as EngineTensor
from engine.errors import DtypeError
from engine.native.tensors import FACADE, Tensor, tensor
from engine.ops import CORE, REQUIRED, TABLE, Op
from engine.ops.indexing import describe_index

OF_GRAPHS = frozenset(["placeholder", "constant", "variable", "assign", "assign_add", "assign_sub", "no_op", "group"])
"""Ops whose work a session does itself: methods of :class:`engine.Graph`, not functions."""

_FOLDER = dirname(__file__)
"""Where generated functions say that they come from, so that tracebacks of programs leave them out like the rest."""

_VALUES = (EngineTensor, bool, int, float, complex, np.ndarray, np.generic, list)
"""What holds values: everything but these may be a node of a graph."""

_made: dict[str, Callable[..., Any]] = {}


def function_names() -> frozenset[str]:
    """The names of all ops that are functions."""
    return CORE - OF_GRAPHS


def function(name: str) -> Callable[..., Any] | None:
    """The op ``name`` as a function, ``None`` if there is no such op.

    >>> function("leaky_relu")(tensor([-1.0, 2.0]), slope=0.5)
    tensor([-0.5,  2. ])
    """
    found = _made.get(name)
    if found is None and name in function_names():
        found = _made[name] = write(TABLE[name])
    return found


def call(name: str, *arguments: Any, **attributes: Any) -> Any:
    """The op ``name`` on these arguments."""
    made = function(name)
    assert made is not None, name
    return made(*arguments, **attributes)


def write(op: Op) -> Callable[..., Any]:
    """The function of an op: operands first, then its attributes with their defaults."""
    scope: dict[str, Any] = {
        "apply": apply, "general": general, "primitive": FACADE.default(op.name), "Tensor": Tensor, "plain": plain,
    }  # fmt: skip
    parameters = [f"*{op.inputs[0]}"] if op.variadic else list(op.inputs)
    for name, default in op.attributes.items():
        scope[f"default_{name}"] = default
        parameters.append(name if default is REQUIRED else f"{name}=default_{name}")
    values = ", ".join(f"{name!r}: plain({name!r}, {name})" for name in op.attributes)
    operands = op.inputs[0] if op.variadic else f"({''.join(f'{name}, ' for name in op.inputs)})"
    attributes = f", {{{values}}}" if op.attributes else ""
    lines = [f"def {op.name}({', '.join(parameters)}):"]
    if op.name == "getitem":
        attributes = ", {'index': describe_index(index)}"
        scope["describe_index"] = describe_index
    if op.inputs and not op.variadic:
        same = " and ".join(f"{name}.__class__ is Tensor" for name in op.inputs)
        lines.append(f"    if {same}:")
        if is_direct(op):
            # "is": a default that was left out. What is merely equal (True for 1) goes the general way.
            plainly = " and ".join(f"{name} is default_{name}" for name in op.attributes)
            scope["run"] = direct(scope["primitive"])
            short = f"        return run({', '.join(op.inputs)})"
            lines += [f"        if {plainly}:", f"    {short}"] if plainly else [short]
        if not is_direct(op) or op.attributes:
            lines.append(f"        return apply(primitive, {operands}{attributes})")
    lines.append(f"    return general(primitive, {operands}{attributes})")
    exec(compile("\n".join(lines), f"{_FOLDER}/<op {op.name}>", "exec"), scope)
    made: Callable[..., Any] = scope[op.name]
    made.__module__ = "engine"
    made.__doc__ = docstring(op)
    return made


def plain(name: str, value: Any) -> Any:
    """An attribute as the table wants it: hashable, dtypes as ``numpy.dtype``, NumPy's numbers as Python's."""
    kind = value.__class__
    if kind is int or value is None or kind is float or kind is bool:
        return value
    if kind is str and name != "dtype":
        return value
    if name == "dtype":
        try:
            return np.dtype(value)
        except TypeError:
            words = f"{value!r:.80} is no dtype; give one by its name, such as 'float32', or as NumPy has it"
            raise DtypeError(words) from None
    if kind is list or kind is tuple:
        return tuple(plain("", item) for item in value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, EngineTensor):
        return plain("", value._array.tolist())
    return value


def general(primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    """The op on anything that can be an operand: tensors, numbers, arrays, lists; or on nodes of a graph."""
    op = primitive.op
    if op.variadic and len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = tuple(operands[0])
    for x in operands:
        if not isinstance(x, _VALUES):
            graph = getattr(x[0] if x.__class__ is tuple and x else x, "graph", None)
            if graph is not None:
                return _node(graph, op, operands, x, attributes)
    weak = bool(op.promotion) and any(isinstance(x, EngineTensor | np.ndarray | list | tuple) for x in operands)
    ready = [operand(op, i, x, weak) for i, x in enumerate(operands)]
    return apply(primitive, ready, attributes) if attributes else apply(primitive, ready)


def _node(graph: Any, op: Op, operands: Sequence[Any], node: Any, attributes: dict[str, Any] | None) -> Any:
    """The op as a node of ``graph``."""
    return graph.apply(op.name, *operands, **(attributes or {}))


def operand(op: Op, place: int, x: Any, weak: bool = True) -> Any:
    """``x`` as an operand of ``op``: numbers stay numbers where the op lets them take the other operands' dtype.

    :raises DtypeError: it is nothing that holds numbers.
    """
    if isinstance(x, EngineTensor):
        return x
    if isinstance(x, bool | int | float | complex):
        unpromoted = not op.variadic and op.inputs[place] in op.unpromoted
        return Number(x) if weak and not unpromoted else tensor(x)
    if isinstance(x, np.ndarray | np.generic | list | tuple):
        return tensor(x)
    name = op.inputs[0] if op.variadic else op.inputs[place]
    raise DtypeError(f"{op.name}: operand {name!r} is {_kind(x)}; operands are tensors, numbers, arrays or lists")


def _kind(x: Any) -> str:
    return "None" if x is None else f"of type {type(x).__name__}"


def docstring(op: Op) -> str:
    """What the table says of an op, in words."""
    lines = [f"``{op.formula}``", ""]
    if op.inputs:
        names = f"any number of {op.inputs[0]}" if op.variadic else ", ".join(op.inputs)
        lines.append(f"Operands: {names}. {PROMOTION[op.promotion]}")
    if op.gradients:
        lines.append(f"Differentiable for {', '.join(op.gradients)}.")
    else:
        lines.append("Not differentiable.")
    if op.elementwise:
        lines.append("Works element by element; shapes are broadcast.")
    if op.view:
        lines.append("The result may share memory with the first operand.")
    if op.stateful:
        lines.append("Gives something else each time that it runs.")
    return "\n".join(lines)


PROMOTION: Mapping[str, str] = {
    "": "Operands are taken in the dtype that they have.",
    "common": "Operands are cast to their common dtype.",
    "moved": "Operands are cast to their common dtype; texts among each other stay texts.",
    "float": "Operands are cast to their common floating-point dtype (float32 for integers).",
    "bool": "Operands are cast to bool.",
}
