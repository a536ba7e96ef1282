"""``tf.summary`` of 1.x: ops that describe values, and writers that keep what they say in event files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import events
from engine.dialects.event_files.summary_data import Event, Summary
from engine.dialects.event_files.summary_data import histogram as spread
from engine.dialects.event_files.wire import Float, message, record, records
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.tensor_proto import TensorProto
from engine.errors import ShapeError
from engine.ops.registry import op
from engine.tensor_type import TensorType

KEY = "summaries"


def _entry(*, tag: Any, **contents: bytes | float) -> Any:
    found = np.empty((), object)
    ((number, value),) = contents.items()
    found[()] = message([(1, message([(1, tag), (int(number[1:]), value)]))])
    return found


def _scalar_kernel(value: Any, *, tag: str) -> Any:
    return _entry(tag=tag, _2=Float(value))


def _histogram_kernel(value: Any, *, tag: str) -> Any:
    return _entry(tag=tag, _5=spread(value))


def _merge_kernel(*parts: Any) -> Any:
    found = np.empty((), object)
    found[()] = b"".join(np.asarray(part, object).ravel().tolist()[0] for part in parts)
    return found


def _text(*_types: Any, **_attributes: Any) -> TensorType:
    return TensorType(np.dtype(np.object_), ())


def _scalar_type(value: TensorType, *, tag: str) -> TensorType:
    if value.shape is not None and len(value.shape) > 0:
        raise ShapeError(f"tf_scalar_summary: {tag!r} needs a single value, not one of shape {value.shape}")
    return _text()


op("tf_scalar_summary", "value", _scalar_kernel, _scalar_type, None, category="control", symbol="log")
op("tf_histogram_summary", "value", _histogram_kernel, _text, None, category="control", symbol="log")


def _texts_kernel(value: Any, *, tag: str) -> Any:
    """In the form in which the real one keeps texts: a tensor, and which plugin shows it."""
    tensor = TensorProto(np.asarray(value, object)).wire()
    plugin = message([(1, message([(1, "text")]))])
    found = np.empty((), object)
    found[()] = message([(1, message([(1, tag), (8, tensor), (9, plugin)]))])
    return found


op("tf_text_summary", "value", _texts_kernel, _text, None, category="control", symbol="log")
op("tf_merge_summary", "*summaries", _merge_kernel, _text, None, category="control", symbol="log")


def _described(
    op_name: str, tf_type: str, argument: str, name: str, value: Any, collections: Any, family: Any
) -> Tensor:
    tensor = convert(value)
    graph = tensor.graph
    clean = "".join(c if c.isalnum() or c in "-_./" else "_" for c in name).lstrip("/")
    title = f"{family}/{clean}" if family else clean
    with graph.name_scope(title) as scope:
        tag = scope[:-1] if not family else f"{family}/{scope[:-1]}"
        made = apply(
            op_name, tf_type, scope, [(f"{argument}s" if argument == "value" else argument, tensor)], {"tag": tag},
            constants=[("tags" if tf_type == "ScalarSummary" else "tag", tag)],
        )  # fmt: skip
    made.op._inputs = list(reversed(made.op.inputs))  # the tag comes first
    graph.add_to_collections([KEY] if collections is None else collections, made)
    return made


def scalar(name: str, tensor: Any, collections: Any = None, family: Any = None) -> Tensor:
    """A summary of a single value."""
    return _described("tf_scalar_summary", "ScalarSummary", "value", name, tensor, collections, family)


def histogram(name: str, values: Any, collections: Any = None, family: Any = None) -> Tensor:
    """A summary of how values are spread."""
    return _described("tf_histogram_summary", "HistogramSummary", "value", name, values, collections, family)


def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """A summary of texts.

    :raises ValueError: the tensor holds something else.
    """
    found = convert(tensor)
    if found.dtype.base_dtype.name != "string":
        raise ValueError(f"Expected tensor {found.name} to have dtype string, got {found.dtype}")
    return _described("tf_text_summary", "TensorSummaryV2", "tensor", name, found, collections, None)


def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """Several summaries as one."""
    graph = get_default_graph()
    with graph.name_scope(name or "Merge"):
        made = apply(
            "tf_merge_summary", "MergeSummary", "MergeSummary", [(f"inputs_{i}", part) for i, part in enumerate(inputs)]
        )
    graph.add_to_collections([] if collections is None else collections, made)
    return made


def merge_all(key: str = KEY, scope: Any = None, name: str | None = None) -> Tensor | None:
    """All summaries of the graph as one; ``None`` if there are none."""
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


_curves: dict[str, str] = {}
"""Which folder was the first to keep a curve of that name."""


def begin() -> None:
    """A new program."""
    _curves.clear()


class FileWriter:
    """Keeps summaries in an event file in the folder ``logdir``, in TensorFlow's own format.

    ``heading``: what the names of the recording's curves begin with.
    """

    def __init__(
        self, logdir: Any, graph: Any = None, *_options: Any, filename_suffix: str = "", heading: str = "", **_more: Any
    ) -> None:
        self._heading = heading
        self._folder = os.fspath(logdir)
        os.makedirs(self._folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.stepgraph{filename_suffix or ''}"
        path, number = os.path.join(self._folder, name), 0
        while os.path.exists(path):
            number += 1
            path = os.path.join(self._folder, f"{name}.{number}")
        self._path = path
        self._file: Any = open(path, "ab")  # noqa: SIM115
        self._write([(3, "brain.Event:2")])

    def get_logdir(self) -> str:
        return str(self._folder)

    def _write(self, entry: list[tuple[int, Any]]) -> None:
        if self._file is None:
            raise RuntimeError("this FileWriter is closed; reopen() it")
        self._file.write(record(message([(1, time.time()), *entry])))

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Keep what a summary op gave, or a ``tf.Summary``."""
        raw = summary.SerializeToString() if isinstance(summary, Summary) else bytes(_bytes(summary))
        read = Summary.FromString(raw)
        if events.listener is not None and global_step is not None:
            for value in read.value:
                if value.HasField("simple_value"):
                    events.listener.charted(self._curve(value.tag), int(global_step), value.simple_value)
        self._write([(2, int(global_step)), (5, raw)] if global_step is not None else [(5, raw)])

    def _curve(self, tag: str) -> str:
        """The name of a curve: its tag; after the folder's name where another folder was first to use that tag."""
        first = _curves.setdefault(f"{self._heading}{tag}", self._folder)
        if first == self._folder:
            return f"{self._heading}{tag}"
        run = os.path.basename(self._folder)
        return f"{self._folder if run == os.path.basename(first) else run}/{tag}"

    def add_graph(self, graph: Any = None, global_step: Any = None, graph_def: Any = None) -> None:
        """The graph is in the recording; event files of this engine do not repeat it."""

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Times are in the recording; event files of this engine do not repeat them."""

    add_session_log = add_meta_graph = add_graph

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def reopen(self) -> None:
        if self._file is None:
            self._file = open(self._path, "ab")  # noqa: SIM115

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _bytes(given: Any) -> bytes:
    found = given.item() if isinstance(given, np.ndarray) and given.ndim == 0 else given
    if not isinstance(found, bytes):
        raise TypeError(f"add_summary wants what a summary op gave in a run, not {type(given).__name__}")
    return found


def summary_iterator(path: Any) -> Iterator[Event]:
    """The entries of an event file."""
    with open(path, "rb") as file:
        data = file.read()
    for entry in records(data):
        yield Event(entry)


EXPORTED = {
    "scalar": scalar, "histogram": histogram, "merge": merge, "merge_all": merge_all, "FileWriter": FileWriter,
    "Summary": Summary, "Event": Event, "text": text,
}  # fmt: skip
