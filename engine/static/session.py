"""Running a static graph: a session holds the variables' values and the compiled plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.errors import FeedError, GraphError, StateError, StepgraphError, words_of
from engine.passes import DEFAULT, Pass
from engine.static.extension import Extension
from engine.static.feeding import Door, about, again, check_shape, convert, opened, told
from engine.static.fetches import flatten, rebuild
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.once import CannotRunOnceError, run_once
from engine.static.parallel import Mode
from engine.static.plan import Plan, build
from engine.static.recorded import run_recorded
from engine.static.regions import WORDS
from engine.static.silence import silently
from engine.static.storage import Variable, undo, uninitialised
from engine.tensor_type import TensorType

Array = NDArray[Any]
_ndarray = np.ndarray


class Session:
    """Runs parts of ``graph``. Two sessions share nothing but the graph: each has its own variables.

    ``compiles`` counts the plans made so far. A plan is made for a combination of fetches, fed nodes and shapes of the
    fed values when it is run for the second time (with ``compile_at_once``, or with a listener attached: the first),
    and stays good when nodes are appended: what was there before cannot have changed.

    Independent steps run on up to ``workers`` threads if ``parallel`` is true, or ``"auto"`` and an estimate with this
    machine's measured rates says that it pays; ``plan(...).decision`` says what was decided and why.

    >>> from engine.static import Graph, Session
    >>> g = Graph()
    >>> w = g.variable([1.0, 2.0])
    >>> up = g.add("assign_add", [w, g.constant([1.0, 1.0])])
    >>> session = Session(g)
    >>> session.run(g.initializer())
    >>> print(session.run(up), session.run([w]))
    [2. 3.] [array([2., 3.], dtype=float32)]
    """

    keeps_writes = False
    """Whether a run that fails leaves the writes done that came before (as TensorFlow does) or undoes them."""

    def __init__(
        self,
        graph: Graph,
        passes: Sequence[Pass] = DEFAULT,
        *,
        compile_at_once: bool = False,
        parallel: Mode = "auto",
        workers: int = 2,
    ) -> None:
        if not isinstance(graph, Graph):
            raise GraphError(f"a session runs a graph, not {type(graph).__name__}: give it one")
        self.graph = graph
        graph.sessions.add(self)
        self.parallel: Mode = parallel
        self.workers = workers
        self.passes = tuple(passes)
        self.compile_at_once = compile_at_once
        self.compiles = 0
        self._extended = 0
        self.closed = False
        self.variables: dict[Node, Variable] = {}
        self._streams: dict[Any, Any] = {}
        self._plans: dict[Any, Plan] = {}
        self._flat: dict[tuple[Any, ...], bool] = {}
        self._seen: set[Any] = set()
        self._doors: dict[tuple[Node, ...], tuple[Door, ...]] = {}

    def run(self, fetches: Any, feeds: Mapping[Node, Any] | None = None) -> Any:
        """Compute ``fetches`` (a node, or lists, tuples and dictionaries of nodes) with ``feeds`` (node -> value).

        The result has the structure of ``fetches``: new arrays, NumPy scalars for rank 0, ``None`` for a node without a
        result. A run that fails leaves every variable as it was.

        :raises FeedError: a fetch or feed that the graph does not have, or a value that does not fit.
        :raises StateError: a variable without a value, or a closed session.
        """
        kind = fetches.__class__
        if kind is Node:
            return self._run((fetches,), feeds)[0]
        if kind is list:
            flat = tuple(fetches)
            known = self._flat.get(flat) if flat and flat[0].__class__ is Node else None
            if known:
                return list(self._run(flat, feeds))
        found: list[Node] = []
        shape = flatten(fetches, found)
        if kind is list and len(found) == len(fetches) and all(item.__class__ is Node for item in fetches):
            self._flat[tuple(found)] = True
        return rebuild(shape, iter(self._run(tuple(found), feeds)))

    def plan(self, fetches: Any, feeds: Mapping[Node, Any] | None = None) -> Plan:
        """The plan that :meth:`run` would use for these arguments, made if need be; its ``source`` can be read."""
        return self.prepared(fetches, feeds)[0]

    def prepared(self, fetches: Any, feeds: Mapping[Node, Any] | None = None) -> tuple[Plan, list[Array]]:
        """The plan for these arguments, and the arrays that its function takes."""
        flat: list[Node] = []
        flatten(fetches, flat)
        key, arrays = self._key(tuple(flat), feeds)
        return self._plans.get(key) or self._build(key, arrays), arrays

    def close(self) -> None:
        """Let go of variables and plans."""
        self.closed = True
        self.variables.clear()
        self._plans.clear()

    def value(self, node: Node) -> Array:
        """A copy of a variable's value here.

        :raises StateError: it has none yet.
        """
        held = self.variables.get(node)
        if held is None or not held.initialised:
            raise uninitialised(node)
        return held.array.copy()

    def load(self, node: Node, value: Any) -> None:
        """Give a variable a value without running the graph."""
        held, array = self.hold(node), np.asarray(value, node.type.dtype if node.type else None)
        if array.shape != held.array.shape:
            raise FeedError(
                f"variable {node.name!r} has shape {held.array.shape}, a value of shape {array.shape} does not fit"
            )
        held.array[...] = array
        held.wrote(node, "assign", -1)

    def hold(self, node: Node) -> Variable:
        """This session's storage of a variable, made on first use.

        :raises StateError: its shape is not known.
        """
        held = self.variables.get(node)
        if held is None:
            if node.type is None or not node.type.is_known:
                raise StateError(
                    f"variable {node.name!r} has an unknown shape: give it an initial value of a known shape"
                )
            held = self.variables[node] = Variable(np.zeros(node.type.shape, node.type.dtype))  # type: ignore[arg-type]
        return held

    def settle(self) -> None:
        """Compile what was run once so far: an edit of the graph comes, and what has run stays as it was."""
        if self.closed:
            return
        for key in self._seen - set(self._plans):
            fetches, nodes, *shapes = key
            del fetches
            with suppress(StepgraphError):
                doors = self._doors[nodes]
                self._build(key, [np.broadcast_to(np.zeros((), d), s) for (_, d), s in zip(doors, shapes, strict=True)])

    def has_run(self, node: Node) -> bool:
        """Whether a plan of this session computes ``node``."""
        return any(node.index in plan.keys for plan in self._plans.values())

    # -- inside ------------------------------------------------------------------------------------------------------
    def _run(self, fetches: tuple[Node, ...], feeds: Mapping[Node, Any] | None) -> tuple[Any, ...]:
        key, arrays = self._key(fetches, feeds)
        plan = self._plans.get(key)
        if plan is not None and plan.simple and events.listener is None:
            return silently(plan.function, arrays)  # type: ignore[no-any-return]
        if plan is None:
            if key not in self._seen and events.listener is None and not self.compile_at_once:
                self._seen.add(key)
                with suppress(CannotRunOnceError):
                    return self._once(fetches, feeds, arrays)
            plan = self._build(key, arrays)
        return self._run_carefully(plan, fetches, arrays)

    def _run_carefully(self, plan: Plan, fetches: tuple[Node, ...], arrays: Sequence[Array]) -> tuple[Any, ...]:
        """Everything that a run may need: variables are checked, and put back if it fails; a listener is told."""
        if not plan.ready:
            self._check_variables(plan)
        undoes = plan.restores and not self.keeps_writes
        saved = [(node, self.hold(node), self.hold(node).array.copy()) for node in plan.writes] if undoes else ()
        try:
            if events.listener is not None:
                found = silently(run_recorded, (self, plan, fetches, arrays, events.listener))
            else:
                found = silently(plan.function, arrays)
        except BaseException as error:
            undo(saved, isinstance(error, Exception))
            if isinstance(error, Exception) and not isinstance(error, MemoryError):
                raise self._failed(plan, error) from error
            raise
        if not plan.ready:
            for node in plan.writes:
                self.variables[node].initialised = True
            plan.ready = True
            plan.simple = not plan.restores and not plan.can_fail and len(fetches) == len(plan.draft.fetches)
        if len(fetches) == len(plan.draft.fetches):
            return found  # type: ignore[no-any-return]
        places = {step.key: i for i, step in enumerate(plan.draft.fetches)}
        return tuple(again(found[places[node.index]]) for node in fetches)

    def _once(
        self, fetches: tuple[Node, ...], feeds: Mapping[Node, Any] | None, arrays: Sequence[Array]
    ) -> tuple[Any, ...]:
        for node in fetches:
            if node.graph is not self.graph or node.region is not None:
                raise CannotRunOnceError
        fed = dict(zip(feeds or (), arrays, strict=True))
        for node, array in fed.items():
            try:
                check_shape(node, array)
            except FeedError:
                raise CannotRunOnceError from None
        return silently(run_once, (fetches, fed, self.hold))  # type: ignore[no-any-return]

    def _key(self, fetches: tuple[Node, ...], feeds: Mapping[Node, Any] | None) -> tuple[tuple[Any, ...], list[Array]]:
        """What a plan is kept under: the fetches, the fed nodes and the shapes of their values."""
        if self.closed:
            raise StateError("this session is closed; make a new Session to run the graph")
        nodes = tuple(feeds) if feeds else ()
        doors = self._doors.get(nodes)
        if doors is None:
            doors = self._open(nodes)
        if not doors:
            return (fetches, nodes), []
        # Every run comes by here: written for few calls rather than few lines.
        arrays = [*feeds.values()]  # type: ignore[union-attr]
        key = [fetches, nodes]
        for place, (node, dtype) in enumerate(doors):
            array = arrays[place]
            if array.__class__ is not _ndarray or array.dtype is not dtype:
                array = arrays[place] = self._converted(node, array, dtype)
            key.append(array.shape)
        return tuple(key), arrays

    def _converted(self, node: Node, value: Any, dtype: np.dtype[Any]) -> Array:
        return convert(node, value, dtype)

    def _build(self, key: tuple[Any, ...], arrays: Sequence[Array]) -> Plan:
        fetches, nodes = key[0], key[1]
        for node in fetches:
            if node.graph is not self.graph:
                raise about(
                    node,
                    f"{node.name!r} cannot be fetched: it belongs to another graph than this session; run it in a "
                    "session of that graph",
                )
            if node.region is not None:
                raise about(
                    node,
                    f"{node.name!r} cannot be fetched: it lies in {WORDS[node.region.name]} of {node.region.scope!r} "
                    "and only has a value while that runs; return it from there",
                )
        doors = self._doors[nodes]
        for (node, _), array in zip(doors, arrays, strict=True):
            check_shape(node, array)
        fed = {node: TensorType(dtype, array.shape) for (node, dtype), array in zip(doors, arrays, strict=True)}
        try:
            joins = Extension(self.graph.version - self._extended, self._extended, len(self._plans))
            parallel = self.parallel, self.workers
            plan = build(self.graph, fetches, fed, self.hold, self.passes, self._streams, *parallel, joins)
        except StepgraphError as error:
            raise told(error) from None
        self._extended = self.graph.version
        self._plans[key] = plan
        self.compiles += 1
        return plan

    def _open(self, nodes: tuple[Node, ...]) -> tuple[Door, ...]:
        doors = self._doors[nodes] = opened(self.graph, nodes)
        return doors

    def _check_variables(self, plan: Plan) -> None:
        for node in plan.reads_first:
            if not self.hold(node).initialised:
                raise told(uninitialised(node))

    def _failed(self, plan: Plan, error: Exception) -> Exception:
        step, trace = None, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith(f"<plan {plan.number}"):
                step = plan.step_at(trace.tb_lineno, trace.tb_frame.f_code.co_filename.endswith("recorded>"))
            trace = trace.tb_next
        if step is None:
            return error
        kind: type[StepgraphError] = type(error) if isinstance(error, StepgraphError) else GraphError
        read = ", ".join(f"{r.name} {f'{r.type.dtype} {r.type.shape}' if r.type else '?'}" for r, _ in step.inputs)
        raised = kind(f"running node {step.name!r} ({step.op}) on {read or 'nothing'} failed: {words_of(error)}")
        node = self.graph.nodes[step.origins[0]]
        raised.node, raised.reason = node, words_of(error)
        if events.listener is not None:
            events.listener.op_failed(node.traced, raised)
        return raised
