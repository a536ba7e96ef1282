"""Types of TorchScript values."""

from __future__ import annotations

import types as python_types
import typing
from dataclasses import dataclass
from typing import Any

from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import BY_ARRAY


@dataclass(frozen=True)
class Type:
    """``kind`` with the types inside: ``List`` of ``int``. ``detail`` is what a trace knows of a tensor."""

    kind: str
    inside: tuple[Type, ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        """As graphs print it: ``int[]``."""
        if self.detail:
            return self.detail
        parts = [str(t) for t in self.inside]
        match self.kind:
            case "List":
                return f"{parts[0]}[]"
            case "Optional":
                return f"{parts[0]}?"
            case "Dict":
                return f"Dict({', '.join(parts)})"
            case "Tuple":
                return f"({', '.join(parts)})"
            case "Module":
                return f"__torch__.{self.detail}"
        return self.kind

    @property
    def annotation_str(self) -> str:
        """As source writes it: ``List[int]``."""
        if self.inside:
            return f"{self.kind}[{', '.join(t.annotation_str for t in self.inside)}]"
        return self.kind

    def annotation(self) -> str:
        return self.annotation_str


TENSOR, INT, FLOAT, BOOL, STR, NONE = map(Type, ("Tensor", "int", "float", "bool", "str", "NoneType"))
NUMBER, DEVICE, ANY = Type("number"), Type("Device"), Type("Any")


def list_of(inside: Type) -> Type:
    return Type("List", (inside,))


def tuple_of(inside: Any) -> Type:
    return Type("Tuple", tuple(inside))


def optional(inside: Type) -> Type:
    return inside if inside.kind in ("Optional", "NoneType") else Type("Optional", (inside,))


_PLAIN = {int: INT, float: FLOAT, bool: BOOL, str: STR, None: NONE, type(None): NONE, Any: ANY}


def from_annotation(given: Any) -> Type:
    """The type that an annotation names.

    :raises TypeError: TorchScript has no such type.
    """
    if given in _PLAIN:
        return _PLAIN[given]
    if isinstance(given, type) and issubclass(given, Tensor):
        return TENSOR
    origin, inside = typing.get_origin(given), typing.get_args(given)
    if origin in (list, dict, tuple):
        kinds = {list: "List", dict: "Dict", tuple: "Tuple"}
        return Type(kinds[origin], tuple(from_annotation(i) for i in inside))
    if origin is typing.Union or origin is python_types.UnionType:
        rest = [i for i in inside if i is not type(None)]
        if len(rest) == 1 and len(inside) == 2:
            return optional(from_annotation(rest[0]))
    raise TypeError(f"Unknown type annotation: '{getattr(given, '__name__', given)}'")


def type_of(value: Any) -> Type:
    """The type of a Python value."""
    if isinstance(value, Tensor):
        return TENSOR
    if isinstance(value, tuple):
        return tuple_of(type_of(item) for item in value)
    if isinstance(value, list):
        return list_of(type_of(value[0]) if value else TENSOR)
    if isinstance(value, dict):
        key, item = next(iter(value.items()), ("", 0))
        return Type("Dict", (type_of(key), type_of(item)))
    return _PLAIN.get(type(value), ANY)


def detail_of(tensor: Tensor) -> str:
    """What a traced graph prints of a tensor: ``Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)``."""
    array = tensor._array
    parts = [str(n) for n in array.shape]
    if parts:
        parts.append(f"strides=[{', '.join(str(n // array.itemsize) for n in array.strides)}]")
    parts += [f"requires_grad={int(tensor._requires_grad)}", "device=cpu"]
    return f"{BY_ARRAY[array.dtype].legacy}({', '.join(parts)})"


def module_type(module: Any) -> Type:
    """The type of a module: the path of its class."""
    kind = type(module)
    home = "" if kind.__module__ == "__main__" else f"{kind.__module__}."
    return Type("Module", detail=f"{home}{getattr(module, 'original_name', kind.__name__)}")
