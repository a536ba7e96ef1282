"""What stands around the graphs of 1.x, by submodule: files, checkpoints, flags, logging, data."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import (
    attr_value,
    contrib_layers,
    conv_layers,
    datasets,
    flags,
    gfile,
    graph_def,
    graph_editor,
    graph_import,
    graph_transfer,
    input_pipelines,
    iterators,
    layers,
    meta_graph,
    mnist_input,
    norm_layers,
    queues,
    rnn,
    rnn_cell,
    rnn_wrappers,
    saved_model,
    saver,
    seq2seq,
    summary,
    summary_images,
    tensor_proto,
)
from engine.dialects.tensorflow.internal_names import internal_parts
from engine.dialects.tensorflow.late import checkpoints, contrib
from engine.dialects.tensorflow.surroundings import devices


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
            "GraphDef": graph_def.GraphDef,
            "NodeDef": graph_def.NodeDef,
            "AttrValue": attr_value.AttrValue,
            "make_ndarray": tensor_proto.make_ndarray,
            "make_tensor_proto": tensor_proto.make_tensor_proto,
            "import_graph_def": graph_import.import_graph_def,
            "summary_iterator": summary.summary_iterator,
        },
        "summary": {**summary.EXPORTED, "image": summary_images.image},
        "train": {
            **savers,
            **inputs,
            **queued,
            "summary_iterator": summary.summary_iterator,
            "write_graph": graph_transfer.write_graph,
            "Checkpoint": checkpoints.Checkpoint,
            "export_meta_graph": meta_graph.export_meta_graph,
        },
        "queue": {"FIFOQueue": queues.FIFOQueue, "RandomShuffleQueue": queues.RandomShuffleQueue},
        "gfile": gfile.EXPORTED,
        "io": {"write_graph": graph_transfer.write_graph},
        "graph_util": graph_transfer.GRAPH_UTIL,
        "saved_model": saved_model.EXPORTED,
        "io.gfile": gfile.MODERN,
        "flags": given,
        "app": {"run": flags.run_of(given["FLAGS"])},
        "app.flags": given,
        "logging": flags.new_logging(),
        "layers": {**layers.EXPORTED, **conv_layers.EXPORTED, **norm_layers.EXPORTED},
        "contrib": {},
        "contrib.layers": contrib_layers.EXPORTED,
        "contrib.framework": {
            "arg_scope": contrib_layers.arg_scope,
            "add_arg_scope": contrib_layers.add_arg_scope,
        },
        "contrib.rnn": {
            **{name: getattr(rnn_cell, name) for name in rnn_cell.__all__},
            "static_rnn": rnn.static_rnn,
            "static_bidirectional_rnn": rnn.static_bidirectional_rnn,
            **rnn_wrappers.CONTRIB,
        },
        "contrib.eager": {},
        "contrib.graph_editor": graph_editor.EXPORTED,
        "contrib.learn": {},
        "contrib.learn.datasets": {"load_dataset": mnist_input.load_dataset},
        "contrib.learn.datasets.mnist": {**mnist_input.INPUT_DATA, "load_mnist": mnist_input.load_mnist},
        "examples": {},
        "examples.tutorials": {},
        "examples.tutorials.mnist": {},
        "examples.tutorials.mnist.input_data": mnist_input.INPUT_DATA,
        "config": {"list_physical_devices": devices},
        **internal_parts(),
        "contrib.summary": contrib.SUMMARY,
        "contrib.seq2seq": seq2seq.EXPORTED,
        "contrib.legacy_seq2seq": seq2seq.LEGACY,
        "data": {
            "Dataset": datasets.Dataset,
            "Iterator": iterators.Iterator,
            "make_one_shot_iterator": lambda dataset: dataset.make_one_shot_iterator(),
            "make_initializable_iterator": lambda dataset, shared_name=None: dataset.make_initializable_iterator(),
            "get_output_shapes": lambda found: found.output_shapes,
            "get_output_types": lambda found: found.output_types,
            "get_output_classes": lambda found: found.output_classes,
            "TextLineDataset": input_pipelines.TextLineDataset,
        },
    }
