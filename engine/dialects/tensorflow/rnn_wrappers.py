"""Cells around cells: dropout, residuals, a projection of the output, an embedding of the input."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import math_ops, nn_ops
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.initializers import Zeros
from engine.dialects.tensorflow.rnn_cell import RNNCell
from engine.dialects.tensorflow.scopes import get_variable, variable_scope


class _Wrapper(RNNCell):
    """What wrappers share: the sizes and the variables are those of the cell inside."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self._cell = cell

    @property
    def wrapped_cell(self) -> Any:
        return self._cell

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size

    def build(self, inputs_shape: Any) -> None:
        self._cell.build(inputs_shape)
        self.built = True

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return self._cell.zero_state(batch_size, dtype)


class DropoutWrapper(_Wrapper):
    """Dropout of what goes in, of what comes out and of the state."""

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0, state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False, input_size: Any = None, dtype: Any = None, seed: Any = None,
        **_more: Any,
    ) -> None:  # fmt: skip
        super().__init__(cell)
        if variational_recurrent:
            raise NotImplementedError("DropoutWrapper: variational_recurrent is not known in this teaching engine")
        self._keep = input_keep_prob, output_keep_prob, state_keep_prob
        self._seed = seed

    def _dropped(self, tensor: Tensor, keep: Any) -> Tensor:
        if isinstance(keep, int | float):
            if not 0 < keep <= 1:
                raise ValueError(f"Parameter input_keep_prob must be between 0 and 1: {keep:f}")
            if keep == 1:
                return tensor
        return nn_ops.dropout(tensor, keep_prob=keep, seed=self._seed)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        into, out, kept = self._keep
        output, after = self._cell(self._dropped(convert(inputs), into), state, scope)
        return self._dropped(output, out), self._state(after, kept)

    def _state(self, state: Any, keep: Any) -> Any:
        if isinstance(keep, int | float) and keep == 1:
            return state
        if isinstance(state, tuple) and hasattr(state, "_fields"):
            return type(state)(
                *(s if f == "c" else self._state(s, keep) for f, s in zip(state._fields, state, strict=True))
            )
        if isinstance(state, tuple):
            return tuple(self._state(part, keep) for part in state)
        return self._dropped(state, keep)


class ResidualWrapper(_Wrapper):
    """The output plus the input."""

    def __init__(self, cell: Any, residual_fn: Any = None, **_more: Any) -> None:
        super().__init__(cell)
        self._function = residual_fn

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        output, after = self._cell(inputs, state, scope)
        return (self._function or math_ops.add)(inputs, output), after


class DeviceWrapper(_Wrapper):
    """A cell on a device: there is one here."""

    def __init__(self, cell: Any, device: Any, **_more: Any) -> None:
        super().__init__(cell)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        return self._cell(inputs, state, scope)  # type: ignore[no-any-return]


class OutputProjectionWrapper(_Wrapper):
    """A dense layer on the output."""

    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None:
        super().__init__(cell)
        self._size, self._after = int(output_size), activation

    @property
    def output_size(self) -> Any:
        return self._size

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        self.build(convert(inputs).shape)
        output, after = self._cell(inputs, state)
        with self._own_scope():
            if not hasattr(self, "_kernel"):
                self._kernel = get_variable("kernel", [self._cell.output_size, self._size])
                self._bias = get_variable("bias", [self._size], initializer=Zeros())
            projected = nn_ops.bias_add(math_ops.matmul(output, self._kernel), self._bias)
        return (projected if self._after is None else self._after(projected)), after


class EmbeddingWrapper(_Wrapper):
    """An embedding of the numbers that go in."""

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._classes, self._size, self._initializer = embedding_classes, embedding_size, initializer

    def build(self, inputs_shape: Any) -> None:
        self.built = True

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        from engine.dialects.tensorflow.array_ops import reshape

        with variable_scope(scope or "embedding_wrapper", reuse=hasattr(self, "_table") or None):
            self._table = get_variable("embedding", [self._classes, self._size], "float32", self._initializer)
            found = nn_ops.embedding_lookup(self._table, reshape(inputs, [-1]))
        return self._cell(found, state)  # type: ignore[no-any-return]


EXPORTED = {
    "DropoutWrapper": DropoutWrapper, "ResidualWrapper": ResidualWrapper, "DeviceWrapper": DeviceWrapper,
}  # fmt: skip
CONTRIB = {**EXPORTED, "OutputProjectionWrapper": OutputProjectionWrapper, "EmbeddingWrapper": EmbeddingWrapper}
