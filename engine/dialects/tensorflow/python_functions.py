"""``tf.py_func``: a function of the program as an op; ``tf.make_template``: a function that shares its variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import constant
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import several
from engine.dialects.tensorflow.scopes import AUTO_REUSE, variable_scope
from engine.ops.registry import op
from engine.tensor_type import TensorType


class _Shared:
    """One call of the function for all its results in a run."""

    def __init__(self, function: Callable[..., Any], kinds: list[np.dtype[Any]]) -> None:
        self.function, self.kinds = function, kinds
        self.results: list[Any] = []

    def call(self, arrays: tuple[Any, ...]) -> None:
        found = self.function(*arrays)
        given = list(found) if isinstance(found, list | tuple) else [found]
        self.results = [np.asarray(value, kind) for value, kind in zip(given, self.kinds, strict=True)]


def _called(*arrays: Any, shared: _Shared) -> Any:
    shared.call(arrays[1:])
    return shared.results[0] if shared.kinds else np.zeros((), np.float32)


op(
    "tf_py_func",
    "*operands",
    _called,
    lambda *operands, shared: TensorType(shared.kinds[0] if shared.kinds else np.dtype(np.float32), None),
    None,
    stateful=True,
    category="control",
    symbol="py",
)
op(
    "tf_py_result",
    "*operands",
    lambda *operands, shared, place: shared.results[place],
    lambda *operands, shared, place: TensorType(shared.kinds[place], None),
    None,
    stateful=True,
    category="control",
    symbol="py",
)


def py_func(func: Any, inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """``func`` of arrays, called whenever the op runs."""
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    several_results = isinstance(Tout, list | tuple)
    kinds = [dtypes.as_dtype(kind)._numpy for kind in (Tout if several_results else [Tout])]
    shared = _Shared(func, kinds)
    operands = [("call", constant(np.float32(0))), *((f"input_{i}", convert(value)) for i, value in enumerate(inp))]
    first = apply("tf_py_func", "PyFunc", name, operands, {"shared": shared}, same_type=False)
    core = first.graph.core
    rest = [
        core.add("tf_py_result", [first._node], {"shared": shared, "place": place}, name=f"{first.op.name}:{place}/",
                 label="PyFunc")
        for place in range(1, len(kinds))
    ]  # fmt: skip
    found: list[Tensor] = several(first, rest)
    return list(found) if several_results else found[0]


def make_template(
    name_: str, func_: Any, create_scope_now_: bool = False, unique_name_: str | None = None, **kwargs: Any
) -> Callable[..., Any]:
    """``func_`` whose variables are made at the first call and used again in later ones."""
    made: list[Any] = []

    def template(*args: Any, **more: Any) -> Any:
        if made:
            with variable_scope(made[0], reuse=AUTO_REUSE):
                return func_(*args, **{**kwargs, **more})
        with variable_scope(unique_name_, name_) as scope:
            made.append(scope)
            return func_(*args, **{**kwargs, **more})

    return template
