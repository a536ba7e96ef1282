"""The names of 2.x: what computes while executing eagerly builds nodes in the graph of a function."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from engine.dialects.tensorflow import cross_entropies, gfile, nn_ops, random_ops, saver, surroundings
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow import namespace as old
from engine.dialects.tensorflow.build import is_tensor
from engine.dialects.tensorflow.data import names as data
from engine.dialects.tensorflow.eager import checks, generators, ragged, texts
from engine.dialects.tensorflow.eager import namespace as eager
from engine.dialects.tensorflow.function import (
    autographing,
    calls,
    checking,
    control,
    eager_arrays,
    polymorphic,
    printing,
    specs,
    starting,
    summaries,
)
from engine.dialects.tensorflow.function.both import either, lifted
from engine.dialects.tensorflow.function.func_graph import building, init_scope
from engine.dialects.tensorflow.handles import Operation
from engine.dialects.tensorflow.objects import checkpoints, loading, module, saving

_options: dict[str, Any] = {}
LIFTED = {
    "": (
        "as_string clip_by_global_norm clip_by_norm complex meshgrid parallel_stack realdiv reverse_sequence "
        "saturate_cast scatter_nd sequence_mask slice strided_slice truncatediv unique"
    ),
    "nn": (
        "avg_pool batch_normalization conv2d conv1d conv2d_transpose crelu depthwise_conv2d in_top_k l2_normalize "
        "local_response_normalization lrn max_pool nce_loss sampled_softmax_loss separable_conv2d softsign "
        "top_k weighted_cross_entropy_with_logits zero_fraction"
    ),
    "math": "accumulate_n confusion_matrix count_nonzero cumprod rint segment_mean segment_sum unsorted_segment_sum",
    "linalg": "band_part cholesky det diag einsum inv solve trace",
    "strings": "as_string join length lower strip upper",
}
"""Functions that the engine has for graphs, which run one at once while executing eagerly."""


def graph_names() -> dict[str, dict[str, Any]]:
    """What the names of 2.x mean in a graph, where that is not what they mean in 1.x."""

    def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Any:
        return nn_ops.dropout(x, rate=rate, noise_shape=noise_shape, seed=seed, name=name)

    return {
        "": {"shape": _shape},
        "nn": {
            "dropout": dropout,
            **{
                name: _labelled(getattr(cross_entropies, name))
                for name in (
                    "softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits",
                    "sigmoid_cross_entropy_with_logits",
                )
            },
        },
    }  # fmt: skip


def _labelled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A loss that takes labels and logits in that order."""

    def loss(labels: Any = None, logits: Any = None, name: str | None = None, **more: Any) -> Any:
        more.pop("axis", None)
        return function(labels=labels, logits=logits, name=name, **more)

    return loss


def _shape(input: Any, out_type: Any = "int32", name: str | None = None) -> Any:
    from engine.dialects.tensorflow.array_ops import shape

    return shape(input, name=name, out_type=out_type)


def names() -> dict[str, dict[str, Any]]:
    """The names of each submodule; the empty one is ``tensorflow`` itself."""
    parts = eager.names()
    graphical, changed = old._parts(), graph_names()
    for part, found in parts.items():
        for name, value in list(found.items()):
            other = changed.get(part, {}).get(name) or graphical.get(part, {}).get(name)
            if isinstance(value, FunctionType) and isinstance(other, FunctionType):
                found[name] = either(value, other)
    for name, graph in (("shuffle", "random_shuffle"), ("categorical", "categorical")):
        parts["random"][name] = either(getattr(generators, name), getattr(random_ops, graph))
    for part, words in LIFTED.items():
        for name in words.split():
            parts.setdefault(part, {}).setdefault(name, lifted(graphical[part][name], name))
    for table in (extra(), texts.NAMES, ragged.NAMES):
        for part, more in table.items():
            parts.setdefault(part, {}).update(more)
    _spread(parts)
    return parts


def _spread(parts: Mapping[str, dict[str, Any]]) -> None:
    """Names that stand in several places."""
    for name in ("einsum", "norm", "tensordot"):
        if name in parts[""]:
            parts["linalg"].setdefault(name, parts[""][name])
    for name in ("max_pool", "avg_pool"):
        parts["nn"].setdefault(f"{name}2d", parts["nn"][name])
    for name in ("l2_normalize", "top_k", "in_top_k", "zero_fraction"):
        parts["math"].setdefault(name, parts["nn"][name])
    for name in ("global_norm", "l2_normalize"):
        if name in parts["math"]:
            parts["linalg"].setdefault(name, parts["math"][name])


def _reader(ckpt_dir_or_file: Any) -> Any:
    path = os.fspath(ckpt_dir_or_file)
    return saver.CheckpointReader(saver.latest_checkpoint(path) or path if os.path.isdir(path) else path)


def extra() -> dict[str, dict[str, Any]]:
    """What only 2.x has."""
    return {
        "": {
            **{f"{name}_initializer": kind for name, kind in starting.CLASSES.items()},
            "Assert": checking.assert_,
            **{name: checking.NAMES[name] for name in ("assert_equal", "assert_greater", "assert_less", "assert_rank")},
            "Module": module.Module, "function": polymorphic.function, "TensorSpec": specs.TensorSpec,
            "TypeSpec": specs.TypeSpec,
            "init_scope": init_scope, "inside_function": lambda: building() is not None,
            "executing_eagerly": lambda: not graphs._stack, "is_tensor": is_tensor, "print": printing.print_,
            "is_symbolic_tensor": lambda x: is_tensor(x) and not hasattr(x, "_array"),
            "Graph": graphs.Graph, "Operation": Operation, "name_scope": control.name_scope,
            "control_dependencies": control.control_dependencies, "group": control.group, "no_op": control.no_op,
            "device": either(checks.device, surroundings.device),
            "cond": control.cond, "while_loop": control.while_loop, "case": control.case,
            "switch_case": control.switch_case, "map_fn": control.map_fn, "scan": control.scan, "foldl": control.foldl,
            "foldr": control.foldr, "vectorized_map": control.vectorized_map, "TensorArray": eager_arrays.TensorArray,
            "gradients": calls.gradients, "custom_gradient": calls.custom_gradient,
            "py_function": calls.py_function, "numpy_function": calls.numpy_function,
            "get_static_value": control.get_static_value, "ensure_shape": control.ensure_shape,
        },
        "autograph": autographing.NAMES,
        **data.NAMES,
        **generators.NAMES,
        "debugging": checking.NAMES, "summary": summaries.NAMES,
        "profiler": {}, "profiler.experimental": {
            "start": lambda *_, **__: None, "stop": lambda *_, **__: None, "Trace": contextlib.nullcontext,
        },
        "config.optimizer": {
            "get_experimental_options": lambda: dict(_options),
            "set_experimental_options": lambda options: _options.update(options),
            "set_jit": lambda enabled: None, "get_jit": lambda: "",
        },
        "config.experimental": {
            "set_memory_growth": lambda device, enable: None, "list_physical_devices": surroundings.devices,
            "enable_op_determinism": lambda: None,
        },
        "config.threading": {
            "set_intra_op_parallelism_threads": lambda num_threads: None,
            "set_inter_op_parallelism_threads": lambda num_threads: None,
        },
        "train": {
            "Checkpoint": checkpoints.Checkpoint, "CheckpointManager": checkpoints.CheckpointManager,
            **{name: getattr(saver, name) for name in ("latest_checkpoint", "list_variables", "load_variable",
                                                       "get_checkpoint_state")},
            "load_checkpoint": _reader,
        },
        "saved_model": {"save": saving.save, "load": loading.load,
                        "contains_saved_model": loading.contains_saved_model},
        "io": {}, "io.gfile": gfile.MODERN,
        "autograph.experimental": autographing.EXPERIMENTAL,
        "config": {
            "run_functions_eagerly": polymorphic.run_functions_eagerly,
            "functions_run_eagerly": polymorphic.functions_run_eagerly,
            "list_physical_devices": surroundings.devices, "list_logical_devices": surroundings.devices,
            "set_visible_devices": lambda devices, device_type=None: None,
        },
    }  # fmt: skip


__all__ = ["names"]
