"""The modules that ``import tensorflow`` gives in 1.x: names only, everything is defined elsewhere.

The public functions of a module are exported as they are called there; a trailing underscore keeps Python's own
name free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.tensorflow import (
    array_ops,
    casting,
    checking_ops,
    clipping,
    control_flow,
    convolution,
    creation,
    cross_entropies,
    dtypes,
    errors,
    functional_ops,
    indexing_ops,
    initializers,
    linear_algebra,
    losses,
    math_ops,
    metrics,
    more_optimizers,
    nn_norms,
    nn_ops,
    optimizers,
    ordering,
    python_functions,
    random_ops,
    rates,
    reductions,
    rnn,
    rnn_cell,
    rnn_wrappers,
    run_metadata,
    sampled_losses,
    scattering,
    scopes,
    segments,
    slicing_ops,
    spaced,
    strings,
    surroundings,
    tensor_arrays,
    train,
    variables,
    while_loops,
)
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow import session as sessions
from engine.dialects.tensorflow.eager import tape
from engine.dialects.tensorflow.function import printing
from engine.dialects.tensorflow.gradients import gradients, hessians
from engine.dialects.tensorflow.handles import Operation, Tensor, default_session
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.late import contrib
from engine.dialects.tensorflow.namespace_tools import tool_parts
from engine.dialects.tensorflow.shapes import Dimension, TensorShape, dimension_value

VERSION = "1.15.5"
_HELPERS = frozenset(
    {
        "partial_shape",
        "pair",
        "div_no_nan",
        "axes_of",
        "several",
        "devices",
        "overload",
        "static_shape",
        "constant_value",
        "get_seed",
        "begin",
        "size_of",
        "spaced",
        "check_fits",
        "is_text",
        "look_up",
    }
)
_ONLY_INITIALIZERS = {"identity", *initializers.SCALED}


def functions_of(*modules: ModuleType) -> dict[str, Any]:
    """The public functions that these modules define."""
    found: dict[str, Any] = {}
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_"):
                found[name.removesuffix("_")] = value
    return {name: value for name, value in found.items() if name not in _HELPERS}


def _silent(value: Any = None) -> Callable[..., Any]:
    """A switch of the real framework that means nothing here."""
    return lambda *_args, **_kwargs: value


def _initializers() -> dict[str, Any]:
    return {
        "zeros": initializers.Zeros,
        "ones": initializers.Ones,
        "constant": initializers.Constant,
        "random_normal": _defaults(initializers.RandomNormal, stddev=1.0),
        "random_uniform": _defaults(initializers.RandomUniform, minval=0.0, maxval=1.0),
        "truncated_normal": _defaults(initializers.TruncatedNormal, stddev=1.0),
        "variance_scaling": initializers.VarianceScaling,
        "glorot_uniform": initializers.GlorotUniform,
        "glorot_normal": initializers.GlorotNormal,
        "orthogonal": initializers.Orthogonal,
        **{name: initializers.scaled(*how) for name, how in initializers.SCALED.items()},
        "identity": initializers.Identity,
    }


def _defaults(kind: Any, **defaults: Any) -> Any:
    """An initialiser class whose arguments have other defaults under its 1.x name."""

    class Initial(kind):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**({} if args else defaults), **kwargs})

    Initial.__name__ = Initial.__qualname__ = kind.__name__
    return Initial


def tf1_names() -> dict[str, Any]:
    """Every name of ``tensorflow`` itself."""
    names: dict[str, Any] = {**dtypes.DTYPES}
    names |= functions_of(
        creation,
        array_ops,
        indexing_ops,
        slicing_ops,
        casting,
        math_ops,
        clipping,
        reductions,
        variables,
        scopes,
        random_ops,
        control_flow,
        while_loops,
        functional_ops,
        spaced,
    )
    names |= functions_of(surroundings, ordering, segments, linear_algebra, scattering, python_functions)
    names |= {**strings.TOP, "RunOptions": run_metadata.RunOptions, "RunMetadata": run_metadata.RunMetadata}
    names |= {"lin_space": spaced.linspace, "divide_no_nan": losses.div_no_nan, "tile": array_ops.tile}
    names |= {name: getattr(checking_ops, name) for name in checking_ops.__all__}
    names |= {f"{name}_initializer": kind for name, kind in _initializers().items() if name not in _ONLY_INITIALIZERS}
    names |= {
        "double": dtypes.DTYPES["float64"],
        "half": dtypes.DTYPES["float16"],
        "realdiv": math_ops.truediv,
        "initialize_all_variables": variables.global_variables_initializer,
        "all_variables": variables.global_variables,
        "gradients": gradients,
        "print": printing.staged,
        "get_seed": random_ops.get_seed,
        "hessians": hessians,
        "get_default_graph": graphs.get_default_graph,
        "reset_default_graph": graphs.reset_default_graph,
        "get_default_session": default_session,
        "as_dtype": dtypes.as_dtype,
        "dimension_value": dimension_value,
        "AUTO_REUSE": scopes.AUTO_REUSE,
        "newaxis": None,
        "__version__": VERSION,
        "VERSION": VERSION,
    }
    for kind in (
        graphs.Graph, Operation, Tensor, TensorShape, Dimension, dtypes.DType, variables.Variable, IndexedSlices,
    ):  # fmt: skip
        names[{Tensor: "Tensor", variables.Variable: "Variable"}.get(kind, kind.__name__)] = kind
    for other in (
        tensor_arrays.TensorArray,
        sessions.Session,
        sessions.InteractiveSession,
        scopes.VariableScope,
        surroundings.GraphKeys,
    ):
        names[other.__name__] = other
    names["ConfigProto"], names["GPUOptions"] = surroundings.ConfigProto, surroundings.GPUOptions
    for switch in (
        "disable_v2_behavior",
        "disable_eager_execution",
        "enable_resource_variables",
        "disable_resource_variables",
    ):
        names[switch] = _silent()
    return names


def _parts() -> dict[str, dict[str, Any]]:
    """The names of each submodule; the empty one is ``tensorflow`` itself."""
    random = functions_of(random_ops)
    found = {**vars(optimizers), **vars(more_optimizers)}
    kinds = {k: v for k, v in found.items() if isinstance(v, type) and issubclass(v, train.Optimizer)}
    parts: dict[str, dict[str, Any]] = {
        "": tf1_names(),
        "nn.rnn_cell": {**{name: getattr(rnn_cell, name) for name in rnn_cell.__all__}, **rnn_wrappers.EXPORTED},
        "nn": {
            **functions_of(nn_ops, cross_entropies, nn_norms, sampled_losses, rnn, convolution),
            "sigmoid": math_ops.sigmoid,
            "tanh": math_ops.tanh,
        },
        "train": {
            **kinds,
            **{k: v for k, v in functions_of(train, rates).items() if k != "gradients"},
            "piecewise_constant_decay": rates.piecewise_constant_decay,
            "ExponentialMovingAverage": scattering.ExponentialMovingAverage,
        },
        "errors": {name: getattr(errors, name) for name in errors.EXPORTED},
        "math": {
            **functions_of(math_ops, clipping, reductions, ordering, segments, linear_algebra),
            "divide_no_nan": losses.div_no_nan,
        },
        "linalg": {
            **functions_of(linear_algebra),
            "matmul": math_ops.matmul,
            "det": math_ops.matrix_determinant,
            "inv": math_ops.matrix_inverse,
            "cholesky": math_ops.cholesky,
            "eye": spaced.eye,
            "diag": indexing_ops.diag,
            "solve": linear_algebra.matrix_solve,
            "band_part": linear_algebra.matrix_band_part,
        },
        "strings": strings.MODULE,
        "initializers": _initializers(),
        "random": {**random, "normal": random["random_normal"], "uniform": random["random_uniform"]},
        "losses": {**functions_of(losses), "Reduction": losses.Reduction},
        "metrics": metrics.EXPORTED,
        "dtypes": {**dtypes.DTYPES, "as_dtype": dtypes.as_dtype, "DType": dtypes.DType},
    }
    for part, names in tool_parts().items():
        parts.setdefault(part, {}).update(names)
    return parts


def tf1_modules() -> dict[str, ModuleType]:
    """``tensorflow`` and its submodules, by full name."""
    parts = _parts()
    modules = {"tensorflow": ModuleType("tensorflow"), "tensorflow.compat": ModuleType("tensorflow.compat")}
    for prefix in ("tensorflow", "tensorflow.compat.v1"):
        for part, names in parts.items():
            name = f"{prefix}.{part}" if part else prefix
            module = modules.setdefault(name, ModuleType(name))
            module.__dict__.update(names)
    for name, module in modules.items():
        module.__path__ = []
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(modules[parent], last, module)
        module.__dict__["__getattr__"] = module_getattr(module, "tensorflow 1.x")
    # ``import tensorflow.compat.v1 as tf`` and then ``tf.compat.v1.summary``, as the real module allows.
    vars(modules["tensorflow.compat.v1"])["compat"] = modules["tensorflow.compat"]
    _eager(modules)
    return modules


def _eager(modules: dict[str, ModuleType]) -> None:
    """What switches to eager execution, and what is only there to be used after that."""
    from engine.dialects.tensorflow.eager.namespace import names as eager_names
    from engine.dialects.tensorflow.late import Mode, begin

    begin()
    for part, names in eager_names().items():
        if part.partition(".")[0] == "keras":
            for prefix in ("tensorflow", "tensorflow.compat.v1"):
                _install(modules, f"{prefix}.{part}", names)
    mode = Mode(modules)
    for prefix in ("tensorflow", "tensorflow.compat.v1"):
        vars(modules[prefix]).update(
            enable_eager_execution=mode.enable, executing_eagerly=mode.executing_eagerly,
            GradientTape=tape.GradientTape,
        )  # fmt: skip
        vars(modules[f"{prefix}.contrib.eager"]).update(contrib.names(mode))


def _install(modules: dict[str, ModuleType], name: str, names: Mapping[str, Any]) -> None:
    """Another module, known to the one around it."""
    module = modules.setdefault(name, ModuleType(name))
    module.__path__ = []
    module.__dict__.update(names, __getattr__=module_getattr(module, "tensorflow 1.x"))
    parent, _, last = name.rpartition(".")
    setattr(modules[parent], last, module)
