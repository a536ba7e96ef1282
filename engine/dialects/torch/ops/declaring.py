"""How this dialect's own ops get into the one table."""

from __future__ import annotations

from typing import Any

from engine.ops import TABLE, F
from engine.ops.registry import op


def declare(name: str, *arguments: Any, **properties: Any) -> None:
    """:func:`engine.ops.registry.op` for an op that only this dialect has (once, however often it is loaded)."""
    if name not in TABLE:
        F.add_op(op(name, *arguments, **properties))
