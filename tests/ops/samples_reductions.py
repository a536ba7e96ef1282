"""Samples of reductions, products and losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.ops.samples import boolean, positive, real, sample, whole
from tests.ops.samples_elementwise import softmax

AXES: list[dict[str, Any]] = [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 2)}, {"keepdims": True}]
for attributes in AXES:
    kw: dict[str, Any] = {"axis": None, "keepdims": False, **attributes}
    sample("sum", real(2, 3, 4), expected=lambda a, kw=kw: np.sum(a, **kw), **attributes)
    sample("mean", real(2, 3, 4), expected=lambda a, kw=kw: np.mean(a, **kw), **attributes)
    sample("max", real(2, 3, 4), expected=lambda a, kw=kw: np.max(a, **kw), **attributes)
    sample("min", real(2, 3, 4), expected=lambda a, kw=kw: np.min(a, **kw), **attributes)
    sample("var", real(2, 3, 4), expected=lambda a, kw=kw: np.var(a, **kw), **attributes)
    sample("prod", real(2, 3, 2), expected=lambda a, kw=kw: np.prod(a, **kw), **attributes)
    sample("logsumexp", real(2, 3, 4), expected=lambda a, kw=kw: np.log(np.sum(np.exp(a), **kw)), **attributes)
    sample("all", boolean(2, 2, 2), expected=lambda a, kw=kw: np.all(a, **kw), **attributes)
    sample("any", boolean(2, 2, 2), expected=lambda a, kw=kw: np.any(a, **kw), **attributes)
sample("sum", np.array(2.5), expected=lambda a: 2.5)
sample("sum", whole(9, 3), expected=lambda a: sum(a.tolist()))
sample("sum", boolean(5), expected=lambda a: a.tolist().count(True))
sample("var", real(2, 5), expected=lambda a: np.var(a, axis=1, ddof=1), axis=1, ddof=1)
sample("mean", real(2, 5), expected=lambda a: np.sum(a, axis=1) / 4, axis=1, ddof=1)
sample("argmax", real(3, 4), expected=lambda a: int(a.ravel().tolist().index(a.max())))
sample("argmax", real(3, 4), expected=lambda a: np.argsort(a, 1)[:, -1], axis=1)
sample("argmin", real(3, 4), expected=lambda a: np.argsort(a, 0)[:1], axis=0, keepdims=True)


def others(a: Any) -> Any:
    return np.stack([np.prod(np.delete(a, i, 1), 1) for i in range(a.shape[1])], 1)


sample("prod_others", real(2, 4), expected=others, axis=1)
sample("pair_mask", real(2, 3), expected=lambda a: np.eye(3, dtype=bool)[:, None], axis=1)
for holes in ([0.0, 1.0, 2.0], [0.0, 0.0, 2.0, 1.5], [1.2, 0.0, -1.0]):
    sample("prod", np.array(holes), expected=np.prod)
sample("prod", np.array([[0.0, 2.0], [1.5, 0.0]]), expected=lambda a: np.prod(a, 0), axis=0)
sample("prod_others", real(3, 2, 2) * [[[0], [1]]], expected=lambda a: np.zeros((3, 2, 2)), axis=(0, 1))
sample("prod_others", real(4, 2), expected=lambda a: others(a.reshape(1, -1)).reshape(4, 2))
sample("spread", real(3), expected=lambda a: np.repeat(a[:, None], 4, 1), shape=(3, 4), axis=1)
sample("spread", np.array(1.5), expected=lambda a: np.full((2, 3), 1.5), shape=(2, 3))
sample("spread", real(2, 1), expected=lambda a: np.repeat(a, 3, 1), shape=(2, 3), axis=-1, keepdims=True)
sample("spread_mean", real(3), expected=lambda a: np.repeat(a[:, None], 4, 1) / 4, shape=(3, 4), axis=-1)
sample("spread_mean", np.array(1.5), expected=lambda a: np.full((2, 3), 0.3), shape=(2, 3), ddof=1)
sample("spread_like", real(3), real(3, 4), expected=lambda a, b: np.repeat(a[:, None], 4, 1), axis=1)
sample("spread_mean_like", real(3), real(3, 4), expected=lambda a, b: np.repeat(a[:, None], 4, 1) / 4, axis=1)

# -- products ---------------------------------------------------------------------------------------------------------
for ta in (False, True):
    for tb in (False, True):
        sample(
            "matmul", real(4, 3) if ta else real(3, 4), real(2, 4) if tb else real(4, 2),
            expected=lambda a, b, ta=ta, tb=tb: np.einsum("ki,kj" if ta else "ik,kj", a, b.T if tb else b),
            transpose_a=ta, transpose_b=tb,
        )  # fmt: skip
        sample(
            "matmul", real(2, 1, 4, 3) if ta else real(2, 1, 3, 4), real(3, 2, 4) if tb else real(3, 4, 2),
            expected=lambda a, b, ta=ta, tb=tb: np.einsum(
                "...ki,...kj" if ta else "...ik,...kj", a, b.swapaxes(1, 2) if tb else b
            ),
            transpose_a=ta, transpose_b=tb,
        )  # fmt: skip
sample("dot", real(5), real(5), expected=lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)))
sample("matvec", real(2, 3), real(3), expected=lambda a, b: np.array([np.vdot(row, b) for row in a]))
sample("matvec", real(3, 2), real(3), expected=lambda a, b: np.array([np.vdot(c, b) for c in a.T]), transpose_a=True)
sample("outer", real(2), real(3), expected=lambda a, b: np.array([[x * y for y in b] for x in a]))


# -- losses -----------------------------------------------------------------------------------------------------------
def reduce(values: Any, reduction: str) -> Any:
    return values.mean() if reduction == "mean" else values.sum() if reduction == "sum" else values


def entropy(a: Any, t: Any, axis: int) -> Any:
    return -np.log(np.take_along_axis(softmax(a, axis), np.expand_dims(t, axis), axis)).squeeze(axis)


def binary(a: Any, t: Any) -> Any:
    p = 1 / (1 + np.exp(-a))
    return -t * np.log(p) - (1 - t) * np.log(1 - p)


for how in ("mean", "sum", "none"):
    seed = real(3, 2) if how == "none" else np.array(0.7)
    rows = real(4) if how == "none" else np.array(0.7)
    share = {"mean": 1 / 6, "sum": 1, "none": 1}[how]
    sample("mse_loss", real(3, 2), real(3, 2), expected=lambda a, b, how=how: reduce((a - b) ** 2, how), reduction=how)
    sample("mse_loss", real(3, 1), real(2), expected=lambda a, b, how=how: reduce((a - b) ** 2, how), reduction=how)
    sample(
        "mse_loss_grad", seed, real(3, 2), real(3, 2),
        expected=lambda g, a, b, s=share: 2 * s * g * (a - b), reduction=how,
    )  # fmt: skip
    sample(
        "mse_loss_grad", seed, real(3, 1), real(2),
        expected=lambda g, a, b, s=share: 2 * s * g * (a - b), reduction=how,
    )  # fmt: skip
    sample(
        "cross_entropy", real(4, 3), whole(3, 4), reduction=how,
        expected=lambda a, t, how=how: reduce(entropy(a, t, 1), how),
    )  # fmt: skip
    sample(
        "cross_entropy", real(2, 3, 4), whole(3, 2, 4), reduction=how, axis=1,
        expected=lambda a, t, how=how: reduce(entropy(a, t, 1), how),
    )  # fmt: skip
    sample(
        "cross_entropy_grad", rows, real(4, 3), whole(3, 4), reduction=how,
        expected=lambda g, a, t, how=how: (
            (softmax(a, 1) - np.eye(3)[t]) * (g[:, None] if how == "none" else g / 4 if how == "mean" else g)
        ),
    )  # fmt: skip
    sample(
        "binary_cross_entropy_with_logits", real(3, 2), positive(3, 2) / 3, reduction=how,
        expected=lambda a, t, how=how: reduce(binary(a, t), how),
    )  # fmt: skip
sample("cross_entropy", real(3), np.array(1), expected=lambda a, t: entropy(a, t, 0))
