"""RNN, LSTM and GRU: cells, and layers that unroll them."""

from __future__ import annotations

import math
import warnings
from typing import Any

from engine.dialects.torch import creation, indexing, joining
from engine.dialects.torch.nn import dropouts, init
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.packing import PackedSequence
from engine.dialects.torch.nn.parameter import blank
from engine.dialects.torch.nn.recurrent_cells import GATES, _step
from engine.dialects.torch.overrides import is_watched
from engine.dialects.torch.tensor import FACADE
from engine.dialects.torch.types import Size
from engine.dynamic.apply import apply

ONEDNN = FACADE.primitive("stack", "stack", "MkldnnRnnLayerBackward0")
"""What all steps of an LSTM layer give: the framework computes them by one call of oneDNN."""
TURNED_BACK = FACADE.primitive("transpose", "transpose_", "TransposeBackward1")


class _Recurrent(Module):
    __module__ = "torch.nn.modules.rnn"
    mode = "RNN_TANH"

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if proj_size and self.mode != "LSTM":
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        self.proj_size = proj_size
        self._width = proj_size or hidden_size
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout, self.bidirectional = bias, batch_first, float(dropout), bidirectional
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                "num_layers "
                f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                UserWarning,
                stacklevel=3,
            )
        gates = GATES[self.mode] * hidden_size
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            width = input_size if layer == 0 else self._width * directions
            for suffix in _suffixes(layer, directions):
                setattr(self, f"weight_ih{suffix}", blank(gates, width))
                setattr(self, f"weight_hh{suffix}", blank(gates, self._width))
                if bias:
                    setattr(self, f"bias_ih{suffix}", blank(gates))
                    setattr(self, f"bias_hh{suffix}", blank(gates))
                if proj_size:
                    setattr(self, f"weight_hr{suffix}", blank(proj_size, hidden_size))
        bound = 1.0 / math.sqrt(hidden_size) if hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Memory layout for a GPU: nothing to do here."""

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction."""
        directions = 2 if self.bidirectional else 1
        return [
            [w for w in self._weights(suffix) if w is not None]
            for layer in range(self.num_layers)
            for suffix in _suffixes(layer, directions)
        ]

    def _weights(self, suffix: str) -> Any:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        return [getattr(self, name + suffix, None) for name in names]

    def _check(self, shape: tuple[int, ...]) -> None:
        if len(shape) not in (2, 3):
            kind = "tensor " if self.mode.startswith("RNN") else ""
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {len(shape)}D {kind}instead")
        if shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {shape[-1]}"
            )

    def forward(self, input: Any, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        self._check(input.shape)
        _check_kind(self, input, self.weight_ih_l0)
        batched = input.dim() == 3
        x = input if batched else input.unsqueeze(1)
        if batched and self.batch_first:
            x = x.transpose(0, 1)
        steps = list(joining.unbind(x, 0))
        states = self._initial(hx, x.shape[1], batched, x)
        outputs, finals = self._run([[s] for s in steps], None, states)
        traced = is_watched()  # somebody writes calls down, and sees only those of functions that a program knows
        whole = ONEDNN if self.mode == "LSTM" and not self.proj_size else joining.STACK
        sides = [joining.stack(side, 0) if traced else apply(whole, side, {"axis": 0}) for side in outputs]
        out: Any = sides[0] if len(sides) == 1 else joining.cat(sides, -1)
        hidden = self._join(finals)
        if not batched:
            out = out.squeeze(1)
            hidden = tuple(h.squeeze(1) for h in hidden) if self.mode == "LSTM" else hidden.squeeze(1)
        elif self.batch_first and (traced or self.mode == "LSTM"):
            out = out.transpose(0, 1)
        elif self.batch_first:
            out = apply(TURNED_BACK, (out,), {"axes": (1, 0, 2)})
        return out, hidden

    def _initial(self, hx: Any, batch: int, batched: bool, like: Any) -> list[Any]:
        """The start state of every layer and direction."""
        count = self.num_layers * (2 if self.bidirectional else 1)
        if self.mode == "LSTM" and hx is not None and not isinstance(hx, tuple | list):
            hx = (hx[0], hx[1])  # what the framework does with a tensor: its first two rows
        parts = hx if self.mode == "LSTM" and hx is not None else (hx,)
        if hx is None:
            zero = creation.zeros(count, batch, self._width, dtype=like.dtype)
            cell = creation.zeros(count, batch, self.hidden_size, dtype=like.dtype) if self.proj_size else zero
            parts = (zero, cell) if self.mode == "LSTM" else (zero,)
        elif not batched:
            parts = tuple(p.unsqueeze(1) for p in parts)
        for name, part in zip(("0", "1"), parts, strict=False):
            expected = (count, batch, self.hidden_size if name == "1" else self._width)
            if tuple(part.shape) != expected:
                prefix = f"hidden[{name}]" if self.mode == "LSTM" else "hidden"
                raise RuntimeError(f"Expected {prefix} size {expected}, got {list(part.shape)}")
        pieces = [joining.unbind(part, 0) for part in parts]
        return [tuple(p[i] for p in pieces) if self.mode == "LSTM" else pieces[0][i] for i in range(count)]

    def _run(self, steps: list[list[Any]], sizes: Any, states: list[Any]) -> tuple[list[Any], list[Any]]:
        """What the last layer's directions give at all steps, and the last states; with ``sizes`` (packed) only the
        first rows of a state take part in a step."""
        xs = [step[0] for step in steps]
        finals: list[Any] = []
        directions = 2 if self.bidirectional else 1
        for layer in range(self.num_layers):
            outputs = []
            for direction, suffix in enumerate(_suffixes(layer, directions)):
                state = states[layer * directions + direction]
                outs, final = _unroll(self.mode, xs, sizes, state, self._weights(suffix), direction == 1)
                outputs.append(outs)
                finals.append(final)
            if layer < self.num_layers - 1:
                xs = _side_by_side(outputs)
                if self.dropout:
                    xs = [dropouts.dropout(x, self.dropout, self.training) for x in xs]
        return outputs, finals

    def _join(self, finals: list[Any]) -> Any:
        if self.mode == "LSTM":
            return joining.stack([f[0] for f in finals]), joining.stack([f[1] for f in finals])
        return joining.stack(finals)

    def _forward_packed(self, input: Any, hx: Any) -> Any:
        sizes = input.batch_sizes.tolist()
        steps = [[piece] for piece in joining.split(input.data, sizes, 0)]
        if hx is not None and input.sorted_indices is not None:
            order = input.sorted_indices
            hx = tuple(h[:, order] for h in hx) if self.mode == "LSTM" else hx[:, order]
        states = self._initial(hx, sizes[0], True, input.data)
        outputs, finals = self._run(steps, sizes, states)
        hidden = self._join(finals)
        if input.unsorted_indices is not None:
            back = input.unsorted_indices
            if self.mode == "LSTM":
                hidden = tuple(indexing.index_select(h, 1, back) for h in hidden)
            else:
                hidden = indexing.index_select(hidden, 1, back)
        packed = PackedSequence(
            joining.cat(_side_by_side(outputs), 0), input.batch_sizes, input.sorted_indices, input.unsorted_indices
        )
        return packed, hidden

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (
            ("proj_size", 0),
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0.0),
            ("bidirectional", False),
        ):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text


def _check_kind(module: Any, input: Any, weight: Any) -> None:
    if input._array.dtype != weight._array.dtype:
        raise ValueError(
            f"{type(module).__name__} input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
            f"Convert input: input.to({weight.dtype}), or convert model: model.to({input.dtype})"
        )


def _side_by_side(outputs: list[list[Any]]) -> list[Any]:
    """Both directions of a layer as one at each step."""
    return outputs[0] if len(outputs) == 1 else [joining.cat(pair, -1) for pair in zip(*outputs, strict=True)]


def _suffixes(layer: int, directions: int) -> list[str]:
    return [f"_l{layer}" + ("_reverse" if direction else "") for direction in range(directions)]


def _unroll(mode: str, xs: list[Any], sizes: Any, state: Any, weights: Any, backwards: bool) -> tuple[list[Any], Any]:
    """One direction of one layer. Rows of shorter sequences keep their last state."""
    outputs: list[Any] = [None] * len(xs)
    for place in reversed(range(len(xs))) if backwards else range(len(xs)):
        whole = sizes is None or sizes[place] == sizes[0]
        rows = state if whole else _rows(state, 0, sizes[place])
        new = _step(mode, xs[place], rows, weights)
        outputs[place] = new[0] if mode == "LSTM" else new
        state = new if whole else _patched(new, state, sizes[place], sizes[0])
    return outputs, state


def _rows(state: Any, start: int, stop: int) -> Any:
    if isinstance(state, tuple):
        return tuple(_rows(part, start, stop) for part in state)
    return joining.narrow(state, 0, start, stop - start)


def _patched(new: Any, old: Any, count: int, total: int) -> Any:
    if isinstance(new, tuple):
        return tuple(_patched(n, o, count, total) for n, o in zip(new, old, strict=True))
    return joining.cat([new, joining.narrow(old, 0, count, total - count)], 0)


class RNN(_Recurrent):
    """``h = tanh(W_ih x + b_ih + W_hh h + b_hh)`` over a sequence."""

    __module__ = "torch.nn.modules.rnn"

    def __init__(self, *arguments: Any, nonlinearity: str = "tanh", **options: Any) -> None:
        if len(arguments) > 3 and isinstance(arguments[3], str):
            nonlinearity = arguments[3]
            arguments = arguments[:3] + arguments[4:]
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        object.__setattr__(self, "mode", f"RNN_{nonlinearity.upper()}")
        object.__setattr__(self, "nonlinearity", nonlinearity)
        super().__init__(*arguments, **options)


class LSTM(_Recurrent):
    """Long short-term memory over a sequence."""

    __module__ = "torch.nn.modules.rnn"
    mode = "LSTM"


class GRU(_Recurrent):
    """A gated recurrent unit over a sequence."""

    __module__ = "torch.nn.modules.rnn"
    mode = "GRU"


_ = Size
