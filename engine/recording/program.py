"""What the probes in a rewritten program call: lines, loop passes, calls and variables become rows.

``probes.py`` puts the calls into the program; :class:`Program` is the other end of them. A probe returns what it
was given or nothing, raises nothing but ``LimitReached`` (and what Python itself raises when the stack is full), and
keeps no object of the program. One thread is followed: the one that the program starts in.
"""

from __future__ import annotations

import sys
from sys import _getframe
from types import CodeType, FrameType
from typing import Any

from engine.events import clock
from engine.recording.brief import BriefCalls
from engine.recording.holders import Activation
from engine.recording.inner import is_builtin_exec, with_probes
from engine.recording.journal import JournalFullError
from engine.recording.recorder import Recorder
from engine.recording.rows import NOTHING, PACK, PACK_PLACE, ROW_BYTES, Kind
from engine.recording.stacks import is_below
from engine.recording.tracebacks import forget_probes
from engine.recording.variables import message_of, type_name

PROBE_DEPTH = 64
"""Levels of the stack that probes (and the recorder, and what it calls) may use below the program's own frames."""
DEEP = 40
"""Calls in each other from which on a call is checked against the depth that the plain program would have."""
FOLD_FROM = 100_000
"""Rows from which on repeated passes are folded, or half of what may be recorded if that is less."""
FEWEST = 10_000
"""Of fewer rows nothing is folded."""

PARTS_OF_LINES = frozenset({"<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Names of code that has no call of its own: its lines belong to the call around it."""


def _fold_at(limit: int) -> int:
    """The number of rows at which folding is tried first."""
    return min(FOLD_FROM, limit // 2) if limit >= 2 * FEWEST else limit + 1


def _room(levels: int) -> int:
    """Needs ``levels`` levels of the stack, and fails as any call does where they are not left."""
    return levels and _room(levels - 1)


class Program(BriefCalls):
    """The probes of one recorded program.

    ``statements`` gives (line, span) for each statement, ``functions`` (string, line) for each function,
    ``loops`` the line of each loop, ``names`` (string, text) for each variable, all numbered by ``probes.py``.
    """

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self.statements: list[tuple[int, int]] = []
        self.inner: list[tuple[int, int]] = []
        """Of the statements of texts that are given to ``exec``: (string, line) of each."""
        self.inner_codes: dict[tuple[str, int], CodeType] = {}
        self.probes: dict[str, Any] = {}
        self.functions: list[tuple[int, int]] = []
        self.loops: list[tuple[int, int]] = []
        self._of_library: dict[tuple[str, int, int], int] = {}
        recorder.of_library = self.library_pass  # type: ignore[assignment, method-assign]
        self._frames = 1
        self._activations = 0
        self._fold_at = self._fold_from = _fold_at(self.journal.row_limit)
        self._fold_heap = self.journal.heap_limit // 2

    # -- lines -------------------------------------------------------------------------------------------------------
    def line(self, statement: int) -> None:
        """A statement of an ordinary function is about to run."""
        started = clock()
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        if self.current.brief:
            self.unwind()
            started = clock()
        if recorder.dropped:
            self.tell_dropped()
            started = clock()
        line, span = self.statements[statement]
        if line < 0:
            self._inner_line(-1 - line, started)
            return
        self._line_row(line, span, started)

    def _line_row(self, line: int, span: int, started: int) -> None:
        recorder, journal = self.recorder, self.journal
        self.line_now = line
        count = journal.count
        if count >= journal.row_limit:
            raise recorder.reach("steps")
        at = journal.at
        time = started - recorder.base - recorder.overhead
        PACK_PLACE(journal.buffer, at, 10, line, span, recorder.frame, NOTHING, time, 0)
        journal.at = at + ROW_BYTES
        journal.count = journal.counters[0] = count + 1
        recorder.overhead += clock() - started + recorder.lead

    def _inner_line(self, number: int, started: int) -> None:
        """A statement of a text that was given to ``exec``: it is at the line that called, and at its own."""
        recorder = self.recorder
        source, line = self.inner[number]
        time = started - recorder.base - recorder.overhead
        try:
            self.journal.append(10, self.line_now, -1, recorder.frame, -1, source, line, time=time)
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead

    def tell_dropped(self) -> None:
        """What the statement before has left without a holder: gradient nodes, and what they had saved."""
        started = clock()
        recorder, journal = self.recorder, self.journal
        nodes, recorder.dropped = recorder.dropped, []
        time = started - recorder.base - recorder.overhead
        try:
            journal.append(44, self.line_now, -1, recorder.frame, blob=journal.put_ints(nodes), time=time)
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started

    def executed(self, given: Any) -> Any:
        """What ``exec`` is about to run: a text gets probes."""
        if type(given) is not str:
            return given
        started = clock()
        frame = _getframe(1)
        result = with_probes(self, given, frame, self.probes) if is_builtin_exec(frame) else given
        self.recorder.overhead += clock() - started + self.recorder.lead
        return result

    def back(self, frame: Any) -> Any:
        """``frame.f_back`` as the program writes it: nothing is behind its module's own frame."""
        found = frame.f_back
        return None if type(found) is FrameType and is_below(found, self.recorder.positions.file) else found

    def line_of_module(self, statement: int) -> None:
        """A statement of the module is about to run: the module is the current frame, whatever was before."""
        if self.current is not self.module:
            self.unwind()
            self._switch(self.module)
        self.line(statement)

    def line_of_generator(self, statement: int) -> None:
        """A statement of a generator or coroutine is about to run."""
        self._resume(_getframe(1))
        self.line(statement)

    # -- loops -------------------------------------------------------------------------------------------------------
    def loop(self, loop: int) -> None:
        """A loop begins."""
        self.current.passes[loop] = [self._activations, -1]
        self._activations += 1

    def loop_test(self, loop: int) -> None:
        """The condition of a ``while`` is about to be tested: again, if a pass has gone before."""
        state = self.current.passes.get(loop)
        if state is not None and state[1] >= 0:
            self._header(loop)

    def loop_test_of_module(self, loop: int) -> None:
        """The same in the module."""
        if self.current is not self.module:
            self._switch(self.module)
        self.loop_test(loop)

    def loop_test_of_generator(self, loop: int) -> None:
        """The same in a generator or coroutine."""
        self._resume(_getframe(1))
        self.loop_test(loop)

    def _header(self, loop: int) -> None:
        started = clock()
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        if self.current.brief:
            self.unwind()
            started = clock()
        if recorder.dropped:
            self.tell_dropped()
            started = clock()
        line, span = self.loops[loop]
        self._line_row(line, span, started)

    def loop_pass(self, loop: int) -> None:
        """A pass of a loop begins."""
        started = clock()
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        state = self.current.passes.get(loop)
        if state is None:
            self.loop(loop)
            state = self.current.passes[loop]
        state[1] += 1
        line, span = self.loops[loop]
        journal = self.journal
        if journal.count >= self._fold_at or journal.heap_used >= self._fold_heap:
            self._fold()
        time = started - recorder.base - recorder.overhead
        count = journal.count
        if count >= journal.row_limit:
            raise recorder.reach("steps")
        at = journal.at
        PACK(
            journal.buffer, at, 13, 0, 0, line, span, recorder.frame, -1, loop, state[0], state[1], -1, -1, -1, -1,
            time, 0,
        )  # fmt: skip
        journal.at = at + ROW_BYTES
        journal.count = journal.counters[0] = count + 1
        recorder.overhead += clock() - started + recorder.lead

    def library_pass(self, name: str, place: tuple[int, int], first: bool) -> None:
        """A pass of the loop ``name`` of a library begins, which the program called at ``place`` (line, span).

        It is told once the journal fills, so that a long ``fit`` is folded as a long loop is; before that its steps
        are the program's own and no others.
        """
        journal = self.journal
        if journal.count < self._fold_from // 4 and journal.heap_used < self._fold_heap // 4:
            return
        loop = self._of_library.get((name, *place))
        if loop is None:
            loop = self._of_library[(name, *place)] = len(self.loops)
            self.loops.append(place)
            try:
                journal.append(Kind.LOOP_SOURCE, a=loop, b=place[0], c=place[0])
            except JournalFullError:
                raise self.recorder.reach("steps") from None
        if first or loop not in self.current.passes:
            self.loop(loop)
        self.loop_pass(loop)

    def _fold(self) -> None:
        """The journal is half full: take out passes that did what others did."""
        from engine.recording.folding import fold

        journal = self.journal
        try:
            folded = fold(journal)
        except (MemoryError, RecursionError, ValueError, IndexError):  # no room; or the program has written into it
            folded = False
        self.recorder.last_output = (-1, 0, 0, 0, True)
        # Where little could be taken out it is not tried again soon.
        self._fold_at = journal.count + min(self._fold_from, (journal.row_limit - journal.count) // 2)
        free = journal.heap_limit - journal.heap_used
        self._fold_heap = max(journal.heap_limit // 2, journal.heap_used + free // (3 if folded else 2))

    def for_pass(self, loop: int) -> None:
        """A pass of a ``for`` begins; from the second on, its header was the current line."""
        state = self.current.passes.get(loop)
        if state is not None and state[1] >= 0:
            self._header(loop)
        self.loop_pass(loop)

    def for_pass_of_module(self, loop: int) -> None:
        """The same in the module."""
        self.loop_test_of_module(loop)
        self.loop_pass(loop)

    def for_pass_of_generator(self, loop: int) -> None:
        """The same in a generator or coroutine."""
        self._resume(_getframe(1))
        self.loop_test(loop)
        self.loop_pass(loop)

    def room(self) -> None:
        """A call that is nested deep fails here if the plain program would have no room for it."""
        if len(self._stack) > DEEP:
            _room(PROBE_DEPTH - 3)

    # -- calls -------------------------------------------------------------------------------------------------------
    def enter(self, function: int) -> None:
        """A function of the program begins. Whatever fails in here happens before the call counts."""
        started = clock()
        self.room()
        activation = Activation(self._frames, function)
        self._called(activation, function, started)
        before = self.current
        self._stack.append((activation, before))
        self._switch(activation)
        self.recorder.overhead += clock() - started + self.recorder.lead

    def leave(self) -> None:
        """The function that was entered last ends, normally or by an exception."""
        self.unwind()
        started = clock()
        if not self._stack:  # only if other threads have mixed up the order
            return
        activation, before = self._stack.pop()
        self._switch(before)
        self._returned(activation, started)
        self.line_now = activation.line

    def enter_generator(self, function: int) -> None:
        """A generator or coroutine begins to run for the first time."""
        started = clock()
        # Which generators run inside each other is not known: those that are begun may.
        if len(self._stack) + len(self._suspended) > DEEP:
            _room(PROBE_DEPTH - 2)
        frame = _getframe(1)
        activation = Activation(self._frames, function)
        activation.caller = self._around(frame)
        self._switch(activation.caller)
        self._called(activation, function, started)
        self._suspended[id(frame)] = activation
        self._switch(activation)
        self.recorder.overhead += clock() - started + self.recorder.lead

    def leave_generator(self) -> None:
        """A generator or coroutine ends."""
        started = clock()
        activation = self._suspended.pop(id(_getframe(1)), None)
        if activation is None:
            return
        if self.current is activation:
            self._switch(activation.caller or self.module)
        activation.caller = None
        self._returned(activation, started)

    def suspend(self, value: Any) -> Any:
        """A generator is about to yield ``value``."""
        activation = self.current
        if activation.caller is not None:
            self._switch(activation.caller)
        return value

    def resume(self, value: Any) -> Any:
        """A generator goes on with ``value``, which was sent to it."""
        self._resume(_getframe(1))
        return value

    def _resume(self, frame: FrameType) -> None:
        activation = self._suspended.get(id(frame))
        if activation is not None and activation is not self.current:
            activation.caller = self._around(frame)
            self._switch(activation)

    def _around(self, frame: FrameType) -> Activation:
        """The call that runs a generator or coroutine now: another one of those, or the innermost function.

        Which of them ran last says nothing: a task is run by the event loop, a generator by whoever asks it.
        """
        file = self.recorder.positions.file
        suspended = self._suspended
        outer = frame.f_back
        while outer is not None:
            found = suspended.get(id(outer))
            if found is not None:
                return found
            code = outer.f_code
            if code.co_filename == file and code.co_name not in PARTS_OF_LINES:
                break
            outer = outer.f_back
        return self._stack[-1][0] if self._stack else self.module

    def _called(self, activation: Activation, function: int, started: int) -> None:
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        name, line = self.functions[function]
        activation.line = self.line_now
        time = started - recorder.base - recorder.overhead
        try:
            self.journal.append(11, line, -1, activation.id, -1, name, recorder.frame, self.line_now, time=time)
        except JournalFullError:
            raise recorder.reach("steps") from None
        self._frames += 1

    def _returned(self, activation: Activation, started: int) -> None:
        recorder = self.recorder
        if recorder.stopped:
            return
        if activation.objects or activation.inner:
            self._holders.let_go(activation)
        time = started - recorder.base - recorder.overhead
        try:
            self.journal.append_place(12, self.line_now, -1, activation.id, time)
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead

    # -- errors ------------------------------------------------------------------------------------------------------
    def caught(self) -> None:
        """An ``except`` clause of the program begins."""
        started = clock()
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        error = sys.exc_info()[1]
        if error is None:
            return
        if self.current.brief:
            self.unwind()
            started = clock()
        forget_probes(error)
        string = recorder.tables.string
        try:
            self.journal.append(
                51,
                self.line_now,
                -1,
                recorder.frame,
                -1,
                string(type_name(error)),
                string(message_of(error)),
                1,
                time=started - recorder.base - recorder.overhead,
            )
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead


PROBES = (
    *("line", "line_of_module", "line_of_generator"),
    *("loop", "loop_test", "loop_test_of_module", "loop_test_of_generator"),
    *("loop_pass", "for_pass", "for_pass_of_module", "for_pass_of_generator"),
    *("enter", "leave", "enter_generator", "leave_generator", "suspend", "resume"),
    *("assign", "touch", "assign_global", "touch_global", "delete", "delete_global"),
    *("executed", "back", "brief", "begin_comprehension", "element", "leave_brief"),
    *("assign_outer", "touch_outer", "delete_outer", "assign_class", "touch_class", "delete_class", "caught"),
    *("keep", "unbound", "stale"),
)
"""The methods of :class:`Program` that ``probes.py`` puts into programs."""
assert {Kind.LINE, Kind.CALLED, Kind.RETURNED, Kind.LOOP, Kind.ASSIGNED, Kind.DELETED, Kind.ERROR, Kind.FREED} == {
    10, 11, 12, 13, 14, 15, 51, 44,
}  # fmt: skip
