"""What the names of 1.x mean while executing eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow.eager import namespace, random_ops
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.late import checkpoints, contrib, losses, optimizers, variables

_OLD = {
    "log": "math.log", "log1p": "math.log1p", "erf": "math.erf", "reciprocal": "math.reciprocal",
    "is_nan": "math.is_nan", "is_inf": "math.is_inf", "is_finite": "math.is_finite", "rsqrt": "math.rsqrt",
    "floormod": "math.floormod", "expm1": "math.expm1", "ceil": "math.ceil", "random_normal": "random.normal",
    "random_uniform": "random.uniform", "truncated_normal": "random.truncated_normal",
}  # fmt: skip
"""Names of 1.x by what they are called in 2.x."""
_DROPPED = frozenset(
    {"__version__", "executing_eagerly", "Tensor", "TensorShape", "DType", "as_dtype", "newaxis", "device"}
)


def eager_names() -> dict[str, dict[str, Any]]:
    """The names of each submodule that mean something else now."""
    new = namespace.names()
    top = {name: value for name, value in new[""].items() if name not in _DROPPED}
    for old, path in _OLD.items():
        part, _, name = path.rpartition(".")
        if name in new.get(part, {}):
            top[old] = new[part][name]
    top.update(
        div=_div, Variable=ResourceVariable, set_random_seed=random_ops.set_seed, get_variable=variables.get_variable,
        assign=lambda ref, value, **_: ref.assign(value), to_float=lambda x, name=None: new[""]["cast"](x, "float32"),
        assign_add=lambda ref, value, **_: ref.assign_add(value),
        assign_sub=lambda ref, value, **_: ref.assign_sub(value),
    )  # fmt: skip
    for name in ("reduce_mean", "reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "argmax", "argmin"):
        top[name] = _renamed(top[name])
    return {
        "": top,
        "math": new["math"],
        "nn": {**new["nn"], "softmax_cross_entropy_with_logits_v2": new["nn"]["softmax_cross_entropy_with_logits"],
               "dropout": contrib.dropout},
        "random": new["random"],
        "losses": losses.FUNCTIONS,
        "train": {**optimizers.CLASSES, **variables.STEPS, "Checkpoint": checkpoints.Checkpoint},
    }  # fmt: skip


def _renamed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction that takes its arguments under the names of 1.x too."""

    def reduced(
        x: Any = None, axis: Any = None, keepdims: Any = None, name: Any = None, reduction_indices: Any = None,
        keep_dims: Any = None, dimension: Any = None, input_tensor: Any = None, input: Any = None, **more: Any,
    ) -> Any:  # fmt: skip
        given = next(value for value in (x, input_tensor, input) if value is not None)
        place = next((value for value in (axis, reduction_indices, dimension) if value is not None), None)
        keep = keepdims if keep_dims is None else keep_dims
        return function(given, place, **({} if keep is None else {"keepdims": keep}), **more)

    return reduced


def _div(x: Any, y: Any, name: str | None = None) -> Any:
    """The division of Python 2."""
    from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS
    from engine.dialects.tensorflow.eager.tensor import convert

    tensor = convert(x)
    return FUNCTIONS["floordiv" if tensor.dtype.is_integer else "divide"](tensor, y)


_GRAPH_ONLY = {
    "placeholder": "tf.placeholder() is not compatible with eager execution.",
    "placeholder_with_default": None,
    "gradients": "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.",
}
_NEUTRAL = frozenset(
    [
        "get_default_graph", "reset_default_graph", "name_scope", "variable_scope", "device", "executing_eagerly",
        "enable_eager_execution", "disable_eager_execution", "disable_v2_behavior", "enable_resource_variables",
        "disable_resource_variables", "as_dtype", "dimension_value", "make_ndarray", "control_dependencies",
        "get_default_session", "add_to_collection", "get_collection", "no_op", "group", "summary_iterator", "map_fn",
        "make_tensor_proto", "broadcast_static_shape",
    ]
)  # fmt: skip
"""What is no op, and works in both modes."""
_CHECKED = frozenset({"", "nn", "math", "losses", "layers", "metrics"})


def refusals(part: str) -> dict[str, Callable[[str], Callable[..., Any]]] | Refusals:
    """What the functions of a submodule that only know graphs become."""
    return Refusals() if part in _CHECKED else {}


class Refusals:
    """A table of functions that say what they cannot do while executing eagerly."""

    def __contains__(self, name: object) -> bool:
        return name not in _NEUTRAL

    def __getitem__(self, name: str) -> Callable[[str], Callable[..., Any]]:
        def made(title: str) -> Callable[..., Any]:
            def refused(*_args: Any, **_kwargs: Any) -> Any:
                if _GRAPH_ONLY.get(name):
                    raise RuntimeError(_GRAPH_ONLY[name])
                raise NotImplementedError(
                    f"{title}: this teaching engine has it for graphs, not while executing eagerly; use it inside "
                    "`with tf.Graph().as_default():`, or leave out tf.enable_eager_execution()"
                )

            return refused

        return made
