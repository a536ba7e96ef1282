"""``keras.metrics.Metric``: variables that batch after batch is added to, and a result."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import array_ops, is_tensor, math_ops
from engine.dialects.tensorflow.keras.losses import functions
from engine.dialects.tensorflow.keras.variables import Variable

_M = math_ops.FUNCTIONS


class Metric:
    """What all metrics are."""

    __module__ = "keras.src.metrics.metric"

    if TYPE_CHECKING:  # weights and settings are attributes by the names that a layer gives them

        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith("engine."):
            for name in ("update_state", "result"):
                if name in cls.__dict__:
                    setattr(cls, name, _quietly(cls.__dict__[name]))

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        self.name = name or state.unique_name(type(self).__name__)
        self._dtype = dtype if isinstance(dtype, str) else state.floatx()
        self.__dict__.setdefault("_own", [])
        self.__dict__.setdefault("_parts", [])

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Variable) and not any(v is value for v in self.__dict__.setdefault("_own", [])):
            self.__dict__["_own"].append(value)
        elif isinstance(value, Metric):
            self.__dict__.setdefault("_parts", []).append(value)
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"

    __str__ = __repr__

    @property
    def dtype(self) -> Any:
        return self._dtype

    def add_variable(
        self, shape: Any, initializer: Any, dtype: Any = None, aggregation: Any = "sum", name: Any = None
    ) -> Variable:
        with state.name_scope(self.name, caller=self), state.quiet():
            made = Variable(initializer, shape=shape, dtype=dtype, trainable=False, name=name)
        if not any(v is made for v in self._own):
            self._own.append(made)
        return made

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: Any = None, **_: Any
    ) -> Variable:
        """A variable that :meth:`reset_state` sets to 0."""
        return self.add_variable(shape, initializer or "zeros", dtype, name=name)

    @property
    def variables(self) -> list[Any]:
        return [*self._own, *(v for part in self._parts for v in part.variables)]

    def update_state(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError

    def result(self) -> Any:
        raise NotImplementedError

    def reset_state(self) -> None:
        """Begin anew."""
        with state.bookkeeping():
            for variable in self.variables:
                variable.assign(np.zeros(tuple(variable.shape), variable._array.dtype))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.update_state(*arguments, **options)
        return self.result()

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


def _quietly(method: Any) -> Any:
    """What Keras's own metrics work out is no part of the picture."""

    @functools.wraps(method)
    def quiet(self: Any, *arguments: Any, **options: Any) -> Any:
        with state.bookkeeping():
            return method(self, *arguments, **options)

    return quiet


class Reduced(Metric):
    """A sum of values, or their mean by weight."""

    averaging = True

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", self.dtype, name="total")
        if self.averaging:
            self.count = self.add_variable((), "zeros", self.dtype, name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        values = math_ops.cast(functions.as_floats(values), self.dtype)
        weight = None
        if sample_weight is not None:
            weight = math_ops.cast(functions.as_floats(sample_weight), self.dtype)
            if len(weight.shape) and len(values.shape) > len(weight.shape):
                extra = tuple(range(len(weight.shape), len(values.shape)))
                values = _M["reduce_mean"](values, extra)
            values, weight = functions.same_rank(values, weight)
            if not values.shape:
                values, weight = array_ops.reshape(values, [1]), array_ops.reshape(weight, [-1])
            weight = array_ops.broadcast_to(weight, values.shape) if weight.shape != values.shape else weight
            values = _M["multiply"](values, weight)
        total = _M["reduce_sum"](values)
        self.total.assign(self.total + total)
        if self.averaging:
            count = _M["reduce_sum"](weight if weight is not None else array_ops.ones_like(values))
            self.count.assign(self.count + count)

    def result(self) -> Any:
        if not self.averaging:
            return array_ops.identity(self.total)
        return math_ops.divide_no_nan(self.total, self.count)


class Mean(Reduced):
    """The mean of what it was given."""

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class Sum(Reduced):
    """The sum of what it was given."""

    averaging = False

    def __init__(self, name: str | None = "sum", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class MeanMetricWrapper(Mean):
    """The mean of a function of labels and predictions."""

    def __init__(self, fn: Any, name: str | None = None, dtype: Any = None, **options: Any) -> None:
        super().__init__(name=name or getattr(fn, "__name__", None), dtype=dtype)
        self._fn, self._options = fn, options

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        true, pred = tensor_of(y_true), tensor_of(y_pred)
        values = self._fn(true, pred, **self._options)
        mask = None if not is_tensor(y_pred) else _mask(y_pred)
        if mask is not None:
            present = math_ops.cast(mask, "float32")
            sample_weight = present if sample_weight is None else _M["multiply"](convert(sample_weight), present)
        super().update_state(values, sample_weight)

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "dtype": self.dtype, **self._options}


def _mask(tensor: Any) -> Any:
    from engine.dialects.tensorflow.keras.marks import mask_of

    return mask_of(tensor)


def tensor_of(value: Any) -> Any:
    return value if is_tensor(value) else convert(np.asarray(value))


__all__ = ["Mean", "MeanMetricWrapper", "Metric", "Reduced", "Sum", "nest", "tensor_of"]
