"""Declaring ops: the one table that both modes, the optimiser, the drawing and the documentation read.

An op is declared once, by :func:`op`. Its gradient is written against ``F``, an *interpreter* of the table
(:class:`Interpreter`), never against NumPy. Three interpreters exist:

* ``engine.ops.kernels.F``: runs kernels on arrays (first-order ``backward``: no bookkeeping at all);
* ``engine.dynamic``: runs them on tensors with a tape (``create_graph=True``: gradients of gradients);
* ``engine.static``: adds them as nodes to a graph.

So one definition serves both modes and every order. What a gradient function *names* is what backward keeps alive::

    vjps={"a": lambda F, g, b: F.mul(g, b)}     # keeps b, not a
    vjps={"a": lambda F, g, out: ...}           # keeps the result
    vjps={"a": lambda F, g, a_shape, axis: ...} # keeps nothing: a shape token and an attribute
    vjps={"a": lambda F, g, a_dtype: ...}       # keeps nothing: the dtype of an input (a ``numpy.dtype``)

Operands are not called ``F``, ``g``, ``out`` or ``index``: gradient functions use these names for something else.
A need that is neither an input, ``out``, ``index`` (variadic ops) nor ends in ``_shape``, ``_shapes`` or ``_dtype``
is an attribute; attributes that the call left out have the value in :attr:`Op.attributes`. A gradient function of a
variadic op may answer ``None``: no gradient for this operand."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from types import FrameType, MappingProxyType
from typing import Any, Final

from numpy.typing import NDArray

from engine.tensor_type import TensorType

Array = NDArray[Any]
Kernel = Callable[..., Array]
TypeRule = Callable[..., TensorType]
Vjp = Callable[..., Any]

REQUIRED: Final = inspect.Parameter.empty
"""The value in :attr:`Op.attributes` of an attribute that has no default."""

TRAFFIC = ("all", "rows", "result")
CATEGORIES = ("input", "variable", "arith", "matmul", "activation", "reduction", "shape", "control", "gradient")


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of an op for one input: ``function`` and what it asks for, in order, after ``F, g``."""

    function: Vjp
    needs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Op:
    """One row of the table.

    ``kernel(*arrays, **attributes)`` computes the result; with ``accepts_out`` it also takes ``out=`` (a buffer of the
    right shape and dtype). ``type_rule(*types, **attributes)`` gives the :class:`TensorType` of the result and raises
    :class:`engine.errors.ShapeError` or :class:`engine.errors.DtypeError` for operands that cannot go together: the
    same rule speaks when a static graph is built and before a kernel runs. ``elementwise`` ops broadcast, and the
    gradient of a broadcast input is summed back to its shape by the interpreter, not by each gradient function.

    ``attributes`` are the names that follow the operands, in order, with their defaults (:data:`REQUIRED`: none); all
    values are hashable. ``promotion`` says to what the operands are cast before the kernel runs
    (:func:`engine.ops.promotion.operand_dtype`); ``unpromoted`` operands (conditions, indices) are left as they are.
    ``view``: the result may share memory with the first operand. ``stateful``: never folded, merged or dropped as
    equal (random ops, writes). ``like`` names the op that reads its shape from a further, last operand where this one
    has the attribute ``shape``: a static graph uses it when dimensions are unknown until it runs. ``accepts_out``
    kernels of elementwise ops give the right result even when ``out`` is one of the operands; for others it must be a
    C-contiguous buffer that shares memory with none.
    ``flops(out_shape, *operand_shapes, **attributes)`` counts floating-point operations; ``None``: it only moves data.
    ``traffic`` says what :meth:`bytes` counts: ``"all"`` reads every operand and writes the result, ``"rows"`` reads of
    the first operand only as much as the result holds, ``"result"`` reads nothing (of a shape, say). ``family`` is the
    module that declares it.
    A rank-0 result may be a NumPy scalar instead of an array (it has ``dtype`` and ``shape`` too).
    """

    name: str
    inputs: tuple[str, ...]
    kernel: Kernel
    type_rule: TypeRule
    gradients: Mapping[str, Gradient] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    differentiable: bool = True
    variadic: bool = False
    elementwise: bool = False
    accepts_out: bool = False
    stateful: bool = False
    view: bool = False
    promotion: str = ""
    unpromoted: frozenset[str] = frozenset()
    like: str = ""
    category: str = "arith"
    symbol: str = ""
    formula: str = ""
    flops: Callable[..., int] | None = None
    traffic: str = "all"
    family: str = ""

    def bytes(self, out: TensorType, *operands: TensorType) -> int | None:
        """How many bytes of memory the op reads and writes at least, for these types; 0 for a view, ``None`` while a
        dimension is unknown.

        >>> from engine.ops import TABLE
        >>> import numpy as np
        >>> row = TensorType(np.dtype("float32"), (10,))
        >>> TABLE["add"].bytes(row, row, row), TABLE["transpose"].bytes(row, row)
        (120, 0)
        """
        if not all(t.is_known for t in (out, *operands)):
            return None
        if self.view:
            return 0
        written = _size(out)
        if self.traffic == "result":
            return written
        if self.traffic == "rows":
            return 2 * written + sum(map(_size, operands[1:]))
        return written + sum(map(_size, operands))

    @property
    def saves(self) -> frozenset[str]:
        """The inputs (and ``"out"``) whose values some gradient function needs."""
        wanted = {name for g in self.gradients.values() for name in g.needs}
        return frozenset(wanted & {*self.inputs, "out"})

    def bind(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Split a call into operands and attributes, defaults filled in.

        Operands are positional; attributes may follow them in order or be named (named only after a variadic op's).

        >>> from engine.ops import TABLE
        >>> TABLE["sum"].bind(("x", 0), {"keepdims": True})
        (('x',), {'axis': 0, 'keepdims': True})

        :raises TypeError: an operand or a required attribute is missing, or an attribute is unknown.
        """
        count = len(arguments) if self.variadic else len(self.inputs)
        operands, rest = arguments[:count], arguments[count:]
        if len(operands) < count or (self.variadic and not operands):
            raise TypeError(f"{self.name} takes {', '.join(self.inputs)}, but got {len(operands)} operands")
        if len(rest) > len(self.attributes):
            raise TypeError(f"{self.name} got {len(rest)} attributes, but it has {len(self.attributes)}")
        attributes = dict(self.attributes)
        attributes.update(zip(self.attributes, rest, strict=False))
        for name, value in keywords.items():
            if name not in attributes:
                known = ", ".join(self.attributes) or "none"
                raise TypeError(f"{self.name} has no attribute {name!r} (it has: {known})")
            attributes[name] = value
        missing = [name for name, value in attributes.items() if value is REQUIRED]
        if missing:
            raise TypeError(f"{self.name} needs {', '.join(missing)}")
        return operands, attributes

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def _size(type: TensorType) -> int:
    """The bytes of a value of this (known) type."""
    return prod(type.shape or ()) * type.dtype.itemsize  # type: ignore[arg-type]


def attributes_of(rule: TypeRule, operands: int) -> Mapping[str, Any]:
    """The attributes of an op, in order, with defaults: what its type rule takes after ``operands`` types."""
    parameters = list(inspect.signature(rule).parameters.values())
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        parameters = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    else:
        parameters = parameters[operands:]
    return MappingProxyType({p.name: p.default for p in parameters})


def _declaring_module() -> str:
    """The module whose body makes the declaration, through whatever helper."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals.get("__name__", "")).rpartition(".")[2]


TABLE: dict[str, Op] = {}


def op(
    name: str,
    inputs: str,
    kernel: Kernel,
    type_rule: TypeRule,
    vjps: Mapping[str, Vjp] | None = None,
    **properties: Any,
) -> Op:
    """Declare an op. ``inputs`` names the operands, separated by blanks; ``"*parts"`` makes it variadic.

    ``vjps`` has one function for each differentiable input: ``(F, g, needs…)`` -> gradient, where ``needs`` are names
    of inputs, ``out``, ``<input>_shape`` (a shape token for ``F.reshape``, ``F.broadcast_to``, ``F.sum_to``) or
    attributes. An input without an entry gets no gradient (indices, conditions). ``vjps=None`` declares the whole op
    not differentiable. A variadic op has one function under the name of its operand, which also gets ``index``: which
    operand to differentiate for (needs are then ``<name>`` for the tuple of all operands, ``<name>_shapes``).

    :raises ValueError: the name is taken, or a property is none of :class:`Op`.
    """
    if name in TABLE:
        raise ValueError(f"op {name!r} is declared twice")
    variadic = inputs.startswith("*")
    operands = tuple(inputs.lstrip("*").split())
    gradients = {
        operand: Gradient(function, tuple(inspect.signature(function).parameters)[2:])
        for operand, function in (vjps or {}).items()
    }
    if {"out", "index"} & set(operands):
        raise ValueError(f"op {name!r}: gradient functions use the names 'out' and 'index' for something else")
    unknown = set(gradients) - set(operands)
    if unknown:
        raise ValueError(f"op {name!r} has gradients for {sorted(unknown)}, which it does not take")
    declared = Op(
        name,
        operands,
        kernel,
        type_rule,
        MappingProxyType(gradients),
        attributes_of(type_rule, len(operands)),
        differentiable=vjps is not None,
        variadic=variadic,
        family=_declaring_module(),
        **properties,
    )
    if declared.category not in CATEGORIES:
        raise ValueError(f"op {name!r}: no category {declared.category!r}")
    if declared.traffic not in TRAFFIC:
        raise ValueError(f"op {name!r}: no traffic {declared.traffic!r}")
    TABLE[name] = declared
    return declared


def all_ops() -> Iterator[Op]:
    """Every declared op, in the order of declaration."""
    return iter(TABLE.values())


__all__ = ["CATEGORIES", "REQUIRED", "TABLE", "Array", "Gradient", "Op", "TensorType", "all_ops", "op"]
