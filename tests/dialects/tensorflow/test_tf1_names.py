"""Names of 1.x that programs for learning use: each is there, and in both places where it can be asked for."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

_NAMES = """
AUTO_REUSE ConfigProto GradientTape GraphKeys.UPDATE_OPS InteractiveSession Session TextLineReader abs add argmax
assign bool case cast compat.v1.summary.FileWriter cond constant constant_initializer contrib.eager.Iterator
contrib.eager.Variable contrib.eager.enable_eager_execution contrib.eager.implicit_value_and_gradients
contrib.framework.arg_scope
contrib.graph_editor.reroute_ts contrib.layers.batch_norm contrib.layers.dropout contrib.layers.fully_connected
contrib.layers.xavier_initializer contrib.learn.datasets.load_dataset contrib.rnn.BasicLSTMCell contrib.rnn.GRUCell
contrib.rnn.MultiRNNCell contrib.rnn.OutputProjectionWrapper contrib.rnn.static_bidirectional_rnn
contrib.rnn.static_rnn contrib.seq2seq.sequence_loss contrib.legacy_seq2seq.embedding_rnn_seq2seq
contrib.summary.always_record_summaries contrib.summary.create_file_writer contrib.summary.scalar
control_dependencies convert_to_tensor cos data.Dataset.from_tensor_slices data.Iterator.from_structure
data.TextLineDataset decode_csv diag div enable_eager_execution encode_base64 equal errors.OutOfRangeError
examples.tutorials.mnist.input_data.read_data_sets exp expand_dims gather get_collection get_default_graph get_variable
global_variables global_variables_initializer gradients greater group layers.Dense layers.batch_normalization
layers.conv2d layers.dense layers.dropout layers.flatten layers.max_pooling2d less linspace
local_variables_initializer log losses.log_loss losses.mean_squared_error losses.softmax_cross_entropy
losses.sparse_softmax_cross_entropy matmul matrix_determinant matrix_inverse maximum metrics.accuracy multinomial
multiply name_scope nn.bidirectional_dynamic_rnn nn.conv2d nn.dropout nn.dynamic_rnn nn.embedding_lookup nn.in_top_k
nn.max_pool nn.nce_loss nn.relu nn.rnn_cell.DropoutWrapper nn.rnn_cell.GRUCell nn.rnn_cell.LSTMCell nn.sigmoid
nn.softmax nn.softmax_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits_v2 nn.softplus
nn.sparse_softmax_cross_entropy_with_logits nn.static_rnn nn.tanh one_hot ones ones_like placeholder
placeholder_with_default pow python.framework.ops.convert_to_tensor python.framework.tensor_shape.scalar
python.framework.tensor_util.constant_value python.layers.utils.smart_cond python.ops.array_ops.identity
python.ops.math_ops.floor python.ops.random_ops.random_uniform random_normal random_normal_initializer
random_uniform range reduce_max reduce_mean reduce_sum reset_default_graph reshape set_random_seed shape sigmoid sign
sin split sqrt square squeeze stack stop_gradient subtract summary.FileWriter summary.histogram summary.image
summary.merge_all summary.scalar tanh train.AdamOptimizer train.Checkpoint train.Coordinator
train.GradientDescentOptimizer train.MomentumOptimizer train.RMSPropOptimizer train.Saver train.batch
train.exponential_decay train.get_checkpoint_state train.import_meta_graph train.latest_checkpoint train.shuffle_batch
train.start_queue_runners train.string_input_producer trainable_variables transpose truncated_normal
truncated_normal_initializer unique unstack variable_scope where zeros zeros_initializer zeros_like
"""


@pytest.fixture(scope="module")
def modules() -> Any:
    from engine.dialects.importer import modules_of

    return modules_of("tf1")


@pytest.mark.parametrize("name", _NAMES.split())
def test_a_name_is_there(modules: Any, name: str) -> None:
    for root in ("tensorflow", "tensorflow.compat.v1"):
        assert reduce(getattr, name.split("."), modules[root]) is not None


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("placehold", "tensorflow.placeholder"), ("train.AdamOptimiser", "tensorflow.train.AdamOptimizer")],
)
def test_a_name_that_is_missing_is_said_with_the_nearest(modules: Any, name: str, nearest: str) -> None:
    with pytest.raises(
        AttributeError, match=rf"has no attribute '{name.rpartition('.')[2]}' in this teaching .*{nearest}"
    ):
        reduce(getattr, name.split("."), modules["tensorflow"])
