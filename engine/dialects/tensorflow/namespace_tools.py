"""What stands around the graphs of 1.x, by submodule: files, checkpoints, flags, logging, data."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import (
    contrib_layers,
    datasets,
    flags,
    gfile,
    iterators,
    layers,
    meta_graph,
    rnn,
    rnn_cell,
    saver,
)


def tool_parts() -> dict[str, dict[str, Any]]:
    """The names of each submodule; the empty one is ``tensorflow`` itself."""
    given = flags.new_flags()
    savers = {
        name: getattr(saver, name)
        for name in (
            "Saver", "NewCheckpointReader", "CheckpointReader", "CheckpointState", "load_checkpoint", "list_variables",
            "load_variable", "checkpoint_exists", "get_checkpoint_state", "update_checkpoint_state",
            "latest_checkpoint", "import_meta_graph",
        )
    }  # fmt: skip
    return {
        "train": {**savers, "export_meta_graph": meta_graph.export_meta_graph},
        "gfile": gfile.EXPORTED,
        "io": {},
        "io.gfile": gfile.MODERN,
        "flags": given,
        "app": {"run": flags.run_of(given["FLAGS"])},
        "app.flags": given,
        "logging": flags.new_logging(),
        "layers": layers.EXPORTED,
        "contrib": {},
        "contrib.layers": contrib_layers.EXPORTED,
        "contrib.framework": {
            "arg_scope": contrib_layers.arg_scope,
            "add_arg_scope": contrib_layers.add_arg_scope,
        },
        "contrib.rnn": {
            **{name: getattr(rnn_cell, name) for name in rnn_cell.__all__},
            **{name: getattr(rnn, name) for name in ("static_rnn", "static_bidirectional_rnn") if hasattr(rnn, name)},
        },
        "data": {"Dataset": datasets.Dataset, "Iterator": iterators.Iterator},
    }
