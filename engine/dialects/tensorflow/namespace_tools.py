"""What stands around the graphs of 1.x, by submodule: files, checkpoints, flags, logging, data."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import (
    contrib_layers,
    conv_layers,
    datasets,
    flags,
    gfile,
    input_pipelines,
    iterators,
    layers,
    meta_graph,
    queues,
    rnn,
    rnn_cell,
    saver,
    summary,
)


def tool_parts() -> dict[str, dict[str, Any]]:
    """The names of each submodule; the empty one is ``tensorflow`` itself."""
    given = flags.new_flags()
    inputs = {
        name: getattr(input_pipelines, name)
        for name in (
            "string_input_producer", "range_input_producer", "slice_input_producer", "match_filenames_once", "batch",
            "shuffle_batch",
        )
    }  # fmt: skip
    queued = {
        name: getattr(queues, name)
        for name in ("QueueRunner", "add_queue_runner", "start_queue_runners", "Coordinator")
    }
    savers = {
        name: getattr(saver, name)
        for name in (
            "Saver", "NewCheckpointReader", "CheckpointReader", "CheckpointState", "load_checkpoint", "list_variables",
            "load_variable", "checkpoint_exists", "get_checkpoint_state", "update_checkpoint_state",
            "latest_checkpoint", "import_meta_graph",
        )
    }  # fmt: skip
    return {
        "": {
            "FIFOQueue": queues.FIFOQueue,
            "RandomShuffleQueue": queues.RandomShuffleQueue,
            "TextLineReader": input_pipelines.TextLineReader,
            "WholeFileReader": input_pipelines.WholeFileReader,
            "decode_csv": input_pipelines.decode_csv,
            "Summary": summary.EXPORTED["Summary"],
            "summary_iterator": summary.summary_iterator,
        },
        "summary": summary.EXPORTED,
        "train": {
            **savers,
            **inputs,
            **queued,
            "summary_iterator": summary.summary_iterator,
            "export_meta_graph": meta_graph.export_meta_graph,
        },
        "queue": {"FIFOQueue": queues.FIFOQueue, "RandomShuffleQueue": queues.RandomShuffleQueue},
        "gfile": gfile.EXPORTED,
        "io": {},
        "io.gfile": gfile.MODERN,
        "flags": given,
        "app": {"run": flags.run_of(given["FLAGS"])},
        "app.flags": given,
        "logging": flags.new_logging(),
        "layers": {**layers.EXPORTED, **conv_layers.EXPORTED},
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
