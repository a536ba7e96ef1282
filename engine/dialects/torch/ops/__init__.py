"""Ops that only this dialect needs, declared in the one table like all others."""

from __future__ import annotations

from engine.dialects.torch.ops import (
    convolution,
    elementwise,
    gamma,
    indexing,
    losses,
    normalisation,
    reducing,
    variants,
)

__all__ = ["convolution", "elementwise", "gamma", "indexing", "losses", "normalisation", "reducing", "variants"]
