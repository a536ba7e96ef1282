"""One step of a recurrent network: the cells of RNN, LSTM and GRU."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch import creation, joining, pointwise
from engine.dialects.torch.linear_algebra import linear
from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import blank

GATES = {"RNN": 1, "RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}


def _step(mode: str, x: Any, state: Any, weights: Any) -> Any:
    """One step of a cell: the new state (for an LSTM: hidden and cell) from one input."""
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    if mode == "LSTM":
        h, c = state
        gates = linear(h, w_hh, b_hh) + linear(x, w_ih, b_ih)
        i, f, g, o = joining.unsafe_chunk(gates, 4, -1)
        c = pointwise.sigmoid(f) * c + pointwise.sigmoid(i) * pointwise.tanh(g)
        h = pointwise.sigmoid(o) * pointwise.tanh(c)
        return h if w_hr is None else linear(h, w_hr), c
    a, b = linear(x, w_ih, b_ih), linear(state, w_hh, b_hh)
    if mode == "GRU":
        ar, az, an = joining.unsafe_chunk(a, 3, -1)
        br, bz, bn = joining.unsafe_chunk(b, 3, -1)
        r, z = pointwise.sigmoid(br + ar), pointwise.sigmoid(bz + az)
        n = pointwise.tanh(an + bn * r)
        return (state - n) * z + n
    return F.relu(b + a) if mode == "RNN_RELU" else pointwise.tanh(b + a)


class _Cell(Module):
    __module__ = "torch.nn.modules.rnn"
    mode = "RNN_TANH"

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        gates = GATES[self.mode] * hidden_size
        self.weight_ih = blank(gates, input_size)
        self.weight_hh = blank(gates, hidden_size)
        self.register_parameter("bias_ih", blank(gates) if bias else None)
        self.register_parameter("bias_hh", blank(gates) if bias else None)
        bound = 1.0 / math.sqrt(hidden_size) if hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input: Any, hx: Any = None) -> Any:
        if input.dim() not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.shape[-1]} expected {self.input_size}")
        if hx is None:
            zero = creation.zeros(*input.shape[:-1], self.hidden_size, dtype=input.dtype)
            hx = (zero, zero) if self.mode == "LSTM" else zero
        for number, part in enumerate(hx if self.mode == "LSTM" else (hx,)):
            if part.shape[:-1] != input.shape[:-1]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{number} batch size {part.shape[0]}"
                )
            if part.shape[-1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{number} has inconsistent hidden_size: got {part.shape[-1]}, expected {self.hidden_size}"
                )
        return _step(self.mode, input, hx, (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, None))

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class RNNCell(_Cell):
    """One step of an :class:`RNN`."""

    __module__ = "torch.nn.modules.rnn"

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", **options: Any
    ) -> None:
        object.__setattr__(self, "mode", f"RNN_{nonlinearity.upper()}")
        super().__init__(input_size, hidden_size, bias, **options)
        self.nonlinearity = nonlinearity

    def extra_repr(self) -> str:
        return super().extra_repr() + ("" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}")


class LSTMCell(_Cell):
    """One step of an :class:`LSTM`."""

    __module__ = "torch.nn.modules.rnn"
    mode = "LSTM"


class GRUCell(_Cell):
    """One step of a :class:`GRU`."""

    __module__ = "torch.nn.modules.rnn"
    mode = "GRU"
