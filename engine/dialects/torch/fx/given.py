"""Checks that stand in a graph for arguments whose value was given when it was traced."""

from __future__ import annotations

from typing import Any


def _assert(condition: Any, message: str) -> None:
    assert condition, message


def _assert_is_none(value: Any, msg: str) -> None:
    assert value is None, msg


_assert.__module__ = "torch"
_assert_is_none.__module__ = "torch.fx._symbolic_trace"
