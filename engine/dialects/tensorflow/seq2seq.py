"""``tf.contrib.seq2seq`` and ``tf.contrib.legacy_seq2seq``: the loss of sequences, and one network read by another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow import cross_entropies, math_ops, nn_ops, reductions, rnn
from engine.dialects.tensorflow.array_ops import reshape, stop_gradient
from engine.dialects.tensorflow.array_ops import shape as shape_of
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.reductions import argmax
from engine.dialects.tensorflow.rnn_wrappers import EmbeddingWrapper, OutputProjectionWrapper
from engine.dialects.tensorflow.scopes import get_variable, variable_scope
from engine.dialects.tensorflow.slicing_ops import strided_slice


def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, average_across_batch: bool = True,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The weighted cross entropy of sequences (batch x time x classes), averaged where asked for."""
    scores, truth, factor = convert(logits), convert(targets), convert(weights)
    if scores.shape.ndims not in (None, 3):
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if truth.shape.ndims not in (None, 2):
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if factor.shape.ndims not in (None, 2):
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")
    with scores.graph.name_scope(name or "sequence_loss"):
        classes = scores.shape.as_list()[2]
        flat, wanted = reshape(scores, [-1, classes]), reshape(truth, [-1])
        loss = softmax_loss_function or cross_entropies.sparse_softmax_cross_entropy_with_logits
        each = math_ops.multiply(loss(labels=wanted, logits=flat), reshape(factor, [-1]))
        if average_across_timesteps and average_across_batch:
            return math_ops.truediv(reductions.reduce_sum(each), math_ops.add(reductions.reduce_sum(factor), 1e-12))
        table = reshape(each, strided_slice(shape_of(scores), slice(0, 2)))
        if average_across_timesteps != average_across_batch:
            axis = 1 if average_across_timesteps else 0
            total = math_ops.add(reductions.reduce_sum(factor, axis), 1e-12)
            return math_ops.truediv(reductions.reduce_sum(table, axis), total)
        return table


def sequence_loss_by_example(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, softmax_loss_function: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """For lists with one entry a step: the loss of each example."""
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with get_default_graph().name_scope(name or "sequence_loss_by_example"):
        loss = softmax_loss_function or cross_entropies.sparse_softmax_cross_entropy_with_logits
        parts = [
            math_ops.multiply(loss(labels=reshape(truth, [-1]), logits=scores), factor)
            for scores, truth, factor in zip(logits, targets, weights, strict=True)
        ]
        total = math_ops.add_n(parts)
        if not average_across_timesteps:
            return total
        return math_ops.truediv(total, math_ops.add(math_ops.add_n([convert(w) for w in weights]), 1e-12))


def legacy_sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, average_across_batch: bool = True,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """For lists with one entry a step: the loss of the whole batch."""
    each = sequence_loss_by_example(logits, targets, weights, average_across_timesteps, softmax_loss_function, name)
    total = reductions.reduce_sum(each)
    if not average_across_batch:
        return total
    return math_ops.truediv(total, cast(strided_slice(shape_of(targets[0]), 0), total.dtype.base_dtype))


def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Any = None, scope: Any = None
) -> tuple[list[Tensor], Any]:
    """A cell over a list of inputs; ``loop_function(output, step)`` may make the next input of the last output."""
    with variable_scope(scope or "rnn_decoder"):
        state, outputs, last = initial_state, [], None
        for step, given in enumerate(decoder_inputs):
            if loop_function is not None and last is not None:
                with variable_scope("loop_function", reuse=True):
                    given = loop_function(last, step)
            output, state = cell(given, state)
            outputs.append(output)
            last = output if loop_function is not None else None
    return outputs, state


def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = "float32", scope: Any = None
) -> tuple[list[Tensor], Any]:
    """A network reads a sequence, another one of the same kind goes on from its last state."""
    import copy

    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = rnn.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: int, embedding_size: int,
    output_projection: Any = None, feed_previous: bool = False, update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> tuple[list[Tensor], Any]:  # fmt: skip
    """:func:`rnn_decoder` over embedded numbers; with ``feed_previous`` the likeliest symbol is the next input."""
    with variable_scope(scope or "embedding_rnn_decoder"):
        table = get_variable("embedding", [num_symbols, embedding_size])

        def previous(output: Any, _step: int) -> Any:
            if output_projection is not None:
                output = nn_ops.xw_plus_b(output, output_projection[0], output_projection[1])
            found = nn_ops.embedding_lookup(table, argmax(output, 1))
            return found if update_embedding_for_previous else stop_gradient(found)

        inputs = [nn_ops.embedding_lookup(table, given) for given in decoder_inputs]
        return rnn_decoder(inputs, initial_state, cell, previous if feed_previous else None)


def embedding_rnn_seq2seq(
    encoder_inputs: Sequence[Any], decoder_inputs: Sequence[Any], cell: Any, num_encoder_symbols: int,
    num_decoder_symbols: int, embedding_size: int, output_projection: Any = None, feed_previous: bool = False,
    dtype: Any = None, scope: Any = None,
) -> tuple[list[Tensor], Any]:  # fmt: skip
    """One network reads embedded numbers, another one writes numbers."""
    import copy

    if not isinstance(feed_previous, bool):
        raise NotImplementedError("feed_previous as a tensor is not known in this teaching engine")
    with variable_scope(scope or "embedding_rnn_seq2seq"):
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, state = rnn.static_rnn(encoder, encoder_inputs, dtype=dtype or "float32")
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
        return embedding_rnn_decoder(
            decoder_inputs, state, cell, num_decoder_symbols, embedding_size, output_projection, feed_previous
        )


EXPORTED = {"sequence_loss": sequence_loss}
LEGACY = {
    "sequence_loss": legacy_sequence_loss, "sequence_loss_by_example": sequence_loss_by_example,
    "rnn_decoder": rnn_decoder, "basic_rnn_seq2seq": basic_rnn_seq2seq,
    "embedding_rnn_decoder": embedding_rnn_decoder, "embedding_rnn_seq2seq": embedding_rnn_seq2seq,
}  # fmt: skip
