"""The listener: every event of the engine becomes one row of the journal, with its place in the program.

Each call measures what it costs itself and takes that out of the program's clock. Values are copied (bounded) while
the event lasts; no reference to an array, a tensor or any other object of the program is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import clock
from engine.recording.interning import bounded
from engine.recording.journal import JournalFullError
from engine.recording.rows import PACK, PACK_TWO, PAIR, ROW_BYTES, Kind, short_node
from engine.recording.shown import ShownRows
from engine.recording.variables import message_of, type_name
from engine.recording.writer import LimitReached
from engine.tensor_type import Array, TensorType

NOWHERE = (-1, -1)


class Recorder(ShownRows):
    """A :class:`engine.events.Listener` that writes into a journal.

    >>> from engine.recording.journal import JournalSizes, anonymous
    >>> recorder = Recorder(anonymous(JournalSizes(1000, 1 << 20, 1000)), "main.py", "")
    >>> recorder.graph_created("dynamic", "")
    0
    """

    # -- construction ------------------------------------------------------------------------------------------------
    def graph_created(self, mode: str, name: str) -> int:
        started = clock()
        number = self._graphs
        self._graphs += 1
        self._row(started, Kind.GRAPH, a=number, b=self.tables.string(mode), c=self.tables.string(name))
        return number

    def node_created(
        self,
        graph: int,
        op: str,
        inputs: Sequence[tuple[int, int]],
        output: TensorType | None,
        *,
        role: str = "op",
        label: str = "",
        name: str = "",
        attributes: Mapping[str, Any] | None = None,
        control: Sequence[int] = (),
        saved: Sequence[int] = (),
        mirrors: int = -1,
        serves: int = -1,
        scope: str = "",
        plan: int = -1,
        region: int = -1,
    ) -> int:
        started = clock()
        if started > self.deadline:
            raise self.late()
        tables, journal = self.tables, self.journal
        number = len(self._node_definitions)
        onward: Sequence[int] = ()
        try:
            definition = -1
            if attributes:
                onward = attributes.get("next", ())
                if onward and len(attributes) == 1:
                    definition = tables.definitions.get((op, label, role), -1)
            else:
                definition = tables.definitions.get((op, label, role), -1)
            if definition < 0:
                definition = tables.definition(op, label, role, attributes)
            if onward and mirrors == self._placed:
                line, span = self._place  # the gradient of the op that ran right now
            else:
                self._place = line, span = self.positions.here(3)
                self._placed = number
            type_id = tables.type(output)
            if plan < 0 and len(inputs) == 2 and not (control or saved or onward or inputs[0][1] or inputs[1][1]):
                form, counts, value, blob = 1, 2, (inputs[1][0] << 32) | (inputs[0][0] & PAIR), -1
            else:
                form, counts, value, blob = short_node(inputs, control, saved, onward, plan)
            if form:
                words = tables.string(name) | tables.string(scope) << 32 if name or scope else tables.no_words()
            else:
                words, string = 0, tables.string
                flat = [len(inputs), len(control), len(saved), len(onward), plan, string(name), string(scope)]
                for pair in inputs:
                    flat += pair
                flat += control
                flat += saved
                flat += onward
                blob = journal.put_ints(flat)
            count = journal.count
            if count >= journal.row_limit:
                raise JournalFullError
            time = started - self.base - self.overhead
            PACK(
                journal.buffer, journal.at, 21, form, counts, line, span, self.frame, number,
                definition, type_id, graph, mirrors, serves, value, blob, time, words,
            )  # fmt: skip
            journal.at += ROW_BYTES
            journal.count = journal.counters[0] = count + 1
        except JournalFullError:
            raise self.reach("steps") from None
        self._node_definitions.append(definition)
        self.overhead += clock() - started
        if region >= 0:
            self._member(number, region)
        return number

    def role_changed(self, node: int, role: str) -> None:
        started = clock()
        if not 0 <= node < len(self._node_definitions):
            return
        definition = self.tables.with_role(self._node_definitions[node], role)
        self._node_definitions[node] = definition
        self._row(started, Kind.ROLE, node=node, a=definition)

    def serves_changed(self, node: int, serves: int) -> None:
        started = clock()
        self._row(started, Kind.SERVES, node=node, a=serves)

    def node_named(self, node: int, name: str) -> None:
        started = clock()
        self._row(started, Kind.NAMED, node=node, a=self.tables.string(bounded(name)))

    # -- execution ---------------------------------------------------------------------------------------------------
    def run_started(self, plan: int, fetches: Sequence[int], feeds: Sequence[int]) -> int:
        started = clock()
        number = self._runs
        self._runs += 1
        self._run_starts[number] = started - self.overhead
        self._run_places[number] = self.positions.here(2)
        self._row(started, Kind.RUN, a=plan, b=number, blob=self._list(fetches), value=self._list(feeds))
        return number

    def run_ended(self, run: int) -> None:
        started = clock()
        begun = self._run_starts.pop(run, started - self.overhead)
        self._run_places.pop(run, None)
        self._row(started, Kind.RUN_END, a=run, duration=started - self.overhead - begun)

    def fed(self, node: int, value: Array, run: int) -> None:
        started = clock()
        self._row(started, Kind.FED, node=node, a=run, value=self._value(value))

    def fetched(self, node: int, value: Array, run: int) -> None:
        started = clock()
        self._row(started, Kind.FETCHED, node=node, a=run, value=self._value(value))

    def op_ran(
        self,
        node: int,
        value: Array | None,
        start: int,
        end: int,
        *,
        worker: int = 0,
        run: int = -1,
        storage: int = -1,
        version: int = 0,
        iteration: int = -1,
    ) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        try:
            if run >= 0:
                line, span = self._run_places.get(run, NOWHERE)
            elif node == self._placed:
                line, span = self._place
            else:
                line, span = self.positions.here(2)
            at = -1 if value is None else self.value(value)
            time = start - self.base - self.overhead
            journal = self.journal
            count = journal.count
            if count >= journal.row_limit:
                raise JournalFullError
            PACK(
                journal.buffer, journal.at, 26, 0, worker, line, span, self.frame, node,
                run, storage, version, iteration, -1, at, -1, time, end - start,
            )  # fmt: skip
            journal.at += ROW_BYTES
            journal.count = journal.counters[0] = count + 1
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def op_applied(
        self,
        graph: int,
        op: str,
        inputs: Sequence[int],
        value: Array,
        start: int,
        end: int,
        label: str,
        attributes: Mapping[str, Any],
        scope: str,
        serves: int,
        storage: int,
        version: int,
        role: str = "op",
        overwrites: int = -1,
    ) -> int:
        started = clock()
        if started > self.deadline:
            raise self.late()
        tables, journal = self.tables, self.journal
        number = len(self._node_definitions)
        try:
            definition = -1 if attributes else tables.definitions.get((op, label, role), -1)
            if definition < 0:
                definition = tables.definition(op, label, role, attributes)
            # The two frames above are the engine's: ``observe.ran``, and who called it.
            self._place = line, span = self.positions.here(4)
            self._placed = number
            blob, counts = -1, len(inputs)
            if counts == 2:
                first, second = inputs
                form, edges = 1, (second << 32) | (first & PAIR)
            elif counts == 1:
                form, edges = 1, inputs[0] & PAIR
            elif counts:
                form, edges, counts, blob = 0, -1, 0, self._long_node(inputs, scope)
            else:
                form, edges = 1, -1
            if not form:
                words = 0
            elif scope:
                words = tables.string(scope) << 32 | tables.string("")
            else:
                words = tables.wordless if tables.wordless >= 0 else tables.no_words()
            how = tables.string("in-place") if overwrites >= 0 else -1
            at = self.value(value)
            type_id = self.last_type if at >= 0 else tables.type(TensorType(value.dtype, value.shape))
            buffer, place, frame = journal.buffer, journal.at, self.frame
            count = journal.count + (2 if overwrites < 0 else 3)
            if count > journal.row_limit:
                raise JournalFullError
            time = start - self.base - self.overhead
            PACK_TWO(
                buffer, place, 21, form, counts, line, span, frame, number,
                definition, type_id, graph, -1, serves, edges, blob, time, words,
                26, 0, 0, line, span, frame, number,
                -1, storage, version, -1, -1, at, -1, time, end - start,
            )  # fmt: skip
            place += 2 * ROW_BYTES
            if overwrites >= 0:
                # The value that has just been copied is its own, too.
                PACK(
                    buffer, place, 28, 0, 0, line, span, frame, overwrites,
                    -1, storage, version, how, -1, at, -1, time + end - start, 0,
                )  # fmt: skip
                place += ROW_BYTES
            journal.at = place
            journal.count = journal.counters[0] = count
        except JournalFullError:
            raise self.reach("steps") from None
        self._node_definitions.append(definition)
        self.overhead += clock() - started
        return number

    def op_taped(
        self,
        graph: int,
        op: str,
        label: str,
        value: Array,
        onward: Sequence[int],
        saved: Sequence[int],
        mirrors: int,
        scope: str,
    ) -> int:
        size, kept = len(onward), len(saved)
        if size > 2 or kept > 2 or not size or mirrors != self._placed:
            output = TensorType(value.dtype, value.shape)
            return self.node_created(
                graph, op, (), output, role="gradient", label=label, attributes={"next": onward}, saved=saved,
                mirrors=mirrors, scope=scope,
            )  # fmt: skip
        started = clock()
        if started > self.deadline:
            raise self.late()
        tables, journal = self.tables, self.journal
        number = len(self._node_definitions)
        try:
            definition = tables.definitions.get((op, label, "gradient"), -1)
            if definition < 0:
                definition = tables.definition(op, label, "gradient", None)
            line, span = self._place
            type_id = self.last_type  # the op's value was copied right now
            if type_id < 0:
                type_id = tables.type(TensorType(value.dtype, value.shape))
            following = onward[0] & PAIR if size == 1 else (onward[1] << 32) | (onward[0] & PAIR)
            blob = -1 if not kept else saved[0] & PAIR if kept == 1 else (saved[1] << 32) | (saved[0] & PAIR)
            if scope:
                words = tables.string(scope) << 32 | tables.string("")
            else:
                words = tables.wordless if tables.wordless >= 0 else tables.no_words()
            count = journal.count
            if count >= journal.row_limit:
                raise JournalFullError
            PACK(
                journal.buffer, journal.at, 21, 2, size | kept << 8, line, span, self.frame, number,
                definition, type_id, graph, mirrors, -1, following, blob, started - self.base - self.overhead, words,
            )  # fmt: skip
            journal.at += ROW_BYTES
            journal.count = journal.counters[0] = count + 1
        except JournalFullError:
            raise self.reach("steps") from None
        self._node_definitions.append(definition)
        self.overhead += clock() - started
        return number

    def _long_node(self, inputs: Sequence[int], scope: str) -> int:
        """The integers of a node of many inputs, in the heap."""
        string = self.tables.string
        flat = [len(inputs), 0, 0, 0, -1, string(""), string(scope)]
        for node in inputs:
            flat += (node, 0)
        return self.journal.put_ints(flat)

    def variable_written(
        self, node: int, value: Array, how: str, *, run: int = -1, storage: int = -1, version: int = 0
    ) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        try:
            line, span = self.positions.here(3) if run < 0 else self._run_places.get(run, NOWHERE)
            self.journal.append(
                28, line, span, self.frame, node, run, storage, version, self.tables.string(how), -1,
                self.value(value), -1, started - self.base - self.overhead,
            )  # fmt: skip
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    # -- bridges -----------------------------------------------------------------------------------------------------
    def batched(self, depth: int, function: str, rows: int, nodes: Sequence[int]) -> None:
        started = clock()
        text = self.tables.string(bounded(function))
        self._row(started, Kind.BATCHED, a=depth, b=text, c=rows, blob=self._list(nodes))

    def specialised(self, function: str, what: str, why: str) -> None:
        started = clock()
        name, deed, reason = (self.tables.string(bounded(text)) for text in (function, what, why))
        self._row(started, Kind.SPECIALISED, a=name, b=deed, c=reason)

    # -- gradients of dynamic graphs -----------------------------------------------------------------------------------
    def backward_started(self, root: int, seed: Array) -> None:
        started = clock()
        self._backward_start = started - self.overhead
        self._backward_places.append(self.positions.here(2))
        self._row(started, Kind.BACKWARD, node=root, value=self._value(seed))

    def gradient_ran(self, node: int, sent: Sequence[Array | None], start: int, end: int) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        # All of one backward happens at its call.
        line, span = self._backward_places[-1] if self._backward_places else self.positions.here(2)
        try:
            value, journal = self.value, self.journal
            time = start - self.base - self.overhead
            size = len(sent)
            if size < 3:
                first = -1 if not size or sent[0] is None else value(sent[0])
                second = -1 if size < 2 or sent[1] is None else first if sent[1] is sent[0] else value(sent[1])
                count = journal.count
                if count >= journal.row_limit:
                    raise JournalFullError
                PACK(
                    journal.buffer, journal.at, 41, 1, size, line, span, self.frame, node,
                    -1, -1, -1, -1, -1, first, second, time, end - start,
                )  # fmt: skip
                journal.at += ROW_BYTES
                journal.count = journal.counters[0] = count + 1
                self.overhead += clock() - started
                return
            blob = journal.put_ints([-1 if array is None else value(array) for array in sent])
            journal.append(
                41, line, span, self.frame, node, -1, -1, -1, -1, -1, -1, blob, time, end - start
            )  # fmt: skip
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def gradient_accumulated(
        self, node: int, value: Array, existed: bool, *, storage: int = -1, version: int = 0
    ) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        line, span = self._backward_places[-1] if self._backward_places else self.positions.here(2)
        try:
            at = self.value(value)
            time = started - self.base - self.overhead
            self.journal.append(42, line, span, self.frame, node, existed, storage, version, -1, -1, at, -1, time)
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def gradient_cleared(self, node: int, value: Array | None = None) -> None:
        started = clock()
        if started > self.deadline:
            raise self.late()
        line, span = self.positions.here(3)
        try:
            at = -1 if value is None else self.value(value)
            time = started - self.base - self.overhead
            self.journal.append(43, line, span, self.frame, node, value is not None, -1, -1, -1, -1, at, -1, time)
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    def graph_freed(self, nodes: Sequence[int]) -> None:
        started = clock()
        self._of_backward(started, Kind.FREED, -1, self._list(nodes), 0)

    def gradient_dropped(self, node: int) -> None:
        self.dropped.append(node)

    def backward_ended(self, root: int) -> None:
        started = clock()
        self._of_backward(started, Kind.BACKWARD_END, root, -1, started - self.overhead - self._backward_start)
        if self._backward_places:
            self._backward_places.pop()

    def _of_backward(self, started: int, kind: int, node: int, blob: int, duration: int) -> None:
        """A row for what stands where the innermost backward was called."""
        if started > self.deadline:
            raise self.late()
        line, span = self._backward_places[-1] if self._backward_places else self.positions.here(3)
        time = started - self.base - self.overhead
        try:
            self.journal.append(kind, line, span, self.frame, node, -1, -1, -1, -1, -1, -1, blob, time, duration)
        except JournalFullError:
            raise self.reach("steps") from None
        self.overhead += clock() - started

    # -- optimiser and compiler ----------------------------------------------------------------------------------------
    def optimise_started(self, graph: int, fetches: Sequence[int], feeds: Sequence[int]) -> int:
        started = clock()
        number = self._plans
        self._plans += 1
        self._row(started, Kind.OPTIMISE, a=number, b=graph, blob=self._list(fetches), value=self._list(feeds))
        return number

    def rewritten(
        self, plan: int, action: str, old: Sequence[int], new: Sequence[int], reason: str, node: int = -1
    ) -> None:
        started = clock()
        string = self.tables.string
        lists = {"blob": self._list(old), "value": self._list(new)}
        self._row(started, Kind.REWRITE, node=node, a=plan, b=string(action), c=string(reason), **lists)

    def rewired(self, node: int, old: Sequence[int], new: Sequence[int], reason: str) -> None:
        self.rewritten(-1, "rewired", old, new, reason, node)

    def pass_ended(self, plan: int, name: str, before: int, after: int, start: int, end: int) -> None:
        started = clock()
        times = {"time": self._start(start), "duration": end - start}
        self._row(started, Kind.PASS, a=plan, b=self.tables.string(name), c=before, d=after, **times)

    def compiled(self, plan: int, nodes: int, calls: int, buffers: int, source: str, start: int, end: int) -> None:
        started = clock()
        times = {"time": self._start(start), "duration": end - start}
        text = self.tables.string(source)
        self._row(started, Kind.COMPILED, a=plan, b=nodes, c=calls, d=buffers, e=text, **times)

    # -- trouble -------------------------------------------------------------------------------------------------------
    def op_failed(self, node: int, error: BaseException) -> None:
        started = clock()
        self.failed = (node, id(error))
        string = self.tables.string
        self._row(started, Kind.FAILED, node=node, a=string(type_name(error)), b=string(bounded(message_of(error))))


# Written as numbers above, because looking them up costs time.
assert (Kind.NODE, Kind.RAN, Kind.WRITTEN, Kind.GRADIENT, Kind.ACCUMULATED, Kind.CLEARED) == (21, 26, 28, 41, 42, 43)

__all__ = ["LimitReached", "Recorder"]
