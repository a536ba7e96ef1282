"""Writing a captured program as Python source."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bridges.capture.entry import Entry
from engine.errors import GraphError
from engine.ops import TABLE
from engine.ops.indexing import Slice

NAMES: dict[str, Any] = {"Slice": Slice, "inf": float("inf"), "nan": float("nan")}
"""What literals in the source need."""


def write(entries: Sequence[Entry]) -> str:
    """A function ``forward`` with one line for each call.

    :raises GraphError: an attribute or constant has no literal.
    """
    names = [e.name for e in entries if e.kind == "placeholder"]
    lines = [f"def forward({', '.join(_checked(n) for n in names)}):"]
    for entry in entries:
        if entry.kind == "get_attr":
            lines.append(f"    {_checked(entry.name)} = self.tensors[{entry.target!r}]")
        elif entry.kind == "call":
            lines.append(f"    {_checked(entry.name)} = F.{entry.target}({_arguments(entry)})")
        elif entry.kind == "output":
            lines.append(f"    return {literal(entry.arguments[0])}")
    return "\n".join(lines)


def _arguments(entry: Entry) -> str:
    texts = [literal(argument) for argument in entry.arguments]
    defaults = TABLE[entry.target].attributes
    for name, value in entry.attributes.items():
        if name not in defaults or type(defaults[name]) is not type(value) or defaults[name] != value:
            texts.append(f"{name}={literal(value)}")
    return ", ".join(texts)


def _checked(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise GraphError(f"{name!r} is no name that Python source can use; rename the entry")
    return name


def literal(value: Any) -> str:
    """A value as source text.

    >>> literal((1, float("inf"), np.dtype("float32"), [None]))
    "(1, inf, np.dtype('float32'), [None])"
    """
    if isinstance(value, Entry):
        return _checked(value.name)
    if value is None or isinstance(value, bool | int | float | complex | str) or value is Ellipsis:
        return "..." if value is Ellipsis else repr(value)
    if isinstance(value, np.dtype):
        return f"np.dtype({value.name!r})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, Slice):
        return f"Slice({literal(value.start)}, {literal(value.stop)}, {literal(value.step)})"
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join(literal(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    raise GraphError(f"a {type(value).__name__} has no literal, so the program cannot be written as source")
