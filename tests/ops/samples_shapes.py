"""Samples of ops that move values."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.indexing import Slice
from tests.ops.samples import real, sample, whole

sample("reshape", real(2, 6), expected=lambda a: np.array(a.ravel().tolist()).reshape(3, 4), shape=(3, 4))
sample("reshape", real(2, 6), expected=lambda a: np.array(a.ravel().tolist()).reshape(4, 3), shape=(4, -1))
sample("reshape", np.array(3.0), expected=lambda a: np.array([3.0]), shape=(1,))
sample("reshape_like", real(2, 6), real(3, 4), expected=lambda a, like: a.reshape(3, 4))
sample("transpose", real(2, 3, 4), expected=lambda a: np.einsum("ijk->kji", a))
sample("transpose", real(2, 3, 4), expected=lambda a: np.einsum("ijk->jki", a), axes=(1, 2, 0))
sample("transpose", real(2, 3, 4), expected=lambda a: np.einsum("ijk->ikj", a), axes=(0, -1, 1))
sample("expand_dims", real(2, 3), expected=lambda a: a[:, None], axis=1)
sample("expand_dims", real(2, 3), expected=lambda a: a[..., None], axis=-1)
sample("squeeze", real(1, 3, 1), expected=lambda a: a[0, :, 0])
sample("squeeze", real(1, 3, 1), expected=lambda a: a[:, :, 0], axis=-1)
sample("broadcast_to", real(3, 1), expected=lambda a: np.zeros((2, 3, 4)) + a, shape=(2, 3, 4))
sample("broadcast_to_like", real(3, 1), real(2, 3, 4), expected=lambda a, like: np.zeros((2, 3, 4)) + a)
sample("sum_to", real(2, 3, 4), expected=lambda a: a.sum((0, 2))[:, None], shape=(3, 1))
sample("sum_to", real(2, 3, 4), expected=lambda a: a.sum(0), shape=(3, 4))
sample("sum_to", real(2, 3), expected=lambda a: a.sum(), shape=())
sample("sum_to", real(2, 3), expected=lambda a: a, shape=(2, 3))
sample("sum_to_like", real(2, 3, 4), real(3, 1), expected=lambda a, like: a.sum((0, 2))[:, None])
sample(
    "cast",
    real(3),
    expected=lambda a: np.array([np.float64(np.float32(x)) for x in a], "f4"),
    dtype=np.dtype("f4"),
    second=False,
)
sample("cast", real(3), expected=lambda a: np.array([int(x) for x in a]), dtype=np.dtype("i8"))
sample("flip", real(2, 3), expected=lambda a: a[::-1, ::-1])
sample("flip", real(2, 3), expected=lambda a: a[:, ::-1], axis=1)

# -- indexing ---------------------------------------------------------------------------------------------------------
for index, expected in {
    (0,): lambda a: a[0],
    (Slice(1, None), -1): lambda a: a[1:, -1],
    (Ellipsis, Slice(None, None, -2)): lambda a: a[:, :, ::-2],
    (None, 1, Ellipsis, None, Slice(0, 1)): lambda a: a[None, 1, :, None, 0:1],
}.items():
    sample("getitem", real(2, 3, 4), expected=expected, index=index)


def put(shape: tuple[int, ...], key: Any, a: Any) -> Any:
    result = np.zeros(shape)
    result[key] = a
    return result


sample("embed", real(3, 2), expected=lambda a: put((2, 3, 4), (1, slice(None), slice(0, 4, 2)), a),
       shape=(2, 3, 4), index=(1, Ellipsis, Slice(0, 4, 2)))  # fmt: skip
sample("embed_like", real(3), real(2, 3), expected=lambda a, like: put((2, 3), 1, a), index=(1,))
sample("select", real(2, 3, 4), expected=lambda a: a[:, 2], axis=1, index=2)
sample("select", real(2, 3, 4), expected=lambda a: a[:, -1], axis=-2, index=-1)
sample("select", real(2, 3, 4), expected=lambda a: a[:, :, 0], axis=-1, index=0)
sample("take", real(4, 3), whole(4, 2, 3), expected=lambda a, i: a[i])
sample("take", real(4, 3), np.array([0, 2, 2]), expected=lambda a, i: a[:, i], axis=1)


def add_at(result: Any, rows: Any, a: Any) -> Any:
    for place, row in enumerate(rows):
        result[row] = result[row] + a[place]
    return result


sample("put", real(3, 2), np.array([1, 3, 1]), expected=lambda a, i: add_at(np.zeros((4, 2)), i, a), shape=(4, 2))
sample("put", real(2, 3), np.array([1, 3, 1]), expected=lambda a, i: add_at(np.zeros((4, 2)), i, a.T).T,
       shape=(2, 4), axis=-1)  # fmt: skip
sample(
    "put_like", real(3, 2), np.array([1, 3, 1]), real(4, 2), expected=lambda a, i, like: add_at(np.zeros((4, 2)), i, a)
)
sample("gather", real(4, 3), whole(4, 2, 3), expected=lambda a, i: np.take_along_axis(a, i, 0))
sample("gather", real(4, 3), whole(3, 4, 5), expected=lambda a, i: np.take_along_axis(a, i, 1), axis=-1)


def ungather(a: Any, i: Any) -> Any:
    result = np.zeros((2, 3))
    for row in range(2):
        for column in range(4):
            result[row, i[row, column]] += a[row, column]
    return result


sample("ungather", real(2, 4), whole(3, 2, 4), expected=ungather, shape=(2, 3), axis=1)
sample("ungather_like", real(2, 4), whole(3, 2, 4), real(2, 3), expected=lambda a, i, like: ungather(a, i), axis=1)
sample("scatter_add", real(4, 2), np.array([1, 3, 1]), real(3, 2), expected=lambda a, i, u: add_at(a.copy(), i, u))
sample("one_hot", whole(3, 2, 2), expected=lambda i: np.eye(3, dtype="f4")[i], depth=3)
sample(
    "one_hot",
    np.array([1, 5, -1]),
    expected=lambda i: np.array([[0, 1], [0, 0], [0, 0]]),
    depth=2,
    dtype=np.dtype("i4"),
)

# -- joining ----------------------------------------------------------------------------------------------------------
sample("concat", real(2, 3), real(1, 3), real(2, 3), expected=lambda *p: np.array([row for x in p for row in x]))
sample("concat", real(2, 3), real(2, 1), expected=lambda a, b: np.c_[a, b], axis=-1)
sample("concat_part", real(2, 4), expected=lambda a: a[:, 3:], shapes=((2, 3), (2, 1)), axis=1, part=1)
sample("concat_part_like", real(2, 4), real(2, 3), real(2, 1), expected=lambda a, x, y: a[:, 3:], axis=-1, part=1)
sample(
    "concat_unpart", real(2, 1), expected=lambda a: np.c_[np.zeros((2, 3)), a], shapes=((2, 3), (2, 1)), axis=1, part=1
)
sample(
    "concat_unpart_like",
    real(2, 1),
    real(2, 3),
    real(2, 1),
    expected=lambda a, x, y: np.c_[np.zeros((2, 3)), a],
    axis=1,
    part=1,
)
sample("stack", real(2, 3), real(2, 3), expected=lambda a, b: np.array([a, b]))
sample("stack", real(2, 3), real(2, 3), expected=lambda a, b: np.dstack([a, b]), axis=-1)
sample("pad", real(2, 3), expected=lambda a: np.pad(a, ((1, 0), (0, 2))), widths=((1, 0), (0, 2)))
sample(
    "pad",
    real(2, 3),
    expected=lambda a: np.pad(a, ((0, 1), (2, 0)), constant_values=9.0),
    widths=((0, 1), (2, 0)),
    value=9.0,
)
sample("tile", real(2, 3), expected=lambda a: np.array([[*row, *row] for row in a] * 3), repeats=(3, 2))
sample("untile", real(4, 3), expected=lambda a: a[:2] + a[2:], repeats=(2, 1))
