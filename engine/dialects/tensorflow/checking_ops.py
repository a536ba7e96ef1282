"""Checks and words inside the graph: ``tf.Assert``, ``tf.assert_equal``, ``tf.check_numerics``, ``tf.Print``."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import array_ops, errors, math_ops
from engine.dialects.tensorflow.build import apply, convert, dtype_of, graph_of
from engine.dialects.tensorflow.control_flow import cond
from engine.dialects.tensorflow.creation import constant_value
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.reductions import reduce_all
from engine.dialects.tensorflow.variables import no_op


class Counted:
    """How often an op has spoken; each session counts for itself."""

    def __init__(self) -> None:
        self.count = 0

    def restart(self) -> Counted:
        """Nothing said yet."""
        return Counted()


def Assert(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> Operation:
    """An op that fails unless ``condition`` holds. Data other than texts and ``int32`` is looked at only if it fails:
    the op is a decision then, as the real one."""
    attributes = {"summarize": 3 if summarize is None else int(summarize)}
    graph = graph_of([condition, *data])
    with graph.as_default(), graph.name_scope(name or "Assert"):
        wanted = convert(condition, name="condition")
        kinds = {convert(value).dtype.base_dtype.name for value in data}
        inputs = [("condition", wanted), *((f"data_{i}", value) for i, value in enumerate(data))]

        def fail() -> Operation:
            return apply("tf_assert", "Assert", "Assert", inputs, attributes, same_type=False).op

        if kinds <= {"string", "int32"}:
            return fail()
        return cond(wanted, no_op, fail, name="AssertGuard").op  # type: ignore[no-any-return]


def _compared(function: Any, symbol: str, default: str) -> Any:
    def check(
        x: Any, y: Any, data: Any = None, summarize: Any = None, message: Any = None, name: str | None = None
    ) -> Operation:
        said = message or ""
        graph = graph_of([x, y])
        if symbol == "==":  # the real one first looks whether both are the same, in a scope of its own
            with graph.name_scope(name or default):
                pass
        with graph.as_default(), graph.name_scope(name or default):
            left = convert(x, name="x", preferred=dtype_of(y))
            right = convert(y, name="y", preferred=left.dtype.base_dtype)
            known = constant_value(left), constant_value(right)
            holds = reduce_all(function(left, right))
            if all(value is not None for value in known) and not np.all(_NUMPY[symbol](*known)):
                raise errors.InvalidArgumentError(
                    None, None, f"{said}\nCondition x {symbol} y did not hold element-wise:\nx ({left.name}) = \n"
                    f"{known[0]}\ny ({right.name}) = \n{known[1]}".lstrip("\n"),
                )  # fmt: skip
            first = [said] if said else []
            parts = [*first, f"Condition x {symbol} y did not hold element-wise:", f"x ({left.name}) = ", left,
                     f"y ({right.name}) = ", right]  # fmt: skip
            return Assert(holds, parts if data is None else data, summarize)

    check.__name__ = default
    return check


_NUMPY: dict[str, Any] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip
assert_equal = _compared(math_ops.equal, "==", "assert_equal")
assert_none_equal = _compared(math_ops.not_equal, "!=", "assert_none_equal")
assert_less = _compared(math_ops.less, "<", "assert_less")
assert_less_equal = _compared(math_ops.less_equal, "<=", "assert_less_equal")
assert_greater = _compared(math_ops.greater, ">", "assert_greater")
assert_greater_equal = _compared(math_ops.greater_equal, ">=", "assert_greater_equal")


def _signed(check: Any, symbol: str, default: str, zero_first: bool) -> Any:
    def against_zero(
        x: Any, data: Any = None, summarize: Any = None, message: Any = None, name: str | None = None
    ) -> Operation:
        graph = graph_of([x])
        with graph.as_default(), graph.name_scope(name or default):
            tensor = convert(x, name="x")
            zero = convert(np.zeros((), tensor.dtype.base_dtype._numpy))
            said = [
                f"{message}.  " if message else "",
                f"Condition x {symbol} 0 did not hold element-wise:",
                f"x ({tensor.name}) = ",
                tensor,
            ]
            pair = (zero, tensor) if zero_first else (tensor, zero)
            return check(*pair, said if data is None else data, summarize)  # type: ignore[no-any-return]

    against_zero.__name__ = default
    return against_zero


assert_positive = _signed(assert_less, ">", "assert_positive", True)
assert_negative = _signed(assert_less, "<", "assert_negative", False)
assert_non_negative = _signed(assert_less_equal, ">=", "assert_non_negative", True)
assert_non_positive = _signed(assert_less_equal, "<=", "assert_non_positive", False)


def assert_rank(x: Any, rank: int, message: Any = None, name: str | None = None, **_more: Any) -> Operation:
    """Fails unless ``x`` has this rank: while the graph is built if that is known, else in a run."""
    graph = graph_of([x])
    with graph.as_default(), graph.name_scope(name or "assert_rank"):
        tensor, wanted = convert(x), convert(rank, name="rank")
        sizes = array_ops.shape(tensor)
        if tensor.shape.ndims is None:
            data = [message or "", f"Tensor {tensor.name} must have rank", wanted, "Received shape: ", sizes]
            return Assert(math_ops.equal(array_ops.rank(tensor), wanted), data)
        if tensor.shape.ndims != int(constant_value(wanted)):
            raise ValueError(
                f"{message or ''}.  Tensor {tensor.name} must have rank {rank}.  Received rank {tensor.shape.ndims}, "
                f"shape {tensor.shape}"
            )
        return no_op("static_checks_determined_all_ok")


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """``tensor``, or an error if there is NaN or infinity in it."""
    return apply("tf_check_numerics", "CheckNumerics", name, [("tensor", tensor)], {"text": message})


def add_check_numerics_ops() -> Operation:
    """One op that checks all numbers of the graph."""
    from engine.dialects.tensorflow.variables import group

    graph = get_default_graph()
    found = [t for op in graph.get_operations() for t in op.outputs if t.dtype.base_dtype.is_floating]
    return group(*[check_numerics(t, t.name) for t in found if t._node.region is None and not t.ref_])


def Print(
    input_: Any, data: Any, message: Any = None, first_n: Any = None, summarize: Any = None, name: str | None = None
) -> Tensor:
    """``input_``; says ``data`` to stderr whenever it is computed."""
    inputs: list[tuple[str, Any]] = [("input", convert(input_))]
    inputs += [(f"data_{i}", convert(value)) for i, value in enumerate(data)]
    attributes = {
        "message": message or "", "summarize": 3 if summarize is None else int(summarize),
        "first_n": -1 if first_n is None else int(first_n), "generator": Counted(),
    }  # fmt: skip
    return apply("tf_print", "Print", name, inputs, attributes, same_type=False)


__all__ = [
    "Assert", "Print", "add_check_numerics_ops", "assert_equal", "assert_greater", "assert_greater_equal",
    "assert_less", "assert_less_equal", "assert_negative", "assert_non_negative", "assert_non_positive",
    "assert_none_equal", "assert_positive", "assert_rank", "check_numerics",
]  # fmt: skip
