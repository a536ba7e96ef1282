"""Python values in words, without running any code of the program.

Only objects whose type is *exactly* a built-in one are looked into; of everything else, the name of its type is told.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from numpy import ndarray

TEXT = 160
ITEMS = 12
DEPTH = 3
_name_of_type = type.__dict__["__name__"].__get__
flags_of = type.__dict__["__flags__"].__get__
mro_of = type.__dict__["__mro__"].__get__
namespace_of = type.__dict__["__dict__"].__get__
HEAP_TYPE = 1 << 9
"""The flag of types that Python code made: all others are built in."""
EXCEPTION = 1 << 30
"""The flag of exceptions and of what derives from them."""
_args_of = BaseException.__dict__["args"].__get__


def type_name(value: object) -> str:
    """The name of ``type(value)``, read past metaclasses.

    >>> type_name(3.5)
    'float'
    """
    name = _name_of_type(type(value))
    return name if type(name) is str else "object"


def text_of(value: Any, depth: int = 0) -> str:
    """``value`` as its ``repr`` would show it, bounded in length, depth and time.

    >>> text_of([1, (2.5, None), {"a": object()}])
    "[1, (2.5, None), {'a': <object>}]"
    """
    kind = type(value)
    if kind is str:
        return repr(value) if len(value) <= TEXT else f"{value[:TEXT]!r}… ({len(value)} characters)"
    if kind is int:
        bits = value.bit_length()
        return repr(value) if bits <= 512 else f"integer of {bits} bits"
    if kind is float or kind is bool or value is None or kind is complex or value is Ellipsis:
        return repr(value)
    if kind is bytes or kind is bytearray:
        head = bytes(value[:40])
        return repr(head) if len(value) <= 40 else f"{head!r}… ({len(value)} bytes)"
    if kind is range or kind is slice:
        inner = [getattr(value, part) for part in ("start", "stop", "step")]
        if all(part is None or type(part) is int for part in inner):
            return f"{kind.__name__}({', '.join(text_of(part) for part in inner)})"
    # Never ``kind in (…)``: a comparison could reach a metaclass of the program.
    if kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset:
        return _container(value, kind, depth)
    if kind is FunctionType or kind is BuiltinFunctionType:
        return f"function {value.__name__}"
    if kind is type:
        return f"class {_name_of_type(value)}"
    if kind is ModuleType:
        name = ModuleType.__getattribute__(value, "__dict__").get("__name__")
        return f"module {name}" if type(name) is str else "module"
    if flags_of(kind) & EXCEPTION:
        message = message_of(value)
        return f"{type_name(value)}: {message[:TEXT]}" if message else type_name(value)
    return f"<{type_name(value)}>"


def is_mutable(kind: type) -> bool:
    """Whether objects of exactly this type can change and are shown with their contents."""
    return kind is list or kind is dict or kind is set or kind is bytearray or kind is ndarray


def _container(value: Any, kind: type, depth: int) -> str:
    size = len(value)
    opening, closing = ("[", "]") if kind is list else ("(", ")") if kind is tuple else ("{", "}")
    if depth >= DEPTH:
        return f"{opening}…{closing}" if size else f"{opening}{closing}"
    parts: list[str] = []
    used = 0
    items = iter(value.items() if kind is dict else value)
    for item in items:
        if len(parts) >= ITEMS or used > TEXT:
            parts.append(f"… ({size} in all)")
            break
        if kind is dict:
            text = f"{text_of(item[0], depth + 1)}: {text_of(item[1], depth + 1)}"
        else:
            text = text_of(item, depth + 1)
        used += len(text)
        parts.append(text)
    if kind is tuple and size == 1:
        parts.append("")
        return f"({', '.join(parts).rstrip()})"
    text = f"{opening}{', '.join(parts)}{closing}"
    if kind is frozenset or (kind is set and not size):
        return f"{kind.__name__}({text if size else ''})"
    return text


def message_of(error: BaseException) -> str:
    """The message of an exception as far as it can be told without running the program's code.

    >>> message_of(ValueError("too far"))
    'too far'
    """
    kind = type(error)
    if "__str__" in _own_names(kind):
        return ""
    if issubclass(kind, KeyError):
        args = _args_of(error)
        return text_of(args[0]) if len(args) == 1 else ""
    args = _args_of(error)
    if issubclass(kind, (OSError, SyntaxError, UnicodeError, ImportError)):
        return str(error) if all(part is None or type(part) is str or type(part) is int for part in args) else ""
    if len(args) == 1:
        return args[0] if type(args[0]) is str else text_of(args[0])
    return text_of(args) if args else ""


def _own_names(kind: type) -> set[str]:
    """Special methods that classes of the program (not built-in ones, NumPy's or the engine's) define for ``kind``."""
    names: set[str] = set()
    for base in mro_of(kind):
        if not flags_of(base) & HEAP_TYPE:
            continue
        namespace = namespace_of(base)
        module = namespace.get("__module__")
        if type(module) is str and module.split(".")[0] in ("builtins", "engine", "numpy"):
            continue
        names.update(name for name in ("__str__", "__getattribute__", "args") if name in namespace)
    return names
