"""The one table of ops. Importing this package declares every family."""

from __future__ import annotations

from engine.ops import (  # noqa: F401  (imported for their declarations)
    activations,
    arithmetic,
    casting,
    classification,
    comparison,
    convolution,
    cumulative,
    einsum,
    elementary,
    gathering,
    indexing,
    joining,
    linalg,
    losses,
    matmul,
    normalisation,
    pooling,
    products,
    random,
    rearranging,
    reductions,
    selecting,
    shapes,
    softmax,
    sorting,
    sources,
    state,
)
from engine.ops.kernels import F
from engine.ops.registry import CATEGORIES, REQUIRED, TABLE, Gradient, Op, all_ops

CORE = frozenset(TABLE)
"""The names of the ops declared here. Modes and dialects may declare further ones in the same table."""

__all__ = ["CATEGORIES", "CORE", "REQUIRED", "TABLE", "F", "Gradient", "Op", "all_ops"]
