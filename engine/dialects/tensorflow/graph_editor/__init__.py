"""``tf.contrib.graph_editor``: selecting, rerouting, copying parts of a graph. Stands on :mod:`engine.static.editor`.

A session that has run something keeps its plan; a warning says so, as TensorFlow's runtime does.
"""

from __future__ import annotations

from engine.dialects.tensorflow.graph_editor import changing, copying, selecting
from engine.dialects.tensorflow.graph_editor.views import SubGraphView, make_view, sgv_scope

EXPORTED = {
    **{f.__name__: f for f in (
        selecting.select_ops, selecting.select_ts, selecting.select_ops_and_ts, selecting.filter_ops,
        selecting.filter_ts, selecting.get_tensors, selecting.get_name_scope_ops, selecting.get_ops_ios,
        selecting.get_forward_walk_ops, selecting.get_backward_walk_ops, selecting.get_within_boundary_ops,
        selecting.get_consuming_ops, selecting.get_generating_ops, selecting.make_list_of_op, selecting.make_list_of_t,
        changing.reroute_ts, changing.swap_ts, changing.reroute_inputs, changing.reroute_outputs, changing.reroute_ios,
        changing.swap_inputs, changing.swap_outputs, changing.swap_ios, changing.connect, changing.bypass,
        changing.detach, changing.detach_inputs, changing.detach_outputs, changing.add_control_inputs,
        changing.remove_control_inputs, changing.detach_control_inputs, copying.copy_with_input_replacements,
        copying.graph_replace, changing.make_placeholder_from_tensor,
        changing.make_placeholder_from_dtype_and_shape, make_view, sgv_scope,
    )},
    "SubGraphView": SubGraphView, "sgv": make_view, "make_view_from_scope": sgv_scope, "copy": copying.copy_,
    "ph": changing.make_placeholder_from_dtype_and_shape, "TransformerInfo": copying.Info,
    "Transformer": copying.Transformer,
}  # fmt: skip
__all__ = ["EXPORTED"]
