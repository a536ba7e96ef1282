"""Ops that are one here and several in TensorFlow: each as a recipe of rows of a GraphDef."""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi, sqrt
from typing import Any

import numpy as np

from engine.adapters.graphdef_images import IMAGES
from engine.adapters.graphdef_rows import INT32, Name, Rows
from engine.ops import TABLE

Recipe = Callable[[Rows], None]
INT64 = np.dtype(np.int64)


# -- sizes -------------------------------------------------------------------------------------------------------------
def _count(r: Rows, row: Name) -> Name:
    """The number of elements of a row, as a number to compute with."""
    return r.Cast(r.Size(row), SrcT=INT32, DstT=r.kind, Truncate=False, T=None)


def _sum_to(r: Rows) -> None:
    wanted, given = (r["shape"] if r.node.op == "sum_to" else r.sources[1].shape), r.sources[0].shape
    if wanted is not None and given is not None and None not in wanted:
        lead = len(given) - len(wanted)
        ones = [i + lead for i, size in enumerate(wanted) if size == 1 and given[i + lead] != 1]
        total = r.Sum(r.reads[0], r.ints("axes", [*range(lead), *ones])) if lead or ones else r.reads[0]
        r.done("Reshape", total, r.sizes("shape", wanted))
        return
    shape = r.shape(1)
    axes = r.BroadcastGradientArgs(shape, r.shape(0), T=INT32)
    r.done("Reshape", r.Sum(r.reads[0], axes), shape)


def _spread(r: Rows) -> None:
    like = r.node.op.endswith("_like")
    shape = r.sources[1].shape if like else r["shape"]
    sizes = r.sizes("shape", shape, r.reads[1] if like else "", r.sources[1] if like else None)
    value, axis = r.reads[0], r["axis"]
    if axis is not None and not r["keepdims"]:
        if shape is None:
            raise r.refused("the rank of its result is not known")
        for place in sorted(a % len(shape) for a in ((axis,) if isinstance(axis, int) else axis)):
            value = r.ExpandDims(value, r.ints("dim", place))
    if not r.node.op.startswith("spread_mean"):
        r.done("BroadcastTo", value, sizes)
        return
    spread = r.BroadcastTo(value, sizes)
    count = r.RealDiv(_count(r, spread), _count(r, r.reads[0]))
    r.done("RealDiv", spread, r.Sub(count, r.number(r["ddof"])) if r["ddof"] else count)


def _like(op: str) -> Recipe:
    return lambda r: r.done(op, r.reads[0], r.shape(1))


# -- losses ------------------------------------------------------------------------------------------------------------
def _reduced(r: Rows, value: Name, reduction: str, rank: int) -> None:
    if reduction == "none":
        r.hand_on(value)
    else:
        r.done("Mean" if reduction == "mean" else "Sum", value, r.ints("axes", list(range(rank))))


def _weighed(r: Rows, value: Name, upstream: Name, count: Callable[[], Name]) -> None:
    """``value`` times the gradient that arrives, over the ``count`` of a mean."""
    weight = r.RealDiv(upstream, count()) if r["reduction"] == "mean" else upstream
    r.done("Mul", value, weight)


def _mse_grad(r: Rows) -> None:
    g, a, b = r.reads
    distance = r.Sub(a, b)
    _weighed(r, r.Mul(distance, r.number(2.0)), g, lambda: _count(r, distance))


def _labels(r: Rows, place: int) -> tuple[Name, np.dtype[Any]]:
    kind = r.sources[place].type.dtype  # type: ignore[union-attr]
    if kind in (INT32, INT64):
        return r.reads[place], kind
    return r.Cast(r.reads[place], SrcT=kind, DstT=INT64, Truncate=False, T=None), INT64


def _cross_entropy(r: Rows) -> None:
    grad = r.node.op == "cross_entropy_grad"
    place = 1 if grad else 0
    if r.rank(place) != 2 or r["axis"] not in (1, -1):
        raise r.refused("logits are not [batch, classes]")
    labels, kind = _labels(r, place + 1)
    both = r.SparseSoftmaxCrossEntropyWithLogits(r.reads[place], labels, Tlabels=kind)
    if not grad:
        _reduced(r, both, r["reduction"], 1)
        return
    upstream = r.reads[0]
    if r["reduction"] == "none":
        upstream = r.ExpandDims(upstream, r.ints("dim", -1))
    _weighed(r, f"{both}:1", upstream, lambda: _count(r, both))


def _bce(r: Rows) -> None:
    a, t = r.reads
    softened = r.Log1p(r.Exp(r.Neg(r.Abs(a))))
    loss = r.AddV2(r.Sub(r.Relu(a), r.Mul(a, t)), softened)
    _reduced(r, loss, r["reduction"], r.rank())


def _huber(r: Rows) -> None:
    far = r.Abs(r.Sub(*r.reads))
    delta = r.number(r["delta"])
    near = r.Mul(r.number(0.5, "half"), r.Square(far))
    line = r.Mul(delta, r.Sub(far, r.number(r["delta"] / 2, "middle")))
    _reduced(r, r.SelectV2(r.LessEqual(far, delta), near, line), r["reduction"], r.rank())


# -- elementwise -------------------------------------------------------------------------------------------------------
def _gelu(r: Rows) -> None:
    (a,) = r.reads
    if r["approximate"] == "none":
        inner = r.Erf(r.Mul(a, r.number(1 / sqrt(2))))
    else:
        cubic = r.Mul(r.number(0.044715, "cubic"), r.Mul(a, r.Square(a)))
        inner = r.Tanh(r.Mul(r.number(sqrt(2 / pi)), r.AddV2(a, cubic)))
    r.done("Mul", r.Mul(r.number(0.5, "half"), a), r.AddV2(r.number(1.0, "one"), inner))


def _logaddexp(r: Rows) -> None:
    a, b = r.reads
    r.done("AddV2", r.Maximum(a, b), r.Log1p(r.Exp(r.Neg(r.Abs(r.Sub(a, b))))))


# -- reductions --------------------------------------------------------------------------------------------------------
def _reduce(r: Rows, op: str, value: Name, keep: bool) -> Name:
    return r.add(op, value, r.ints("axes", r.axes(r["axis"])), keep_dims=keep)


def _logsumexp(r: Rows) -> None:
    (a,) = r.reads
    top = _reduce(r, "Max", a, True)
    total = r.Log(_reduce(r, "Sum", r.Exp(r.Sub(a, top)), r["keepdims"]))
    r.done("AddV2", total, top if r["keepdims"] else _reduce(r, "Max", a, False))


def _variance(r: Rows) -> Name:
    (a,) = r.reads
    squares = r.SquaredDifference(a, _reduce(r, "Mean", a, True))
    if not r["ddof"]:
        return _reduce(r, "Mean", squares, r["keepdims"])
    total = _reduce(r, "Sum", squares, r["keepdims"])
    count = r.RealDiv(_count(r, a), _count(r, total))
    return r.RealDiv(total, r.Sub(count, r.number(r["ddof"])))


def _standardize(r: Rows) -> None:
    (a,) = r.reads
    middle = _reduce(r, "Mean", a, True)
    spread = _reduce(r, "Mean", r.SquaredDifference(a, middle), True)
    r.done("Mul", r.Sub(a, middle), r.Rsqrt(r.AddV2(spread, r.number(r["epsilon"]))))


# -- taking and putting ------------------------------------------------------------------------------------------------
def _strided(r: Rows, index: Any) -> tuple[list[Name], dict[str, int]]:
    """Begin, end and strides, and the masks, of a basic index."""
    begin: list[int] = []
    end: list[int] = []
    step: list[int] = []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    for place, part in enumerate(index):
        bit, ends = 1 << place, (0, 0, 1)
        if part is None:
            masks["new_axis_mask"] |= bit
        elif part is Ellipsis:
            masks["ellipsis_mask"] |= bit
        elif isinstance(part, int):
            masks["shrink_axis_mask"] |= bit
            ends = (part, part + 1, 1)
        else:
            ends = (part[0] or 0, part[1] or 0, part[2] or 1)
            masks["begin_mask"] |= bit if part[0] is None else 0
            masks["end_mask"] |= bit if part[1] is None else 0
        for values, value in zip((begin, end, step), ends, strict=True):
            values.append(value)
    return [r.ints(w, v) for w, v in (("begin", begin), ("end", end), ("strides", step))], masks


def _getitem(r: Rows) -> None:
    index = r["index"]
    if r.node.op == "select":
        index = (*((slice(None),) * (r["axis"] % r.rank())), index)
        index = tuple((None, None, None) if isinstance(part, slice) else part for part in index)
    bounds, masks = _strided(r, index)
    if r.node.op.startswith("embed"):
        shape = r.shape(1) if r.node.op == "embed_like" else r.sizes("shape", r["shape"])
        r.done("StridedSliceGrad", shape, *bounds, r.reads[0], Index=INT32, **masks)
    else:
        r.done("StridedSlice", r.reads[0], *bounds, Index=INT32, **masks)


def _put(r: Rows) -> None:
    like = r.node.op == "put_like"
    shape = r.sources[2].shape if like else r["shape"]
    if r["axis"] != 0:
        raise r.refused("rows are put along another axis than 0")
    places: np.dtype[Any] = r.sources[1].type.dtype  # type: ignore[union-attr]
    if shape is None or shape[0] is None:
        raise r.refused("the number of rows is not known before the run")
    rows = r.FloorMod(r.reads[1], r.ints("rows", shape[0], places), T=places)
    r.done("UnsortedSegmentSum", r.reads[0], rows, r.ints("count", shape[0]), Tindices=places, Tnumsegments=INT32)


def _along(r: Rows, axis: int) -> int:
    """The axis 0 is the only one along which rows are known by their number there."""
    if r.rank() != 2 or axis % 2 != 1:
        raise r.refused("it is not taken along the last axis of a matrix")
    return axis


def _gather(r: Rows) -> None:
    """One index for each element: along the last axis of a matrix, each row takes from its own."""
    a, places = r.reads
    _along(r, r["axis"])
    kind: np.dtype[Any] = r.sources[1].type.dtype  # type: ignore[union-attr]
    more = {"Tparams": r.kind, "Tindices": kind, "batch_dims": 1}
    r.done("GatherV2", a, places, r.ints("axis", 1), T=None, **more)


def _scattered(r: Rows) -> None:
    like = r.node.op.endswith("_like")
    shape = r.shape(2) if like else r.ints("shape", np.array(r["shape"], np.int32))
    kind: np.dtype[Any] = r.sources[1].type.dtype  # type: ignore[union-attr]
    wide = r.Cast(r.reads[1], SrcT=kind, DstT=INT32, Truncate=False, T=None) if kind != INT32 else r.reads[1]
    r.done("ScatterNd", wide, r.reads[0], shape, Tindices=INT32)


def _identity(r: Rows) -> None:
    if r.rank() != 2:
        raise r.refused("it is a single matrix for many")
    r.done("MatrixBandPart", r.OnesLike(r.reads[0]), r.ints("band", 0), r.ints("band", 0))


def _solve(r: Rows) -> None:
    a, b = r.reads
    if r.rank(1) not in (1, r.rank(0)) or r.rank(0) > 2 >= r.rank(1):
        raise r.refused("the matrices and the right sides are broadcast")
    if r.rank(1) == r.rank(0):
        r.done("MatrixSolve", a, b, adjoint=False)
    else:
        column = r.ExpandDims(b, r.ints("dim", -1))
        r.done("Squeeze", r.MatrixSolve(a, column, adjoint=False), squeeze_dims=[-1])


def _part(r: Rows) -> None:
    like = r.node.op.endswith("_like")
    shapes = [s.shape for s in r.sources[1:]] if like else r["shapes"]
    rank = len(shapes[0] or ())
    axis, part = r["axis"] % max(rank, 1), r["part"]
    lengths = [-1 if shape is None or shape[axis] is None else shape[axis] for shape in shapes]
    if -1 in lengths:
        raise r.refused("how long the parts are is not known before the run")
    before, after = sum(lengths[:part]), sum(lengths[part + 1 :])
    if r.node.op.startswith("concat_part"):
        begin = [before if place == axis else 0 for place in range(rank)]
        size = [lengths[part] if place == axis else -1 for place in range(rank)]
        r.done("Slice", r.reads[0], r.ints("begin", begin), r.ints("size", size))
    else:
        widths = [[before, after] if place == axis else [0, 0] for place in range(rank)]
        r.done("Pad", r.reads[0], r.ints("paddings", widths))


def _band(r: Rows) -> None:
    (a,) = r.reads
    upper, k = r.node.op == "triu", r["diagonal"]
    inside = -k if upper else k
    bounds = (inside, -1) if upper else (-1, inside)
    if inside >= 0:
        r.done("MatrixBandPart", a, *(r.ints("band", bound) for bound in bounds))
        return
    others = (-1, -inside - 1) if upper else (-inside - 1, -1)
    r.done("Sub", a, r.MatrixBandPart(a, *(r.ints("band", bound) for bound in others)))


def _largest(r: Rows) -> None:
    (a,), op = r.reads, r.node.op
    if r["axis"] not in (-1, r.rank() - 1):
        raise r.refused("it is not along the last axis")
    count = r["k"] if "k" in r.node.attributes else r.known()[-1]
    largest = r["largest"] if "largest" in r.node.attributes else r["descending"]
    if count < 0:
        raise r.refused("how many there are is not known before the run")
    both = r.TopKV2(a if largest else r.Neg(a), r.ints("k", count), sorted=True)
    if op.startswith("arg"):
        r.done("Cast", f"{both}:1", SrcT=INT32, DstT=INT64, Truncate=False, T=None)
    elif largest:
        r.hand_on(both)
    else:
        r.done("Neg", both)


def _repeat(r: Rows) -> None:
    sizes, axis, times = r.known(), r["axis"], r["repeats"]
    axis %= max(len(sizes), 1)
    if r.node.op == "repeat":
        tiles = [times if place == axis + 1 else 1 for place in range(len(sizes) + 1)]
        tiled = r.Tile(r.ExpandDims(r.reads[0], r.ints("dim", axis + 1)), r.ints("multiples", tiles))
        wanted = [size * times if place == axis and size > 0 else size for place, size in enumerate(sizes)]
        r.done("Reshape", tiled, r.ints("shape", wanted))
    else:
        size = sizes[axis] // times if sizes[axis] > 0 else -1
        parts = r.Reshape(r.reads[0], r.ints("shape", [*sizes[:axis], size, times, *sizes[axis + 1 :]]))
        r.done("Sum", parts, r.ints("axes", axis + 1))


def _untile(r: Rows) -> None:
    sizes, times = r.known(), r["repeats"]
    sizes = [1] * (len(times) - len(sizes)) + sizes
    parts = [n for size, t in zip(sizes, times, strict=True) for n in (t, size // t if size > 0 else -1)]
    axes = list(range(0, 2 * len(times), 2))
    total = r.Sum(r.Reshape(r.reads[0], r.ints("shape", parts)), r.ints("axes", axes))
    if r.node.shape is not None and len(r.node.shape) < len(times):
        total = r.Reshape(total, r.sizes("result", r.node.shape))
    r.hand_on(total)


# -- products ----------------------------------------------------------------------------------------------------------
def _cumsum(r: Rows) -> None:
    kind = r.node.type.dtype  # type: ignore[union-attr]
    a = r.reads[0] if kind == r.kind else r.Cast(r.reads[0], SrcT=r.kind, DstT=kind, Truncate=False, T=None)
    r.done("Cumsum", a, r.ints("axis", r["axis"]), exclusive=r["exclusive"], reverse=r["reverse"], T=kind)


def _einsum(r: Rows) -> None:
    if len(r.reads) > 2:
        raise r.refused("it has more than two operands")
    equation = r["equation"].replace(" ", "")
    if "->" not in equation:
        letters = sorted(set(equation) - {","})
        equation += f"->{''.join(letter for letter in letters if equation.count(letter) == 1)}"
    r.done("Einsum", *r.reads, equation=equation.encode(), N=len(r.reads))


def _addmm(r: Rows) -> None:
    bias, a, b = r.reads
    r.done("AddV2", r.MatMul(a, b, transpose_a=r["transpose_a"], transpose_b=r["transpose_b"]), bias)


def _matvec(r: Rows) -> None:
    a, b = r.reads
    column = r.ExpandDims(b, r.ints("dim", -1))
    product = r.BatchMatMulV2(a, column, adj_x=r["transpose_a"])
    r.done("Squeeze", product, squeeze_dims=[-1])


def _outer(r: Rows) -> None:
    r.done("Mul", r.ExpandDims(r.reads[0], r.ints("dim", 1)), r.ExpandDims(r.reads[1], r.ints("dim", 0)))


def _diagonal(r: Rows) -> None:
    if r["offset"]:
        raise r.refused("it is not the main diagonal")
    if r.node.op == "diagonal":
        r.done("MatrixDiagPart", r.reads[0])
        return
    shape = r.sources[1].shape if r.node.op.endswith("_like") else r["shape"]
    if shape is None or shape[-1] != shape[-2]:
        raise r.refused("the matrix is not known to be square")
    r.done("MatrixDiag", r.reads[0])


# -- sources -----------------------------------------------------------------------------------------------------------
def _computed(r: Rows) -> None:
    """What reads nothing and never changes is written down."""
    value = np.asarray(TABLE[r.node.op].kernel(**r.node.attributes))
    r.done("Const", dtype=value.dtype, value=value, T=None)


def _random(r: Rows) -> None:
    a, kind = r.node.attributes, r.kind
    drawn = kind if kind.kind == "f" else np.dtype(np.float32)
    shape = r.ints("shape", np.array(a["shape"], np.int32))
    more: dict[str, Any] = {"seed": 0, "seed2": 0, "T": INT32}
    if r.node.op == "random_range":
        bounds = (r.number(a["low"], "low"), r.number(a["high"], "high"))
        r.done("RandomUniformInt", shape, *bounds, Tout=kind, **more)
        return
    normal = r.node.op == "random_normal"
    row = r.add("RandomStandardNormal" if normal else "RandomUniform", shape, dtype=drawn, **more)
    if r.node.op == "random_bernoulli":
        hit = r.Less(row, r.ints("p", a["p"], drawn), T=drawn)
        r.done("Cast", hit, SrcT=np.dtype(np.bool_), DstT=kind, Truncate=False, T=None)
        return
    scale, begin = (a["std"], a["mean"]) if normal else (a["high"] - a["low"], a["low"])
    r.done("AddV2", r.Mul(row, r.number(scale, "scale")), r.number(begin, "begin"))


LOWERED: dict[str, Recipe] = {
    **IMAGES,
    **dict.fromkeys(("sum_to", "sum_to_like"), _sum_to),
    **dict.fromkeys(("spread", "spread_like", "spread_mean", "spread_mean_like"), _spread),
    "broadcast_to_like": _like("BroadcastTo"),
    "reshape_like": _like("Reshape"),
    "mse_loss_grad": _mse_grad,
    "cross_entropy": _cross_entropy,
    "cross_entropy_grad": _cross_entropy,
    "binary_cross_entropy_with_logits": _bce,
    "l1_loss": lambda r: _reduced(r, r.Abs(r.Sub(*r.reads)), r["reduction"], r.rank()),
    "huber_loss": _huber,
    "gelu": _gelu,
    "silu": lambda r: r.done("Mul", r.reads[0], r.Sigmoid(r.reads[0])),
    "leaky_relu": lambda r: r.done("LeakyRelu", r.reads[0], alpha=float(r["slope"])),
    "log_sigmoid": lambda r: r.done("Neg", r.Softplus(r.Neg(r.reads[0]))),
    "log2": lambda r: r.done("RealDiv", r.Log(r.reads[0]), r.number(log(2))),
    "log10": lambda r: r.done("RealDiv", r.Log(r.reads[0]), r.number(log(10))),
    "exp2": lambda r: r.done("Exp", r.Mul(r.reads[0], r.number(log(2)))),
    "trunc": lambda r: r.done("Mul", r.Sign(r.reads[0]), r.Floor(r.Abs(r.reads[0]))),
    "logaddexp": _logaddexp,
    "logical_xor": lambda r: r.done("NotEqual", *r.reads),
    "logsumexp": _logsumexp,
    "norm": lambda r: r.done("Sqrt", _reduce(r, "Sum", r.Square(r.reads[0]), r["keepdims"])),
    "var": lambda r: r.hand_on(_variance(r)),
    "std": lambda r: r.done("Sqrt", _variance(r)),
    "standardize": _standardize,
    "embedding": lambda r: r.done(
        "GatherV2", *r.reads, r.ints("axis", 0), T=None, Tparams=r.kind, Tindices=r.sources[1].type.dtype  # type: ignore[union-attr]
    ),
    **dict.fromkeys(("put", "put_like"), _put),
    "gather": _gather,
    "gather_nd": lambda r: r.done(
        "GatherNd", *r.reads, T=None, Tparams=r.kind, Tindices=r.sources[1].type.dtype  # type: ignore[union-attr]
    ),
    **dict.fromkeys(("scatter_nd", "scatter_nd_like"), _scattered),
    "solve": _solve,
    "identity_like": _identity,
    **dict.fromkeys(("getitem", "select", "embed", "embed_like"), _getitem),
    **dict.fromkeys(("concat_part", "concat_part_like", "concat_unpart", "concat_unpart_like"), _part),
    **dict.fromkeys(("tril", "triu"), _band),
    **dict.fromkeys(("topk", "argtopk", "sort", "argsort"), _largest),
    **dict.fromkeys(("repeat", "unrepeat"), _repeat),
    "untile": _untile,
    "flip": lambda r: r.done("ReverseV2", r.reads[0], r.ints("axis", r.axes(r["axis"]))),
    "roll": lambda r: r.done("Roll", r.reads[0], r.ints("shift", r["shift"]), r.ints("axis", r["axis"])),
    "cumsum": _cumsum,
    "cumprod": lambda r: r.done("Cumprod", r.reads[0], r.ints("axis", r["axis"])),
    "one_hot": lambda r: r.done(
        "OneHot", r.reads[0], r.ints("depth", r["depth"]), r.ints("on", 1, r["dtype"]), r.ints("off", 0, r["dtype"]),
        axis=-1, T=r["dtype"], TI=r.kind,
    ),
    "shape_of": lambda r: r.done("Shape", r.reads[0], out_type=r["dtype"]),
    "addmm": _addmm,
    "matvec": _matvec,
    "dot": lambda r: r.done("Sum", r.Mul(*r.reads), r.ints("axes", [0])),
    "outer": _outer,
    "einsum": _einsum,
    "inverse": lambda r: r.done("MatrixInverse", r.reads[0], adjoint=False),
    "det": lambda r: r.done("MatrixDeterminant", r.reads[0]),
    "logabsdet": lambda r: r.hand_on(f"{r.LogMatrixDeterminant(r.reads[0])}:1"),
    "cholesky": lambda r: r.done("Cholesky", r.reads[0]),
    **dict.fromkeys(("diagonal", "put_diagonal", "put_diagonal_like"), _diagonal),
    **dict.fromkeys(("arange", "eye", "full", "linspace"), _computed),
    **dict.fromkeys(("random_normal", "random_uniform", "random_bernoulli", "random_range"), _random),
}  # fmt: skip
"""What is written as several rows, or with other operands than ours."""
