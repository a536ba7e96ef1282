"""What an expression may be besides a value: constants, parts of modules, ranges; and how they are told apart."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.ir import Value
from engine.dialects.torch.jit.types import ANY, INT, Type
from engine.dialects.torch.types import device, dtype


@dataclass
class Fixed:
    """What is known while compiling: a module, a function, a list of submodules."""

    value: Any


@dataclass
class Bound:
    """A method of a value."""

    target: Value
    name: str


@dataclass
class Part:
    """A submodule: the value that stands for it, and the module."""

    target: Value
    module: Any


@dataclass
class Range:
    """The numbers that a loop counts through."""

    start: Value | None
    stop: Value
    step: Value | None


@dataclass
class Missing:
    """A name that only one branch of a decision binds."""

    name: str
    branch: str
    statement: ast.stmt


def inside_of(kind: Type) -> Type:
    return kind.inside[-1] if kind.inside else ANY


def is_list(found: Any) -> bool:
    if isinstance(found, Value):
        return found.kind.kind in ("List", "Tuple", "NoneType")
    return isinstance(found, Fixed) and (found.value is None or isinstance(found.value, list | tuple))


def is_plain(x: Any) -> bool:
    return not isinstance(x, Value | Fixed | Part | Bound | Missing)


def dtype_named(name: str) -> dtype:
    from engine.dialects.torch.types import BY_NAME

    return BY_NAME[name]


def type_of_constant(value: Any) -> Type:
    if isinstance(value, dtype):
        return INT
    if isinstance(value, device):
        return types.DEVICE
    return types.type_of(value)
