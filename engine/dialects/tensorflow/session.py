"""``tf.Session``: running parts of a graph, with TensorFlow's fetches, feeds and messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor, _sessions
from engine.dialects.tensorflow.indexed_slices import IndexedSlices, IndexedSlicesValue
from engine.dialects.tensorflow.run_metadata import measured
from engine.dialects.tensorflow.runtime_messages import runtime_message
from engine.dialects.tensorflow.shapes import brackets
from engine.dialects.tensorflow.sources import asked
from engine.dialects.tensorflow.values import as_array
from engine.errors import FeedError, StateError, StepgraphError
from engine.static import Node
from engine.static import Session as Core
from engine.static.building_control import flatten
from engine.static.fetches import rebuild
from engine.static.serialise.freezing import needed

CLOSED = "Attempted to use a closed Session."


def _sharing(config: Any) -> dict[str, Any]:
    """How a session shares its ops between workers: ``inter_op_parallelism_threads`` of ``config``. With 1 they run one
    after the other, with more whatever can run at the same time does; 0 lets each plan decide by what it costs."""
    threads = vars(config).get("inter_op_parallelism_threads", 0) if config is not None else 0
    if not isinstance(threads, int) or threads < 1:
        return {}
    return {"parallel": threads > 1, "workers": threads}


class BaseSession:
    """What ``Session`` and ``InteractiveSession`` have in common."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f'Argument `graph` must be a tf.Graph, but got "{type(graph).__name__}"')
        self._graph = get_default_graph() if graph is None else graph
        self._core = Core(self._graph.core, **_sharing(config))
        self._core.keeps_writes = True
        self._entered: list[Any] = []
        self.sess_str = target

    @property
    def graph(self) -> Graph:
        return self._graph

    @property
    def _closed(self) -> bool:
        return self._core.closed

    @property
    def graph_def(self) -> Any:
        return self._graph.as_graph_def()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Compute ``fetches`` with the values of ``feed_dict``; the result has the structure of ``fetches``."""
        if self._core.closed:
            raise RuntimeError(CLOSED)
        if not self._graph.core.nodes:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        if run_metadata is not None:
            with measured(self._graph, options, run_metadata):
                return self.run(fetches, feed_dict)
        feeds = self._feeds(feed_dict) if feed_dict else {}
        if fetches.__class__ is Tensor and fetches.graph is self._graph and fetches._node.region is None:
            return self._run([fetches._node], feeds)[0]
        flat: list[Node] = []
        shape = self._structure(fetches, flat)
        if not flat:
            return rebuild(shape, iter(()))
        return rebuild(shape, iter(self._run(flat, feeds)))

    def _run(self, nodes: list[Node], feeds: dict[Node, Any]) -> list[Any]:
        fed = feeds
        if "sources" in self._graph.__dict__:
            feeds = asked(self, nodes, feeds)
        # What a session has been extended by; edits of it come too late for this session.
        self._graph.known_to_sessions = len(self._graph.core.nodes)
        try:
            found: list[Any] = self._core.run(nodes, feeds)
            if not fed.keys().isdisjoint(nodes):  # what is fed comes back as it was: an array also of rank 0
                return [fed.get(node, value) for node, value in zip(nodes, found, strict=True)]
            return found
        except StepgraphError as error:
            if isinstance(error, FeedError):
                # Which door is missed first: the one that was built first.
                missed = [
                    one for one in needed(self._graph.core, nodes) if one.op == "placeholder" and one not in feeds
                ]
                error.node = min(missed, key=lambda one: one.index, default=error.node)
            self._run_up_to(error.node, feeds, error)
            raise self._translated(error) from None

    def _run_up_to(self, node: Any, feeds: dict[Node, Any], error: StepgraphError) -> None:
        """An error that was seen before anything ran: let happen what the real session has done until then, the
        writes that come before the op that fails."""
        if node is None or node.op in ("placeholder", "variable") or not error.message.startswith("cannot run"):
            return
        before = [*node.control, *(read for read, _ in node.inputs)]
        writes = [one for one in needed(self._graph.core, before) if one.op.startswith("assign") and one.region is None]
        for write in writes:
            try:
                self._core.run([write], feeds)
            except StepgraphError:
                return

    # -- fetches -----------------------------------------------------------------------------------------------------
    def _structure(self, fetches: Any, flat: list[Node]) -> Any:
        if fetches is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        if isinstance(fetches, list | tuple):
            return (type(fetches), None, [self._structure(item, flat) for item in fetches])
        if isinstance(fetches, Mapping):
            return (dict, list(fetches), [self._structure(item, flat) for item in fetches.values()])
        if isinstance(fetches, IndexedSlices):
            parts = [fetches.values, fetches.indices, fetches.dense_shape]
            return (IndexedSlicesValue, None, [self._structure(part, flat) for part in parts])
        try:
            element = self._graph.as_graph_element(fetches)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {fetches} has invalid type "{type(fetches).__name__}" must be a string or '
                f"Tensor. ({error})"
            ) from None
        except ValueError as error:
            raise ValueError(f"Argument `fetch` = {fetches} cannot be interpreted as a Tensor. ({error})") from None
        except KeyError as error:
            raise ValueError(
                f"Argument `fetch` = {fetches} cannot be interpreted as a Tensor. ({_quoted(error)})"
            ) from None
        if not self._graph.is_fetchable(element):
            name = element.name if isinstance(element, Operation) else element.op.name
            raise errors.InaccessibleTensorError(
                f"Operation {name} has been marked as not fetchable. Typically this happens when it is defined in "
                "another function or code block. Use return values, explicit Python locals or TensorFlow collections "
                "to access it."
            )
        if isinstance(element, Operation):
            flat.append(self._silent(element))
            return (_nothing, None, [None])
        flat.append(element._node)
        return None

    def _silent(self, op: Operation) -> Node:
        return op._node

    # -- feeds -------------------------------------------------------------------------------------------------------
    def _feeds(self, feed_dict: Any) -> dict[Node, Any]:
        feeds: dict[Node, Any] = {}
        if not isinstance(feed_dict, Mapping):
            raise TypeError(
                "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of "
                f"'{type(feed_dict).__name__}'."
            )
        for key, value in _flat_items(feed_dict):
            if key.__class__ is Tensor and key.graph is self._graph:
                tensor = key
            else:
                try:
                    tensor = self._graph.as_graph_element(key, allow_operation=False)
                except (ValueError, TypeError) as error:
                    raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error}") from None
                except KeyError as error:
                    raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None
            feeds[tensor._node] = self._value(tensor, value)
        return feeds

    def _value(self, tensor: Tensor, value: Any) -> Any:
        if isinstance(value, Tensor):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
                "scalars, strings, "
                f"lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} "
                f"which was passed to the "
                f"argument `feed_dict` with key {tensor}."
            )
        wanted = tensor.dtype.base_dtype
        if isinstance(value, int) and not isinstance(value, bool) and wanted.is_integer:
            info = np.iinfo(wanted._numpy)
            if not info.min <= value <= info.max:
                raise TypeError(
                    f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
                    f"{wanted.as_numpy_dtype}. Try explicitly setting the type of the feed tensor to a "
                    f"larger type (e.g. int64)."
                )
        if value.__class__ is np.ndarray and value.dtype == wanted._numpy:
            array = value
        elif wanted.name == "string":
            array = as_array(value)
        else:
            given = np.str_(value) if isinstance(value, str) else value  # by which NumPy's refusal names it
            with np.errstate(all="ignore"):
                array = np.asarray(given, dtype=wanted._numpy)
        if not tensor.shape.is_compatible_with(array.shape):
            raise ValueError(
                f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has shape {tensor.shape}"
            )
        return array

    # -- errors ------------------------------------------------------------------------------------------------------
    def _translated(self, error: StepgraphError) -> Exception:
        node = getattr(error, "node", None)
        if node is None:
            return errors.InvalidArgumentError(None, None, str(error))
        op = self._graph.operation(node)
        if isinstance(error, StateError) and node.op == "variable":
            return errors.FailedPreconditionError(
                None, op, f"Attempting to use uninitialized value {node.name}\n\t [[{{{{node {node.name}/read}}}}]]"
            )
        if isinstance(error, FeedError) and node.op == "placeholder":
            kind = op.outputs[0].dtype._message
            shape = "" if not node.shape else f" and shape {brackets(node.shape)}"
            return errors.InvalidArgumentError(
                None,
                op,
                f"You must feed a value for placeholder tensor '{node.name}' with dtype {kind}{shape}\n\t "
                f"[[{{{{node {node.name}}}}}]]",
            )
        text = runtime_message(node, error)
        return errors.InvalidArgumentError(None, op, f"{text}\n\t [[{{{{node {node.name}}}}}]]")

    # -- life --------------------------------------------------------------------------------------------------------
    def load_(self, variable: Any, value: Any) -> None:
        if self._core.closed:
            raise RuntimeError(CLOSED)
        self._core.load(variable._node, value)

    def close(self) -> None:
        self._core.close()

    @contextmanager
    def as_default(self) -> Iterator[Any]:
        _sessions.append(self)
        try:
            yield self
        finally:
            _sessions.remove(self)

    def list_devices(self) -> list[Any]:
        return []

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Any:
        keys = list(feed_list or [])
        return lambda *values: self.run(fetches, dict(zip(keys, values, strict=True)))


def _flat_items(feed_dict: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """What is fed, one tensor at a time: a key may be a tuple of tensors, the state of a cell, with a value of as many
    parts.

    :raises ValueError: the value has other parts than the key.
    """
    for key, value in feed_dict.items():
        if not isinstance(key, tuple):
            yield key, value
            continue
        keys: list[Any] = []
        values: list[Any] = []
        flatten(key, keys)
        flatten(value, values)
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        yield from zip(keys, values, strict=True)


def _nothing(parts: Any) -> None:
    """What stands for an op in the result: its value is nobody's business."""


def _quoted(error: KeyError) -> str:
    return f'"{error.args[0]}"'


class Session(BaseSession):
    """``with tf.Session() as sess:``; as a context it is the default session, and its graph the default graph."""

    __module__ = "tensorflow.python.client.session"

    def __enter__(self) -> Session:
        graph, session = self._graph.as_default(), self.as_default()
        graph.__enter__()
        session.__enter__()
        self._entered.append((graph, session))
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        graph, session = self._entered.pop()
        session.__exit__(kind, value, trace)
        graph.__exit__(kind, value, trace)
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        return None


class InteractiveSession(BaseSession):
    """A session that is the default one from the moment it is made until it is closed."""

    __module__ = "tensorflow.python.client.session"

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        _sessions.append(self)

    def close(self) -> None:
        super().close()
        if self in _sessions:
            _sessions.remove(self)
