"""TensorFlow's words for ops that fail in eager mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.dtypes import from_numpy
from engine.dialects.tensorflow.errors import InvalidArgumentError, ResourceExhaustedError
from engine.dialects.tensorflow.kernel_words import kernel_words, label_words
from engine.dialects.tensorflow.shapes import brackets
from engine.dynamic.facade import Primitive
from engine.errors import words_of

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def failed(label: str, text: str, *, name: str | None = "", count: int = 0) -> InvalidArgumentError:
    """What a kernel raises. ``count``: operands of a variadic op; ``name=None``: the message ends without a name.

    >>> str(failed("MatMul", "no"))[-22:]
    ' no [Op:MatMul] name: '
    """
    wrapped = f"{label}_N_{count}" if count else label
    end = "" if name is None else f" name: {name}"
    where = "{{function_node __wrapped__" + f"{wrapped}_device_{_CPU}" + "}} "
    return InvalidArgumentError(None, None, f"{where}{text} [Op:{label}]{end}")


_SHORT = {"half": "DT_HALF", "bfloat16": "DT_BFLOAT16", "float": "DT_FLOAT", "double": "DT_DOUBLE",
          "complex64": "DT_COMPLEX64", "complex128": "DT_COMPLEX128"}  # fmt: skip
_WITH_COMPLEX = "bfloat16 half float double complex64 complex128"
_ACTIVATION = ("features:T -> activations:T", "half bfloat16 float double")
_SIGNATURES = {
    **dict.fromkeys(("Softplus", "Elu", "Selu", "Softsign"), _ACTIVATION),
    "Softmax": ("logits:T -> softmax:T", _ACTIVATION[1]),
    "LogSoftmax": ("logits:T -> logsoftmax:T", _ACTIVATION[1]),
    "Erf": ("x:T -> y:T", "bfloat16 half float double"),
}


def refused(label: str, dtype: Any) -> InvalidArgumentError:
    """An op on numbers with a fraction is given others.

    >>> str(refused("Erf", from_numpy(np.dtype("int32"))))[:38]
    "Value for attr 'T' of int32 is not in "
    """
    signature, allowed = _SIGNATURES.get(label, ("x:T -> y:T", _WITH_COMPLEX))
    listed = allowed.split()
    return InvalidArgumentError(
        None, None,
        f"Value for attr 'T' of {dtype._message} is not in the list of allowed values: {', '.join(listed)}\n\t; "
        f"NodeDef: {{{{node {label}}}}}; Op<name={label}; signature={signature}; attr=T:type,"
        f"allowed=[{', '.join(_SHORT[one] for one in listed)}]> [Op:{label}] name: ",
    )  # fmt: skip


_ENDS: dict[str, dict[str, Any]] = {
    "Reshape": {"name": None},
    "ConcatV2": {"name": "concat"},
    "Pack": {"name": "stack"},
}
"""Messages that end with another name than that of a node without one."""


def mixed(label: str, place: int, first: Any, other: Any) -> InvalidArgumentError:
    """Two operands of different dtypes."""
    wanted, got = from_numpy(first)._message, from_numpy(other)._message
    return InvalidArgumentError(
        None, None,
        f"cannot compute {label} as input #{place}(zero-based) was expected to be a {wanted} tensor but is a {got} "
        f"tensor [Op:{label}] name: ",
    )  # fmt: skip


def explain(
    primitive: Primitive, operands: Sequence[Any], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The exception that TensorFlow would raise for an op that failed."""
    label = primitive.label
    arrays = [np.asarray(x._array) for x in operands]
    shapes = [array.shape for array in arrays]
    if isinstance(error, MemoryError):
        return ResourceExhaustedError(None, None, f"failed to allocate memory [Op:{label}]")
    if label == "SparseSoftmaxCrossEntropyWithLogits" and arrays[1].size and arrays[0].ndim:
        told = label_words(arrays[1], shapes[0][-1])
        if told is not None:
            return failed(label, told)
    if label == "MatMul" and len(shapes[0]) != len(shapes[1]):
        return failed(label, f"In[0] and In[1] has different ndims: {brackets(shapes[0])} vs. {brackets(shapes[1])}")
    if label in ("MatMul", "BatchMatMulV2"):
        return failed(label, f"Matrix size-incompatible: In[0]: {brackets(shapes[0])}, In[1]: {brackets(shapes[1])}")
    told = kernel_words(label, shapes, attributes)
    if told is not None:
        return failed(label, told, **_ENDS.get(label, {}), count=len(shapes) if primitive.op.variadic else 0)
    if label in ("FloorDiv", "FloorMod") and arrays[-1].dtype.kind in "iu" and not arrays[-1].all():
        return failed(label, "Integer division by zero")
    if label in ("GatherV2", "ScatterNd"):
        return failed(label, words_of(error), name=None)
    if label == "GatherNd":
        return failed(label, f"{words_of(error)}, node name: GatherNd", name=None)
    if primitive.op.elementwise and len(shapes) == 2:
        return failed(label, f"Incompatible shapes: {brackets(shapes[0])} vs. {brackets(shapes[1])}")
    return failed(label, str(error))
