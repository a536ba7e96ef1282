"""The modules that ``import tensorflow`` gives in 1.x: names only, everything is defined elsewhere."""

from __future__ import annotations

from contextlib import contextmanager
from types import ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.tensorflow import (
    array_ops,
    dtypes,
    errors,
    initializers,
    math_ops,
    nn_ops,
    random_ops,
    scopes,
    train,
    variables,
)
from engine.dialects.tensorflow import session as sessions
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import (
    Graph,
    Operation,
    Tensor,
    default_session,
    get_default_graph,
    reset_default_graph,
)
from engine.dialects.tensorflow.shapes import Dimension, TensorShape, dimension_value

VERSION = "1.15.5"


class GraphKeys:
    """The usual names of collections."""

    GLOBAL_VARIABLES = "variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    LOCAL_VARIABLES = "local_variables"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    SUMMARIES = "summaries"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    WEIGHTS, BIASES, ACTIVATIONS = "weights", "biases", "activations"


class _Options:
    """Options that configure what this engine does not have (devices, threads): taken, kept, without effect."""

    def __init__(self, **options: Any) -> None:
        self.__dict__.update(options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__[name] = _Options()
        return value


class ConfigProto(_Options):
    pass


class GPUOptions(_Options):
    pass


@contextmanager
def name_scope(name: Any, default_name: Any = None, values: Any = None) -> Any:
    with get_default_graph().name_scope(default_name if name is None and default_name is not None else name) as scope:
        yield scope


def control_dependencies(control_inputs: Any) -> Any:
    return get_default_graph().control_dependencies(control_inputs)


def device(name: Any) -> Any:
    return get_default_graph().device(name)


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    hint = preferred_dtype if dtype_hint is None else dtype_hint
    return convert(value, dtype, name or "Const", None if hint is None else dtypes.as_dtype(hint))


def add_to_collection(name: str, value: Any) -> None:
    get_default_graph().add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection(key, scope)


def is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor | variables.Variable)


def _values(prefix_of: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(prefix_of, name) for name in names}


def tf1_names() -> dict[str, Any]:
    """Every name of ``tensorflow`` itself."""
    names: dict[str, Any] = {
        "__version__": VERSION,
        "VERSION": VERSION,
        "newaxis": None,
        "Graph": Graph,
        "Operation": Operation,
        "Tensor": Tensor,
        "TensorShape": TensorShape,
        "Dimension": Dimension,
        "DType": dtypes.DType,
        "as_dtype": dtypes.as_dtype,
        "GraphKeys": GraphKeys,
        "ConfigProto": ConfigProto,
        "GPUOptions": GPUOptions,
        "Session": sessions.Session,
        "InteractiveSession": sessions.InteractiveSession,
        "get_default_graph": get_default_graph,
        "reset_default_graph": reset_default_graph,
        "get_default_session": default_session,
        "name_scope": name_scope,
        "control_dependencies": control_dependencies,
        "device": device,
        "convert_to_tensor": convert_to_tensor,
        "add_to_collection": add_to_collection,
        "get_collection": get_collection,
        "is_tensor": is_tensor,
        "dimension_value": dimension_value,
        "Variable": variables.Variable,
        "assign": variables.assign,
        "assign_add": variables.assign_add,
        "assign_sub": variables.assign_sub,
        "group": variables.group,
        "no_op": variables.no_op,
        "tuple": variables.tuple_,
        "gradients": train.gradients,
        "AUTO_REUSE": scopes.AUTO_REUSE,
        "VariableScope": scopes.VariableScope,
        "executing_eagerly": lambda: False,
        "disable_v2_behavior": lambda: None,
        "disable_eager_execution": lambda: None,
        "enable_resource_variables": lambda: None,
        "disable_resource_variables": lambda: None,
        "no_gradient": lambda op: None,
        "abs": math_ops.abs_,
        "pow": math_ops.pow_,
        "range": array_ops.range_,
        "slice": array_ops.slice_,
        "initialize_all_variables": variables.global_variables_initializer,
        "all_variables": variables.global_variables,
        "random_normal_initializer": _defaults(initializers.RandomNormal, stddev=1.0),
        "truncated_normal_initializer": _defaults(initializers.TruncatedNormal, stddev=1.0),
        "random_uniform_initializer": _defaults(initializers.RandomUniform, minval=0.0, maxval=None),
        "zeros_initializer": initializers.Zeros,
        "ones_initializer": initializers.Ones,
        "constant_initializer": initializers.Constant,
        "variance_scaling_initializer": initializers.VarianceScaling,
        "glorot_uniform_initializer": initializers.GlorotUniform,
        "glorot_normal_initializer": initializers.GlorotNormal,
    }
    names.update(dtypes.DTYPES)
    names.update({"double": dtypes.DTYPES["float64"], "half": dtypes.DTYPES["float16"]})
    names.update(
        _values(
            math_ops,
            "add",
            "subtract",
            "multiply",
            "divide",
            "div",
            "truediv",
            "floordiv",
            "mod",
            "maximum",
            "minimum",
            "greater",
            "greater_equal",
            "less",
            "less_equal",
            "equal",
            "not_equal",
            "logical_and",
            "logical_or",
            "logical_not",
            "square",
            "sqrt",
            "rsqrt",
            "exp",
            "expm1",
            "log",
            "log1p",
            "sign",
            "floor",
            "sin",
            "cos",
            "tan",
            "tanh",
            "sigmoid",
            "negative",
            "reciprocal",
            "erf",
            "is_nan",
            "is_inf",
            "is_finite",
            "cast",
            "to_float",
            "to_int32",
            "reduce_sum",
            "reduce_mean",
            "reduce_max",
            "reduce_min",
            "reduce_prod",
            "reduce_all",
            "reduce_any",
            "reduce_logsumexp",
            "argmax",
            "argmin",
            "matmul",
            "tensordot",
            "add_n",
            "clip_by_value",
            "clip_by_norm",
            "clip_by_global_norm",
            "global_norm",
        )
    )
    names.update(
        {"realdiv": math_ops.truediv, "neg": math_ops.negative, "sub": math_ops.subtract, "mul": math_ops.multiply}
    )
    names.update(
        _values(
            array_ops,
            "constant",
            "placeholder",
            "placeholder_with_default",
            "identity",
            "stop_gradient",
            "zeros",
            "ones",
            "fill",
            "zeros_like",
            "ones_like",
            "reshape",
            "transpose",
            "expand_dims",
            "squeeze",
            "concat",
            "stack",
            "unstack",
            "split",
            "gather",
            "one_hot",
            "where",
            "linspace",
            "eye",
            "tile",
            "pad",
            "reverse",
            "shape",
            "size",
            "rank",
            "strided_slice",
        )
    )
    names.update(
        _values(
            variables,
            "global_variables",
            "trainable_variables",
            "local_variables",
            "global_variables_initializer",
            "local_variables_initializer",
            "variables_initializer",
            "is_variable_initialized",
            "report_uninitialized_variables",
        )
    )
    names.update(_values(scopes, "get_variable", "get_variable_scope", "variable_scope"))
    names.update(_values(random_ops, "random_normal", "random_uniform", "truncated_normal", "set_random_seed"))
    return names


def _defaults(kind: Any, **defaults: Any) -> Any:
    """An initialiser class whose arguments have other defaults under its 1.x name."""

    class Initial(kind):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**(defaults if not args else {}), **kwargs})

    Initial.__name__ = Initial.__qualname__ = kind.__name__
    return Initial


NN = (
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "softplus",
    "softmax",
    "log_softmax",
    "l2_loss",
    "bias_add",
    "sigmoid",
    "tanh",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "sparse_softmax_cross_entropy_with_logits",
    "sigmoid_cross_entropy_with_logits",
    "in_top_k",
    "dropout",
    "embedding_lookup",
    "moments",
)
TRAIN = (
    "Optimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "AdagradOptimizer",
    "RMSPropOptimizer",
    "AdamOptimizer",
    "exponential_decay",
    "get_global_step",
    "create_global_step",
    "get_or_create_global_step",
)


def losses() -> dict[str, Any]:
    """``tf.losses``."""

    def collected(loss: Tensor) -> Tensor:
        loss.graph.add_to_collection("losses", loss)
        return loss

    def mean_squared_error(
        labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, **_more: Any
    ) -> Tensor:
        with get_default_graph().name_scope(scope or "mean_squared_error"):
            distance = math_ops.square(
                math_ops.subtract(predictions, math_ops.cast(labels, convert(predictions).dtype))
            )
            return collected(math_ops.reduce_mean(distance, name="value"))

    def softmax_cross_entropy(
        onehot_labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None, **_more: Any
    ) -> Tensor:
        with get_default_graph().name_scope(scope or "softmax_cross_entropy_loss"):
            each = nn_ops.softmax_cross_entropy_with_logits(labels=onehot_labels, logits=logits)
            return collected(math_ops.reduce_mean(each, name="value"))

    def sparse_softmax_cross_entropy(
        labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None, **_more: Any
    ) -> Tensor:
        with get_default_graph().name_scope(scope or "sparse_softmax_cross_entropy_loss"):
            each = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            return collected(math_ops.reduce_mean(each, name="value"))

    return {f.__name__: f for f in (mean_squared_error, softmax_cross_entropy, sparse_softmax_cross_entropy)}


def tf1_modules() -> dict[str, ModuleType]:
    """``tensorflow`` and its submodules, by full name."""
    parts: dict[str, dict[str, Any]] = {
        "": tf1_names(),
        "nn": {name: getattr(nn_ops, name) for name in NN},
        "train": {name: getattr(train, name) for name in TRAIN},
        "errors": {name: getattr(errors, name) for name in errors.EXPORTED},
        "math": {
            name: getattr(math_ops, name)
            for name in (
                "add",
                "subtract",
                "multiply",
                "divide",
                "square",
                "sqrt",
                "exp",
                "log",
                "tanh",
                "sigmoid",
                "reduce_sum",
                "reduce_mean",
                "reduce_max",
                "reduce_min",
                "maximum",
                "minimum",
                "equal",
                "argmax",
            )
        },
        "initializers": {
            "zeros": initializers.Zeros,
            "ones": initializers.Ones,
            "constant": initializers.Constant,
            "random_normal": initializers.RandomNormal,
            "random_uniform": initializers.RandomUniform,
            "truncated_normal": initializers.TruncatedNormal,
            "variance_scaling": initializers.VarianceScaling,
            "glorot_uniform": initializers.GlorotUniform,
            "glorot_normal": initializers.GlorotNormal,
        },
        "random": {
            "normal": random_ops.random_normal,
            "uniform": random_ops.random_uniform,
            "set_random_seed": random_ops.set_random_seed,
            "truncated_normal": random_ops.truncated_normal,
        },
        "losses": losses(),
        "logging": {
            "DEBUG": 10,
            "INFO": 20,
            "WARN": 30,
            "ERROR": 40,
            "FATAL": 50,
            "set_verbosity": lambda level: None,
            "info": lambda *args: None,
        },
        "dtypes": dict(dtypes.DTYPES),
    }
    modules: dict[str, ModuleType] = {}
    for prefix in ("tensorflow", "tensorflow.compat.v1"):
        for part, names in parts.items():
            _module(modules, f"{prefix}.{part}" if part else prefix, names)
    _module(modules, "tensorflow.compat", {})
    modules["tensorflow"].__dict__["compat"] = modules["tensorflow.compat"]
    for name, module in modules.items():
        parent, _, last = name.rpartition(".")
        if parent in modules:
            setattr(modules[parent], last, module)
        module.__dict__["__getattr__"] = module_getattr(module, "tensorflow 1.x")
    return modules


def _module(modules: dict[str, ModuleType], name: str, names: dict[str, Any]) -> None:
    module = modules[name] = ModuleType(name)
    module.__dict__.update(names)
    module.__path__ = []
