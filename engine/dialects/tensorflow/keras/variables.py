"""``keras.Variable``: a variable that knows its path, its regularizer and its constraint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.shapes import TensorShape
from engine.dialects.tensorflow.eager.tensor import Valued, convert, repr_of, run
from engine.dialects.tensorflow.eager.variable import ResourceVariable, UnreadVariable
from engine.dialects.tensorflow.keras import state
from engine.dialects.tensorflow.keras.both import dtype_of, is_tensor


class DtypeName(str):
    """A dtype as Keras names it, which TensorFlow can ask like one of its own."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(dtypes.as_dtype(str(self)), name)


class Variable(ResourceVariable):
    """A weight, or another piece of a layer's, a metric's or an optimizer's state."""

    __slots__ = ("_path", "aggregation", "autocast", "constraint", "overwrite_with_gradient", "regularizer")
    __module__ = "keras.src.backend"

    if TYPE_CHECKING:  # the operators of all tensors, which are set from a table

        def __add__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...

    def __init__(
        self, initializer: Any, shape: Any = None, dtype: Any = None, trainable: bool = True, autocast: bool = True,
        aggregation: str = "none", synchronization: str = "auto", name: str | None = None, **_: Any,
    ) -> None:  # fmt: skip
        name = name or state.unique_name("variable")
        if not isinstance(name, str) or "/" in name:
            raise ValueError(
                f"Argument `name` must be a string and cannot contain character `/`. Received: name={name}"
            )
        self._path = state.path_of(name)
        with state.quiet():
            value = _initial(initializer, shape, dtype)
        super().__init__(value, trainable=trainable, name=self._path)
        self._name = name
        self.autocast, self.aggregation = autocast, aggregation
        self.regularizer = self.constraint = None
        self.overwrite_with_gradient = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> str:
        return self._path

    @property
    def dtype(self) -> Any:
        return DtypeName(dtypes.from_numpy(self._array.dtype).name)

    @property
    def ndim(self) -> int:
        return self._array.ndim

    @property
    def trainable(self) -> bool:
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        self._requires_grad = self._trainable and self._array.dtype.kind in "fc"

    @property
    def value(self) -> Any:  # type: ignore[override]
        """TensorFlow's own variable behind it."""
        return _Backing(self)

    def __repr__(self) -> str:
        shape = tuple(self._array.shape)
        return f"<Variable path={self._path}, shape={shape}, dtype={self.dtype}, value={self._array}>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec) if spec else str(self)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'Variable' object has no attribute '{name}'")

    # -- writing -----------------------------------------------------------------------------------------------------
    def assign(self, value: Any, *_: Any, **__: Any) -> Any:
        """Give it another value of the same shape; the dtype becomes its own."""
        new = _as_tensor(value, self._array.dtype)
        if tuple(new.shape) != tuple(self._array.shape):
            raise ValueError(
                "The shape of the target variable and the shape of the target value in `variable.assign(value)` must "
                f"match. variable.shape={TensorShape(self._array.shape)}, Received: value.shape={new.shape}. Target "
                f"variable: {self}"
            )
        super().assign(new)
        return self

    def assign_add(self, delta: Any, *_: Any, **__: Any) -> Any:
        """Add to it."""
        return self.assign(self + _as_tensor(delta, self._array.dtype))

    def assign_sub(self, delta: Any, *_: Any, **__: Any) -> Any:
        """Subtract from it."""
        return self.assign(self - _as_tensor(delta, self._array.dtype))


class _Backing(UnreadVariable):
    """A Keras variable as TensorFlow prints it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self._of._path}:0"

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={repr_of(self._array)}>"

    __str__ = __repr__

    def assign(self, value: Any, *_: Any, **__: Any) -> Any:
        return self._of.assign(value)


def _as_tensor(value: Any, dtype: np.dtype[Any]) -> Any:
    if is_tensor(value):
        return value if dtype_of(value) == dtype else run("cast", "Cast", value, dtype=dtype)
    return convert(np.asarray(value).astype(dtype))


def _initial(initializer: Any, shape: Any, dtype: Any) -> Any:
    from engine.dialects.tensorflow.keras import initializers

    kind = dtypes.as_dtype(dtype or (state.floatx() if shape is not None or callable(initializer) else None) or (
        initializer.dtype if hasattr(initializer, "dtype") else state.floatx()))  # fmt: skip
    if callable(initializer) or isinstance(initializer, str):
        if shape is None:
            raise ValueError(
                "When creating a Variable from an initializer, the `shape` argument should be specified. Received: "
                f"initializer={initializer} and shape={shape}"
            )
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        for size in sizes:
            if size is None:
                raise ValueError(
                    "Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: "
                    f"shape={sizes} for variable path='{state.path_of('variable')}'"
                )
        value = initializers.get(initializer)(sizes, dtype=kind.name)
        array = np.asarray(value._array if isinstance(value, Valued) else value, kind._numpy)
    else:
        array = np.array(initializer._array if isinstance(initializer, Valued) else initializer, kind._numpy)
    return array
