"""``tf.nn.rnn_cell``: one step of a recurrent network each, with variables that are made at the first call."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow import dtypes, initializers, math_ops, rnn_ops  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.array_ops import concat
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.clipping import clip_by_value
from engine.dialects.tensorflow.creation import constant_value
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import split
from engine.dialects.tensorflow.nn_ops import bias_add
from engine.dialects.tensorflow.scopes import VariableScope, get_variable, variable_scope
from engine.dialects.tensorflow.shapes import TensorShape

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "GRUCell", "LSTMCell", "LSTMStateTuple", "MultiRNNCell", "RNNCell",
]  # fmt: skip

LSTMStateTuple = namedtuple("LSTMStateTuple", ("c", "h"))


class RNNCell:
    """What all cells share: a scope for the variables, sizes, a state of zeros."""

    def __init__(self, reuse: Any = None, name: str | None = None, dtype: Any = None, activation: Any = None) -> None:
        self._base = name or _snake(type(self).__name__)
        self._named = name is not None
        self.name = name or get_default_graph().layer_name(self._base)
        self._reuse = reuse
        self._scope: VariableScope | None = None
        self._activation = _activation(activation)
        self.built = False

    @property
    def state_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def trainable_variables(self) -> list[Any]:
        return [v for v in vars(self).values() if hasattr(v, "initializer")]

    weights = variables = trainable_weights = trainable_variables

    @contextmanager
    def _own_scope(self) -> Iterator[None]:
        if self._scope is None:
            name, default = (self._base, None) if self._named else (None, self._base)
            with variable_scope(name, default, reuse=self._reuse) as self._scope:
                yield
        else:
            # Ops of every call stand in the scope of the first one.
            home = self._scope.original_name_scope
            with (
                variable_scope(self._scope, reuse=self._reuse, auxiliary_name_scope=False),
                get_default_graph().name_scope(home),
            ):
                yield

    def build(self, inputs_shape: Any) -> None:
        """Make the variables for inputs of this shape."""
        shape = TensorShape(inputs_shape)
        width = shape.as_list()[-1]
        if width is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
        if not self.built:
            with self._own_scope():
                self._make(int(width))
            self.built = True

    def _make(self, width: int) -> None:
        raise NotImplementedError

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        raise NotImplementedError("Abstract method")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Any]:
        found = convert(inputs)
        self.build(found.shape)
        with self._own_scope():
            return self.call(found, state)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step: zeros for each example of the batch."""
        with get_default_graph().name_scope(f"{type(self).__name__}ZeroState"):
            return self._zero_state(batch_size, dtype)

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return _zeros(self.state_size, batch_size, dtypes.as_dtype(dtype))

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        return self.zero_state(batch_size, dtype)


def _zeros(size: Any, batch: Any, dtype: dtypes.DType) -> Any:
    if isinstance(size, tuple):
        parts = [_zeros(item, batch, dtype) for item in size]
        return type(size)(*parts) if hasattr(size, "_fields") else tuple(parts)
    rows = convert(batch, name="batch_size")
    known = constant_value(rows)
    if known is not None:
        return convert(initializers.Zeros()((int(known), int(size)), dtype))
    attributes = {"width": int(size), "dtype": dtype._numpy}
    return apply("tf_zero_state", "Fill", "zeros", [("dims", rows)], attributes)


def _snake(name: str) -> str:
    return {
        "BasicRNNCell": "basic_rnn_cell", "BasicLSTMCell": "basic_lstm_cell", "LSTMCell": "lstm_cell",
        "GRUCell": "gru_cell", "MultiRNNCell": "multi_rnn_cell",
    }.get(name, "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_"))  # fmt: skip


def _activation(given: Any) -> Callable[[Any], Tensor]:
    if given is None:
        return math_ops.tanh
    if isinstance(given, str):
        from engine.dialects.tensorflow import nn_ops

        return getattr(nn_ops, given)  # type: ignore[no-any-return]
    return given  # type: ignore[no-any-return]


def _dense(inputs: Sequence[Tensor], kernel: Any, bias: Any) -> Tensor:
    return bias_add(math_ops.matmul(concat(list(inputs), 1), kernel), bias)


class _Plain(RNNCell):
    """A cell with one number of units."""

    gates = 1

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, name: str | None = None,
                 dtype: Any = None, **_more: Any) -> None:  # fmt: skip
        super().__init__(reuse, name, dtype, activation)
        self._num_units = int(num_units)

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def _make(self, width: int) -> None:
        units = self._num_units
        self._kernel = get_variable("kernel", [width + units, self.gates * units])
        self._bias = get_variable("bias", [self.gates * units], initializer=initializers.Zeros())


class BasicRNNCell(_Plain):
    """``output = new_state = tanh(W [inputs, state] + b)``."""

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        output = self._activation(_dense([inputs, state], self._kernel, self._bias))
        return output, output


class BasicLSTMCell(_Plain):
    """Long short-term memory: a state ``c`` that is added to, an output ``h``."""

    gates = 4

    def __init__(self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True, activation: Any = None,
                 reuse: Any = None, name: str | None = None, dtype: Any = None, **more: Any) -> None:  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, **more)
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple

    @property
    def state_size(self) -> Any:
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def _joined(self, c: Tensor, h: Tensor) -> Any:
        """The new state: a pair, or both side by side in one tensor."""
        return LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1)

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        c, h = state if self._state_is_tuple else split(state, 2, 1)
        i, j, f, o = split(_dense([inputs, h], self._kernel, self._bias), 4, 1)
        kept = math_ops.multiply(c, math_ops.sigmoid(math_ops.add(f, self._forget_bias)))
        new_c = math_ops.add(kept, math_ops.multiply(math_ops.sigmoid(i), self._activation(j)))
        new_h = math_ops.multiply(self._activation(new_c), math_ops.sigmoid(o))
        return new_h, self._joined(new_c, new_h)


class LSTMCell(BasicLSTMCell):
    """:class:`BasicLSTMCell` with gates that may see the state ``c`` (peepholes), a state that may be clipped, an
    output that may be projected to ``num_proj`` numbers."""

    def __init__(self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
                 num_proj: Any = None, proj_clip: Any = None, num_unit_shards: Any = None,
                 num_proj_shards: Any = None, forget_bias: float = 1.0, **more: Any) -> None:  # fmt: skip
        super().__init__(num_units, forget_bias, **more)
        self._initializer = initializer
        self._peepholes, self._cell_clip = use_peepholes, cell_clip
        self._num_proj, self._proj_clip = num_proj, proj_clip

    @property
    def output_size(self) -> Any:
        return self._num_proj or self._num_units

    def _make(self, width: int) -> None:
        units, start = self._num_units, self._initializer
        self._kernel = get_variable("kernel", [width + self.output_size, 4 * units], initializer=start)
        self._bias = get_variable("bias", [4 * units], initializer=initializers.Zeros())
        if self._peepholes:
            self._views = {gate: get_variable(f"w_{gate}_diag", [units], initializer=start) for gate in "fio"}
        if self._num_proj is not None:
            self._projection = get_variable("projection/kernel", [units, self._num_proj], initializer=start)

    def _gate(self, name: str, x: Tensor, c: Tensor) -> Tensor:
        return math_ops.sigmoid(x + self._views[name] * c if self._peepholes else x)

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        c, h = state if self._state_is_tuple else split(state, [self._num_units, self.output_size], 1)
        i, j, f, o = split(_dense([inputs, h], self._kernel, self._bias), 4, 1)
        new_c = self._gate("f", f + self._forget_bias, c) * c + self._gate("i", i, c) * self._activation(j)
        if self._cell_clip is not None:
            new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
        new_h = math_ops.multiply(self._gate("o", o, new_c), self._activation(new_c))
        if self._num_proj is not None:
            new_h = math_ops.matmul(new_h, self._projection)
            if self._proj_clip is not None:
                new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, self._joined(new_c, new_h)


class GRUCell(_Plain):
    """Gated recurrent unit: a reset and an update gate."""

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
                 bias_initializer: Any = None, name: str | None = None, dtype: Any = None) -> None:  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype)
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def _make(self, width: int) -> None:
        units, kernel, bias = self._num_units, self._kernel_initializer, self._bias_initializer
        self._gate_kernel = get_variable("gates/kernel", [width + units, 2 * units], initializer=kernel)
        self._gate_bias = get_variable("gates/bias", [2 * units], initializer=bias or initializers.Ones())
        self._candidate_kernel = get_variable("candidate/kernel", [width + units, units], initializer=kernel)
        self._candidate_bias = get_variable("candidate/bias", [units], initializer=bias or initializers.Zeros())

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        both = math_ops.sigmoid(_dense([inputs, state], self._gate_kernel, self._gate_bias))
        reset, update = split(both, 2, 1)
        candidate = self._activation(_dense([inputs, reset * state], self._candidate_kernel, self._candidate_bias))
        output = update * state + (1.0 - update) * candidate
        return output, output


class MultiRNNCell(RNNCell):
    """Cells on top of each other: the output of one is the input of the next."""

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, list | tuple):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        self._cells = list(cells)

    @property
    def state_size(self) -> Any:
        return tuple(cell.state_size for cell in self._cells)

    @property
    def output_size(self) -> Any:
        return self._cells[-1].output_size

    def _make(self, width: int) -> None:
        for place, cell in enumerate(self._cells):
            with variable_scope(f"cell_{place}"):
                cell.build([None, width])
            width = cell.output_size

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    def call(self, inputs: Tensor, state: Any) -> tuple[Tensor, Any]:
        states = []
        for place, cell in enumerate(self._cells):
            with variable_scope(f"cell_{place}"):
                inputs, after = cell(inputs, state[place])
            states.append(after)
        return inputs, tuple(states)
