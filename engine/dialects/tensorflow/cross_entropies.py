"""``tf.nn``: cross entropies of logits and labels."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import array_ops, build, creation, indexing_ops, math_ops, slicing_ops
from engine.dialects.tensorflow.build import apply, convert, hide
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.nn_ops import relu
from engine.dialects.tensorflow.shapes import TensorShape, brackets, softmax_axis


def softmax_cross_entropy_with_logits_v2(
    labels: Any = None,
    logits: Any = None,
    axis: Any = None,
    name: str | None = None,
    dim: Any = None,
    _sentinel: Any = None,
) -> Tensor:
    """``-sum(labels * log_softmax(logits))`` for each example."""
    _both_given("softmax_cross_entropy_with_logits", labels, logits)
    place = softmax_axis(axis, dim)
    tensor = convert(logits, name="logits")
    target = convert(labels, name="labels", preferred=tensor.dtype.base_dtype)
    graph, core = tensor.graph, tensor.graph.core
    _same_sizes(tensor, target, name or "softmax_cross_entropy_with_logits")
    before = len(core.nodes)
    with graph.name_scope(name or "softmax_cross_entropy_with_logits") as scope:
        return _rows(tensor, target, place, scope, before)


def _rows(logits: Tensor, labels: Tensor, axis: int, scope: str, before: int) -> Tensor:
    """The loss of each row, with the ops by which TensorFlow makes matrices of its operands and back."""
    dims = logits.shape._dims
    if dims is None or axis not in (-1, len(dims) - 1):
        return _entropy(logits, labels, axis, scope)
    core, count = logits.graph.core, array_ops.rank(logits)
    sizes = array_ops.shape(logits)
    flat = [_matrix(operand) for operand in (logits, labels)]
    found = _entropy(flat[0], flat[1], -1, scope)
    outer = slicing_ops.slice_(sizes, [0], [math_ops.subtract(count, 1)])
    if len(dims) == 2:
        result = apply("identity", "Reshape", None, [("tensor", found)])
    elif dims[:-1].count(None) < 2:
        shape = tuple(-1 if size is None else size for size in dims[:-1])
        result = apply("reshape", "Reshape", None, [("tensor", found)], {"shape": shape})
    else:
        known = {"known": tuple(dims[:-1])}
        result = apply("tf_reshape", "Reshape", None, [("tensor", found), ("shape", outer)], known, same_type=False)
    result.op._inputs = [found, outer]
    result.set_shape(dims[:-1])
    for node in core.nodes[before:]:
        if node.serves is None and node is not found._node:
            core.set_serves(node, found._node)
    return result


def _matrix(operand: Tensor) -> Tensor:
    """All axes but the last as one."""
    count, sizes = array_ops.rank(operand), array_ops.shape(operand)
    width = slicing_ops.slice_(sizes, [math_ops.subtract(count, 1)], [1])
    shape = apply("concat", "ConcatV2", "concat", [("values_0", [-1]), ("values_1", width)], {"axis": 0},
                  constants=[("axis", 0)])  # fmt: skip
    dims = operand.shape._dims or ()
    if len(dims) == 2:
        found = apply("identity", "Reshape", None, [("tensor", operand)])
    else:
        last = -1 if dims[-1] is None else dims[-1]
        known = {"shape": (-1, last)} if last != -1 else None
        if known is None:
            raise NotImplementedError("a cross entropy of more than two axes needs to know how many classes there are")
        found = apply("reshape", "Reshape", None, [("tensor", operand)], known)
    found.op._inputs = [operand, shape]
    return found


def _entropy(logits: Tensor, labels: Tensor, axis: int, scope: str) -> Tensor:
    """The op itself: its second result is the gradient that its own gradient uses."""
    graph, core = logits.graph, logits.graph.core
    before = len(core.nodes)
    with core.scope("parts"):
        logs = core.add("log_softmax", [logits._node], {"axis": axis})
        summed = core.add("sum", [core.add("mul", [labels._node, logs])], {"axis": axis, "keepdims": False})
    result = apply("neg", "SoftmaxCrossEntropyWithLogits", scope, [("loss", graph.tensor(summed))])
    hide(graph, core.nodes[before : result._node.index], result._node)
    slope = core.add("softmax", [logits._node], {"axis": axis}, name=f"{result.op.name}:softmax/")
    hide(graph, [slope], result._node)
    slope = core.add("sub", [slope, labels._node], name=f"{result.op.name}:1/", label=result.op.type)
    indexing_ops.several(result, [slope])
    result.op._inputs = [logits, labels]
    return result


def _same_sizes(logits: Tensor, labels: Tensor, name: str) -> None:
    """:raises ValueError: the labels cannot go with the logits."""
    first, second = logits.shape._dims, labels.shape._dims
    if first is None or second is None or len(first) != len(second):
        return
    for a, b in zip(first, second, strict=True):
        if a is not None and b is not None and a != b and 1 not in (a, b):
            title = name[:-1] if name.endswith("/") else logits.graph.unique_name(name, False)
            raise ValueError(
                f"Dimensions must be equal, but are {a} and {b} for '{{{{node {title}}}}} = "
                f"SoftmaxCrossEntropyWithLogits[T=DT_FLOAT]({title}/Reshape, {title}/Reshape_1)' with input shapes: "
                f"{brackets(first)}, {brackets(second)}."
            )


def softmax_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    dim: Any = -1,
    name: str | None = None,
    axis: Any = None,
) -> Tensor:
    """As ``_v2``, but no gradient flows to the labels."""
    from engine.dialects.tensorflow.array_ops import stop_gradient

    _both_given("softmax_cross_entropy_with_logits", labels, logits)
    with build.graph_of([labels, logits]).name_scope(name or "softmax_cross_entropy_with_logits_sg") as scope:
        target = stop_gradient(labels, name="labels_stop_gradient")
        chosen = dim if axis is None else axis
        return softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=chosen, name=scope)


def sparse_softmax_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """The same loss with class numbers for labels."""
    _both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    tensor, classes = convert(logits, name="logits"), convert(labels, name="labels")
    rank = tensor.shape.ndims
    if rank is not None and classes.shape.ndims is not None and classes.shape.ndims != rank - 1:
        raise ValueError(
            "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
            f"labels.shape={classes.shape} of rank {classes.shape.ndims} and logits.shape={tensor.shape} of rank {rank}"
        )
    if not classes.dtype.base_dtype.is_integer:
        raise TypeError(
            f"Value passed to parameter 'labels' has DataType {classes.dtype.base_dtype.name} not in list of allowed "
            "values: int32, int64"
        )
    if rank is not None and not TensorShape(tensor.shape.as_list()[:-1]).is_compatible_with(classes.shape):
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={classes.shape} and logits.shape={tensor.shape}"
        )
    with tensor.graph.name_scope(name or "SparseSoftmaxCrossEntropyWithLogits"):
        sizes = array_ops.shape(classes)
        found = apply(
            "cross_entropy",
            "SparseSoftmaxCrossEntropyWithLogits",
            name,
            [("features", tensor), ("labels", classes)],
            {"reduction": "none", "axis": -1},
            same_type=False,
        )
    core = tensor.graph.core
    core.set_serves(sizes._node, found._node)
    operands = [tensor._node, classes._node]
    slope = core.add("tf_sparse_slope", operands, name=f"{found.op.name}:1/", label=found.op.type)
    indexing_ops.several(found, [slope])
    return found


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """``-labels * ln(sigmoid) - (1 - labels) * ln(1 - sigmoid)``, element by element."""
    _both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    scores = convert(logits, name="logits")
    truth = convert(labels, name="labels", preferred=scores.dtype.base_dtype)
    with scores.graph.name_scope(name or "logistic_loss") as scope:
        zeros = creation.zeros_like(scores)
        positive = math_ops.greater_equal(scores, zeros)
        above = indexing_ops.where(positive, scores, zeros)
        below = indexing_ops.where(positive, math_ops.negative(scores), scores)
        return math_ops.add(above - scores * truth, math_ops.log1p(math_ops.exp(below)), name=scope)


def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None, targets: Any = None
) -> Tensor:
    """The sigmoid cross entropy with more (or less) weight on the positive class."""
    scores = convert(logits, name="logits")
    truth = convert(targets if labels is None else labels, name="labels")
    with scores.graph.name_scope(name or "logistic_loss") as scope:
        factor = math_ops.add(1.0, math_ops.multiply(math_ops.subtract(pos_weight, 1.0), truth))
        tail = math_ops.add(
            math_ops.log1p(math_ops.exp(math_ops.negative(math_ops.abs_(scores)))), relu(math_ops.negative(scores))
        )
        return math_ops.add(
            math_ops.multiply(math_ops.subtract(1.0, truth), scores), math_ops.multiply(factor, tail), name=scope
        )


def _both_given(function: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        # the real message has no space there either
        raise ValueError(
            f"Both `labels` and `logits` must be provided for {function}Received: labels={labels} and logits={logits}"
        )
