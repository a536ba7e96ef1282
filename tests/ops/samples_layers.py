"""Samples of layers and linear algebra: einsum, convolution, pooling, normalisation, embedding, masks, more losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.ops.samples import boolean, positive, real, sample, whole
from tests.ops.samples_reductions import reduce

# -- products ---------------------------------------------------------------------------------------------------------
sample("addmm", real(2), real(3, 4), real(4, 2), expected=lambda c, a, b: np.einsum("ik,kj->ij", a, b) + c)
sample("addmm", real(3, 1), real(4, 3), real(2, 4), expected=lambda c, a, b: np.einsum("ki,jk->ij", a, b) + c,
       transpose_a=True, transpose_b=True)  # fmt: skip
sample("add_n", real(2, 3), real(2, 3), real(2, 3), expected=lambda *p: np.array(p).sum(0))
sample("add_n", real(3), expected=lambda a: a)
sample("einsum", real(2, 3), real(3, 4), expected=lambda a, b: a @ b, equation="ij,jk->ik")
sample("einsum", real(2, 3), real(3, 4), expected=lambda a, b: b.T @ a.T, equation="ij, jk -> ki")
sample("einsum", real(2, 2, 3), real(2, 3), expected=lambda a, b: (a * b[:, None]).sum((0, 2)), equation="bij,bj->i")
sample("einsum", real(2, 3), expected=lambda a: a.sum(0), equation="ij->j")
sample("einsum", real(2, 3), real(4), expected=lambda a, b: a.sum(1) * b.sum(), equation="ij,k->i")
sample("einsum", real(3), real(3), expected=lambda a, b: (a * b).sum(), equation="i,i")
sample("einsum", real(2, 3), real(3), real(2), expected=lambda a, b, c: c @ a @ b, equation="ij,j,i->")


# -- convolution, written as the loops that it is ---------------------------------------------------------------------
def conv(a: Any, w: Any, stride: Any = (1, 1), padding: Any = ((0, 0), (0, 0)), dilation: Any = (1, 1)) -> Any:
    a = np.pad(a, ((0, 0), (0, 0), *padding))
    (n, _, height, width), (out, _, kh, kw) = a.shape, w.shape
    rows = (height - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    columns = (width - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    result = np.zeros((n, out, rows, columns))
    for y in range(rows):
        for x in range(columns):
            for i in range(kh):
                for j in range(kw):
                    pixel = a[:, :, y * stride[0] + i * dilation[0], x * stride[1] + j * dilation[1]]
                    result[:, :, y, x] += pixel @ w[:, :, i, j].T
    return result


SETTINGS: list[dict[str, Any]] = [
    {},
    {"stride": (2, 1), "padding": ((0, 1), (1, 1))},
    {"stride": (2, 2), "dilation": (1, 2), "padding": ((1, 0), (0, 0))},
]
for how in SETTINGS:
    shapes = (2, 2, 4, 5), (3, 2, 2, 2)
    a, w = real(*shapes[0]), real(*shapes[1])
    g = real(*conv(a, w, **how).shape)
    sample("conv2d", a, w, expected=lambda a, w, how=how: conv(a, w, **how), **how)

    # Linear in each operand: the inner product with basis images is the transposed op.
    def back_input(g: Any, w: Any, how: Any = how, shape: Any = shapes[0]) -> Any:
        basis = np.eye(int(np.prod(shape))).reshape(-1, *shape)
        return np.array([(conv(e, w, **how) * g).sum() for e in basis]).reshape(shape)

    def back_weight(g: Any, a: Any, how: Any = how, shape: Any = shapes[1]) -> Any:
        basis = np.eye(int(np.prod(shape))).reshape(-1, *shape)
        return np.array([(conv(a, e, **how) * g).sum() for e in basis]).reshape(shape)

    sample("conv2d_input", g, w, expected=back_input, shape=shapes[0], **how)
    sample("conv2d_weight", g, a, expected=back_weight, shape=shapes[1], **how)
sample("conv2d_input_like", g, w, a, expected=lambda g, w, like: back_input(g, w), **how)
sample("conv2d_weight_like", g, a, w, expected=lambda g, a, like: back_weight(g, a), **how)


# -- pooling ----------------------------------------------------------------------------------------------------------
def pool(
    a: Any, function: Any, size: Any, stride: Any = None, padding: Any = ((0, 0), (0, 0)), fill: float = np.nan
) -> Any:
    stride = stride or size
    a = np.pad(a, ((0, 0), (0, 0), *padding), constant_values=fill)
    rows, columns = ((a.shape[2 + i] - size[i]) // stride[i] + 1 for i in range(2))
    return np.stack([
        np.stack([
            function(a[:, :, y * stride[0] :, x * stride[1] :][:, :, : size[0], : size[1]], axis=(2, 3))
            for x in range(columns)
        ], -1)
        for y in range(rows)
    ], -2)  # fmt: skip


OVER: dict[str, Any] = {"size": (2, 3), "stride": (2, 1), "padding": ((1, 0), (1, 1))}
sample("max_pool2d", real(2, 2, 4, 4), expected=lambda a: pool(a, np.max, (2, 2)), size=(2, 2))
sample("max_pool2d", real(1, 2, 4, 5), expected=lambda a: pool(a, np.nanmax, **OVER), **OVER)
sample(
    "argmax_pool2d",
    np.arange(16.0).reshape(1, 1, 4, 4),
    expected=lambda a: np.array([[[[5, 7], [13, 15]]]]),
    size=(2, 2),
)
sample("argmax_pool2d", -np.arange(9.0).reshape(1, 1, 3, 3), size=(2, 2), stride=(2, 2), padding=((1, 0), (0, 1)),
       expected=lambda a: np.array([[[[0, 2], [3, 5]]]]))  # fmt: skip
places = np.array([[[[5, 7], [13, 5]]]])
sample("pool_take", real(1, 1, 4, 4), places, expected=lambda a, p: a.ravel()[p])
sample("pool_put", real(1, 1, 2, 2), places, shape=(1, 1, 4, 4),
       expected=lambda a, p: np.bincount(p.ravel(), a.ravel(), 16).reshape(1, 1, 4, 4))  # fmt: skip
sample("pool_put_like", real(1, 1, 2, 2), places, real(1, 1, 4, 4),
       expected=lambda a, p, like: np.bincount(p.ravel(), a.ravel(), 16).reshape(1, 1, 4, 4))  # fmt: skip
sample("avg_pool2d", real(2, 2, 4, 4), expected=lambda a: pool(a, np.mean, (2, 2)), size=(2, 2))
sample("avg_pool2d", real(1, 2, 4, 5), expected=lambda a: pool(a, np.mean, fill=0, **OVER), **OVER)
sample("avg_pool2d", real(1, 2, 4, 5), expected=lambda a: pool(a, np.nanmean, **OVER), count_padding=False, **OVER)
sample(
    "avg_unpool2d",
    real(1, 1, 2, 2),
    expected=lambda a: np.kron(a, np.ones((2, 2))) / 4,
    shape=(1, 1, 4, 4),
    size=(2, 2),
)
sample("avg_unpool2d_like", real(1, 1, 2, 2), real(1, 1, 4, 4), expected=lambda a, _: np.kron(a, np.ones((2, 2))) / 4,
       size=(2, 2))  # fmt: skip


# -- normalisation ----------------------------------------------------------------------------------------------------
def standard(a: Any, axis: Any, epsilon: float) -> Any:
    return (a - np.mean(a, axis, keepdims=True)) / np.sqrt(np.var(a, axis, keepdims=True) + epsilon)


sample("standardize", real(3, 4), expected=lambda a: standard(a, -1, 1e-5))
sample("standardize", real(3, 2, 2), expected=lambda a: standard(a, (0, 2), 0.1), axis=(0, 2), epsilon=0.1)
sample("std", real(3, 4), expected=lambda a: np.std(a))
sample("std", real(3, 4), expected=lambda a: np.std(a, 1, ddof=1, keepdims=True), axis=1, ddof=1, keepdims=True)
sample("norm", real(3, 4), expected=lambda a: np.linalg.norm(a))
sample("norm", real(3, 4), expected=lambda a: np.linalg.norm(a, axis=0), axis=0)

# -- linear algebra ---------------------------------------------------------------------------------------------------
MATRIX = real(3, 3) + 3 * np.eye(3)
BATCH = real(2, 3, 3) + 3 * np.eye(3)
for square in (MATRIX, BATCH):
    sample("inverse", square, expected=lambda a: np.linalg.solve(a, np.broadcast_to(np.eye(3), a.shape)))
    sample("det", square, expected=lambda a: np.prod(np.linalg.eigvals(a), -1).real)
    sample("logabsdet", square, expected=lambda a: np.log(np.abs(np.prod(np.linalg.eigvals(a), -1))))
    sample("solve", square, real(3, 2), expected=lambda a, b: np.linalg.inv(a) @ b)
    sample("identity_like", square, expected=lambda a: np.eye(3))
sample("solve", MATRIX, real(2, 3, 2), expected=lambda a, b: np.linalg.inv(a) @ b)
sample(
    "cholesky",
    MATRIX @ MATRIX.T,
    expected=lambda a: np.linalg.qr(MATRIX.T)[1].T * np.sign(np.diag(np.linalg.qr(MATRIX.T)[1])),
)

# -- selecting --------------------------------------------------------------------------------------------------------
sample("embedding", real(4, 2), whole(4, 2, 3), expected=lambda a, i: np.eye(4)[i] @ a)
POINTS = np.array([[0, 1], [2, 0], [0, 1]])
sample("gather_nd", real(3, 2, 2), POINTS, expected=lambda a, i: np.array([a[y, x] for y, x in i]))
sample("gather_nd", real(3, 2), np.array([[1], [0]]), expected=lambda a, i: a[[1, 0]])
sample(
    "scatter_nd", real(3), POINTS, expected=lambda a, i: np.array([[0, a[0] + a[2]], [0, 0], [a[1], 0]]), shape=(3, 2)
)
sample("scatter_nd_like", real(3), POINTS, real(3, 2),
       expected=lambda a, i, like: np.array([[0, a[0] + a[2]], [0, 0], [a[1], 0]]))  # fmt: skip
MASK = np.array([[True, False, True], [False, True, False]])
sample("masked_select", real(2, 3), MASK, expected=lambda a, m: np.array([a[0, 0], a[0, 2], a[1, 1]]))
sample("masked_put", real(3), MASK, expected=lambda a, m: np.array([[a[0], 0, a[1]], [0, a[2], 0]]))
sample(
    "nonzero",
    boolean(3, 3),
    expected=lambda a: np.array([(y, x) for y in range(3) for x in range(3) if a[y, x]]).reshape(-1, 2),
)


# -- more losses ------------------------------------------------------------------------------------------------------
def huber(a: Any, b: Any, delta: float) -> Any:
    d = np.abs(a - b)
    return np.where(d < delta, d * d / 2, delta * (d - delta / 2))


for how_much in ("mean", "sum", "none"):
    r: dict[str, Any] = {"reduction": how_much}
    sample("l1_loss", real(3, 2), positive(2), expected=lambda a, b, r=how_much: reduce(np.sqrt((a - b) ** 2), r), **r)
    sample(
        "huber_loss",
        real(3, 2),
        positive(2),
        expected=lambda a, b, r=how_much: reduce(huber(a, b, 1.1), r),
        delta=1.1,
        **r,
    )
