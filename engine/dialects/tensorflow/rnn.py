"""``tf.nn.dynamic_rnn``, ``static_rnn`` and their two-way form: a cell run over the steps of sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.array_ops import expand_dims, shape, transpose
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.control_plumbing import build_checked, output_tensors, renamed
from engine.dialects.tensorflow.creation import constant, zeros_like
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.rnn_cell import RNNCell
from engine.dialects.tensorflow.scopes import variable_scope
from engine.static.building_control import flatten
from engine.static.fetches import rebuild

_BEFORE_STATES = 3
"""Variables of the real loop that stand before the states: the counter, the time and the outputs."""


_NO_DTYPE = "If no initial_state is provided, argument `dtype` must be specified"


def _check_cell(cell: Any, name: str = "cell") -> None:
    if not isinstance(cell, RNNCell) and not (hasattr(cell, "state_size") and callable(cell)):
        raise TypeError(f"The argument '{name}' ({cell}) is not an RNNCell: 'output_size' property is missing")


def _start(cell: Any, inputs: Tensor, initial_state: Any, dtype: Any, axis: int) -> Any:
    if initial_state is not None:
        return initial_state
    if dtype is None:
        raise ValueError(_NO_DTYPE)
    rows = inputs.shape.as_list()[axis]
    sizes: Any = shape(inputs)
    return cell.zero_state(sizes[axis] if rows is None else rows, dtype)


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: Any = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """``(outputs, last state)`` of ``cell`` over the steps of ``inputs`` (batch x time x depth). Beyond
    ``sequence_length`` outputs are zero and the state stays."""
    _check_cell(cell)
    with variable_scope(scope or "rnn"):
        rows = convert(inputs, name="inputs")
        if initial_state is None and dtype is None:
            raise ValueError(_NO_DTYPE)
        if rows.shape.ndims is not None and rows.shape.ndims < 3:
            raise ValueError(f"Inputs to `dynamic_rnn` must have rank at least 3, but have shape {rows.shape}")
        steps = rows if time_major else transpose(rows, [1, 0, 2])
        graph = rows.graph
        state = _start(cell, steps, initial_state, dtype, 1)
        lengths = None if sequence_length is None else convert(sequence_length, name="sequence_length")
        if hasattr(cell, "build"):
            cell.build(steps.shape.as_list()[1:])
        leaves: list[Any] = []
        structure = flatten(state, leaves)
        starts = [convert(leaf)._node for leaf in leaves]

        def step(carried: Any, row: Any) -> Any:
            time, *before = (graph.tensor(node) for node in carried)
            output, after = cell(graph.tensor(row), rebuild(structure, iter(before)))
            found: list[Any] = []
            flatten(after, found)
            if lengths is not None:
                done = expand_dims(apply("greater_equal", "GreaterEqual", None, [("x", time), ("y", lengths)]), 1)
                output = _choose(done, zeros_like(output), output)
                found = [_choose(done, old, new) for old, new in zip(before, found, strict=True)]
            return [apply("add", "AddV2", None, [("x", time), ("y", 1)])._node, *(t._node for t in found)], output._node

        zero = constant(np.int32(0), name="time")
        loop = f"{graph.core.names.scope}/while/"
        last, piled = build_checked(graph, lambda: graph.core.for_loop(
            step, [zero._node, *starts], steps._node, name="while",
            shape_invariants=[(), *(node.shape for node in starts)],
        ))  # fmt: skip
        outputs = output_tensors(graph, [piled])[0]
        ends = output_tensors(graph, last)[1:]
        for place, (end, start) in enumerate(zip(ends, starts, strict=True)):
            ends[place] = renamed(graph, end._node, f"{loop}Exit_{place + _BEFORE_STATES}", "Exit")
            ends[place].set_shape(start.shape)
        after = rebuild(structure, iter(ends))
        return (outputs if time_major else transpose(outputs, [1, 0, 2])), after


def _choose(condition: Tensor, yes: Tensor, no: Tensor) -> Tensor:
    inputs = [("condition", condition), ("t", yes), ("e", no)]
    return apply("where", "Select", None, inputs, same_type=False)


def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
) -> tuple[list[Tensor], Any]:
    """Like :func:`dynamic_rnn` over a list of inputs, one a step: the steps stand one by one in the graph."""
    _check_cell(cell)
    if not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "rnn"):
        steps = [convert(one) for one in inputs]
        state = _start(cell, steps[0], initial_state, dtype, 0)
        lengths = None if sequence_length is None else convert(sequence_length, name="sequence_length")
        outputs = []
        for time, row in enumerate(steps):
            output, after = cell(row, state)
            if lengths is not None:
                late = apply("less_equal", "LessEqual", None, [("x", lengths), ("y", time)])
                done = expand_dims(late, 1)
                output = _choose(done, zeros_like(output), output)
                old: list[Any] = []
                new: list[Any] = []
                structure = flatten(state, old)
                flatten(after, new)
                after = rebuild(structure, iter([_choose(done, a, b) for a, b in zip(old, new, strict=True)]))
            outputs.append(output)
            state = after
    return outputs, state


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: Any = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """A network over the sequences and one over the reversed sequences: both outputs, both last states."""
    _check_cell(cell_fw, "cell_fw")
    _check_cell(cell_bw, "cell_bw")
    with variable_scope(scope or "bidirectional_rnn"):
        rows = convert(inputs, name="inputs")
        lengths = None if sequence_length is None else convert(sequence_length, name="sequence_length")
        with variable_scope("fw") as fw:
            ahead = dynamic_rnn(cell_fw, rows, lengths, initial_state_fw, dtype, time_major=time_major, scope=fw)
        with variable_scope("bw") as bw:
            turned = _turned(rows, lengths, time_major)
            back = dynamic_rnn(cell_bw, turned, lengths, initial_state_bw, dtype, time_major=time_major, scope=bw)
        return (ahead[0], _turned(back[0], lengths, time_major)), (ahead[1], back[1])


def _turned(rows: Tensor, lengths: Tensor | None, time_major: bool) -> Tensor:
    if lengths is None:
        from engine.dialects.tensorflow.array_ops import reverse

        return reverse(rows, [0 if time_major else 1])
    batched = transpose(rows, [1, 0, 2]) if time_major else rows
    inputs = [("input", batched), ("seq_lengths", lengths)]
    found = apply("tf_reverse_sequence", "ReverseSequence", None, inputs, same_type=False)
    return transpose(found, [1, 0, 2]) if time_major else found


def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None, initial_state_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> tuple[list[Tensor], Any, Any]:  # fmt: skip
    """A network over a list of inputs and one over them from the end: both outputs side by side, both last states."""
    from engine.dialects.tensorflow.array_ops import concat

    _check_cell(cell_fw, "cell_fw")
    _check_cell(cell_bw, "cell_bw")
    if not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a sequence")
    if sequence_length is not None:
        raise NotImplementedError("static_bidirectional_rnn: sequence_length is not known in this teaching engine")
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            ahead, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, scope=fw)
        with variable_scope("bw") as bw:
            back, state_bw = static_rnn(cell_bw, list(inputs)[::-1], initial_state_bw, dtype, scope=bw)
        outputs = [concat([a, b], 1) for a, b in zip(ahead, back[::-1], strict=True)]
    return outputs, state_fw, state_bw
