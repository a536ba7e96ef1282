"""Samples of the wider table: elementary functions, running and sorted values, rearranging, sources."""

from __future__ import annotations

import math

import numpy as np

from tests.ops.samples import boolean, positive, real, sample, whole

for name, expected in {
    "exp2": lambda a: np.exp(a * math.log(2)),
    "atan": lambda a: np.imag(np.log(1 + 1j * a)),
    "sinh": lambda a: (np.exp(a) - np.exp(-a)) / 2,
    "cosh": lambda a: (np.exp(a) + np.exp(-a)) / 2,
    "ceil": lambda a: -np.floor(-a),
    "trunc": lambda a: a.astype(int).astype(float),
    "round": lambda a: np.floor(a + 0.5),
    "silu": lambda a: a / (1 + np.exp(-a)),
    "log_sigmoid": lambda a: -np.log(1 + np.exp(-a)),
    "softsign": lambda a: a / (1 + np.sqrt(a * a)),
    "selu": lambda a: 1.0507009873554805 * np.where(a > 0, a, 1.6732632423543772 * (np.exp(a) - 1)),
}.items():
    sample(name, real(3, 4), expected=expected)
sample("log2", positive(3), expected=lambda a: np.log(a) / math.log(2))
sample("log10", positive(3), expected=lambda a: np.log(a) / math.log(10))
sample("asin", real(4) * 0.45, expected=lambda a: np.arctan(a / np.sqrt(1 - a * a)))
sample("acos", real(4) * 0.45, expected=lambda a: math.pi / 2 - np.arctan(a / np.sqrt(1 - a * a)))
sample("atan2", real(2, 3), real(3), expected=lambda a, b: np.angle(b + 1j * a))
sample("logaddexp", real(2, 3), real(3), expected=lambda a, b: np.log(np.exp(a) + np.exp(b)))
sample("squared_difference", real(2, 3), real(3), expected=lambda a, b: a * a - 2 * a * b + b * b)
sample("squared_difference", real(3), 0.5, expected=lambda a, b: a * a - a + 0.25)

# -- running ----------------------------------------------------------------------------------------------------------
sample("cumsum", real(4), expected=lambda a: np.array([a[: i + 1].sum() for i in range(4)]))
sample("cumsum", real(2, 3), expected=lambda a: a @ np.triu(np.ones((3, 3)), 1), axis=1, exclusive=True)
sample("cumsum", real(3, 2), expected=lambda a: np.triu(np.ones((3, 3))) @ a, reverse=True)
sample("cumsum", boolean(4), expected=lambda a: np.cumsum(a.tolist()))
sample("cumprod", real(4), expected=lambda a: np.array([np.prod(a[: i + 1]) for i in range(4)]))
sample("cumprod", real(2, 3) * [1, 0, 1], expected=lambda a: a * [[1, 0, 0]], axis=-1)
sample("upto_mask", real(2, 3), expected=lambda a: np.tril(np.ones((3, 3))).astype(bool)[:, None], axis=1)

# -- order ------------------------------------------------------------------------------------------------------------
sample("sort", real(2, 4), expected=lambda a: np.array([sorted(row) for row in a.tolist()]))
sample(
    "sort", real(4, 2), expected=lambda a: np.array([sorted(c)[::-1] for c in a.T.tolist()]).T, axis=0, descending=True
)
sample("argsort", real(5), expected=lambda a: np.array(sorted(range(5), key=lambda i: a[i])))
sample("argsort", whole(2, 6), expected=lambda a: np.array(sorted(range(6), key=lambda i: -a[i])), descending=True)
sample("topk", real(2, 4), expected=lambda a: np.array([sorted(row)[:-3:-1] for row in a.tolist()]), k=2)
sample("topk", real(4, 2), expected=lambda a: a.min(0, keepdims=True), k=1, axis=0, largest=False)
sample("argtopk", real(5), expected=lambda a: np.array(sorted(range(5), key=lambda i: -a[i])[:3]), k=3)

# -- rearranging ------------------------------------------------------------------------------------------------------
sample("roll", real(4), expected=lambda a: np.r_[a[-1:], a[:-1]], shift=(1,), axis=(0,))
sample("roll", real(2, 3), expected=lambda a: a[::-1, [1, 2, 0]], shift=(1, -1), axis=(0, 1))
sample("repeat", real(2, 2), expected=lambda a: a[[0, 0, 0, 1, 1, 1]], repeats=3)
sample("repeat", real(2, 2), expected=lambda a: a[:, [0, 0, 1, 1]], repeats=2, axis=-1)
sample("repeat", real(2), expected=lambda a: a[:0], repeats=0)
sample("unrepeat", real(2, 4), expected=lambda a: a[:, ::2] + a[:, 1::2], repeats=2, axis=1)
sample("tril", real(2, 3, 3), expected=lambda a: a * (np.arange(3)[:, None] >= np.arange(3)))
sample("triu", real(3, 3), expected=lambda a: a * (np.arange(3)[:, None] < np.arange(3)), diagonal=1)
sample("diagonal", real(2, 3, 4), expected=lambda a: a[:, [0, 1, 2], [1, 2, 3]], offset=1)
sample("diagonal", real(3, 2), expected=lambda a: np.array([a[1, 0], a[2, 1]]), offset=-1)
sample("put_diagonal", real(2), expected=lambda a: np.array([[0, 0], [a[0], 0], [0, a[1]]]), shape=(3, 2), offset=-1)
sample("put_diagonal_like", real(2), real(2, 2), expected=lambda a, like: np.diag(a))

# -- sources ----------------------------------------------------------------------------------------------------------
sample("full", expected=lambda: np.ones((2, 3)) * 1.5, shape=(2, 3), value=1.5, dtype=np.dtype("f8"))
sample("arange", expected=lambda: np.array([1, 3]), start=1, stop=5, step=2)
sample("arange", expected=lambda: np.array([1, 0.5, 0]), start=1, stop=-0.4, step=-0.5, dtype=np.dtype("f8"))
sample("linspace", expected=lambda: np.array([0, 0.5, 1]), start=0.0, stop=1.0, count=3, dtype=np.dtype("f8"))
sample("eye", expected=lambda: np.array([[1, 0, 0], [0, 1, 0]]), rows=2, columns=3, dtype=np.dtype("f8"))
sample("shape_of", real(2, 3), expected=lambda a: np.array([2, 3]))
