"""Exceptions that PyTorch has of its own."""

from __future__ import annotations


class LinAlgError(RuntimeError):
    """A matrix cannot be inverted or factored."""

    __module__ = "torch._C"
    __qualname__ = "_LinAlgError"


LinAlgError.__name__ = "_LinAlgError"


LinAlgError.__name__ = "_LinAlgError"  # what programs print
