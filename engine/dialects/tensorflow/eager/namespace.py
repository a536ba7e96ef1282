"""What ``import tensorflow`` finds in a program of 2.x."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.tensorflow import dtypes, errors
from engine.dialects.tensorflow.eager import array_ops, checks, math_ops, nn_ops, operators, random_ops, tape, variable
from engine.dialects.tensorflow.eager.shapes import TensorShape
from engine.dialects.tensorflow.eager.tensor import Tensor, Valued
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.indexed_slices import IndexedSlices

VERSION = "2.21.0"


def names() -> dict[str, dict[str, Any]]:
    """The names of each submodule; the empty one is ``tensorflow`` itself."""
    math = math_ops.FUNCTIONS
    beside_math = ("log", "log1p", "reciprocal", "erf", "is_nan", "is_inf", "is_finite", "reduce_variance",
                   "reduce_std", "floormod", "divide_no_nan", "rsqrt", "ceil", "rint", "expm1")  # fmt: skip
    top = {name: function for name, function in math.items() if name not in beside_math or name == "divide"}
    return {
        "": {
            **dtypes.DTYPES, "double": dtypes.DTYPES["float64"], "half": dtypes.DTYPES["float16"],
            **array_ops.FUNCTIONS, **top, "Variable": ResourceVariable, "Tensor": Tensor, "TensorShape": TensorShape,
            "DType": dtypes.DType, "as_dtype": dtypes.as_dtype, "GradientTape": tape.GradientTape,
            "UnconnectedGradients": tape.UnconnectedGradients, "newaxis": None, "__version__": VERSION,
            "executing_eagerly": lambda: True, "IndexedSlices": IndexedSlices,
            "is_tensor": lambda x: isinstance(x, Valued), "print": checks.print_,
            "device": checks.device,
        },
        "math": {**math, **{name: nn_ops.FUNCTIONS[name] for name in ("sigmoid", "tanh", "softplus", "softmax",
                                                                      "log_softmax")}},
        "linalg": {"matmul": math["matmul"], "norm": math["norm"], "eye": array_ops.eye, "tensordot": math["tensordot"],
                   "matrix_transpose": _swapped},
        "nn": nn_ops.FUNCTIONS,
        "random": random_ops.FUNCTIONS_OF_RANDOM,
        "errors": {name: getattr(errors, name) for name in errors.EXPORTED},
        "dtypes": {**dtypes.DTYPES, "as_dtype": dtypes.as_dtype, "DType": dtypes.DType, "cast": math["cast"]},
        "debugging": {"check_numerics": checks.check_numerics, "assert_equal": checks.assert_equal},
        "strings": {"to_number": checks.to_number},
        "version": {"VERSION": VERSION},
    }  # fmt: skip


def _swapped(a: Any, name: str | None = None, conjugate: bool = False) -> Any:
    from engine.dialects.tensorflow.eager.tensor import convert

    tensor = convert(a)
    rank = tensor._array.ndim
    return array_ops.transpose(tensor, (*range(rank - 2), rank - 1, rank - 2))


def _missing(module: ModuleType, part: str) -> Any:
    """A module's ``__getattr__``: names of 1.x are refused in the real framework's words."""
    from engine.dialects.tensorflow import namespace as old

    explain = module_getattr(module, "tensorflow 2.x")
    words = f"tensorflow._api.v2.{part}" if part else "tensorflow"

    def getattr_(name: str) -> Any:
        if name in old._parts().get(part, ()) or (
            not part and name in ("contrib", "layers", "app", "flags", "logging")
        ):
            raise AttributeError(f"module '{words}' has no attribute '{name}'")
        return explain(name)

    return getattr_


def tf2_modules() -> dict[str, ModuleType]:
    """``tensorflow`` and its submodules, by full name, for a new program.

    >>> from engine.dialects.tensorflow.graph import reset_default_graph
    >>> reset_default_graph()  # a new program has none
    >>> tf = tf2_modules()["tensorflow"]
    >>> tf.constant([1.0, 2.0]) * 3
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 6.], dtype=float32)>
    """
    from engine.dialects.tensorflow.eager import generators
    from engine.dialects.tensorflow.function.first_version import first_version
    from engine.dialects.tensorflow.function.names import names as all_names

    operators.attach()
    tape.begin()
    random_ops.begin()
    variable.begin()
    generators.begin()
    modules: dict[str, ModuleType] = {}
    for part, found in sorted(all_names().items()):
        name = f"tensorflow.{part}" if part else "tensorflow"
        module = modules[name] = ModuleType(name)
        module.__dict__.update(found)
        module.__path__ = []
        if part:
            parent, _, last = name.rpartition(".")
            setattr(modules[parent], last, module)
        module.__dict__["__getattr__"] = _missing(module, part)
    modules.update(first_version(modules))
    return modules
