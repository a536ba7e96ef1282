"""What the variables of a program are bound to: the probes after assignments, and what they make of a value."""

from __future__ import annotations

import json
from itertools import islice
from sys import _getframe
from types import FrameType
from typing import Any

import numpy as np

from engine.events import clock
from engine.recording.holders import Activation, Holders
from engine.recording.journal import JournalFullError
from engine.recording.objects import Objects, has_parts, is_instance
from engine.recording.recorder import Recorder
from engine.recording.rows import Form, Kind
from engine.recording.tensors import Read, TensorReader
from engine.recording.values import RAW_BYTES
from engine.recording.variables import is_mutable, text_of, type_name

MISSING = object()
LARGEST = 1 << 62
AROUND = 24
"""Variables that are told anew when an object that they hold, or hold inside of others, has changed: in a recursion
that hands one list down, each call has one."""


class Bindings:
    """The probes that tell of variables. ``names`` has (string, text) for each, as ``registration.py`` numbers them.

    A name is told again only when what it is bound to looks different. ``line_now`` is the line of the statement that
    runs, ``current`` the call that it runs in.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.journal = recorder.journal
        self.names: list[tuple[int, str]] = []
        self.module = self.current = Activation(0)
        self.line_now = -1
        self.namespace: dict[str, Any] | None = None
        """The module's own."""
        self._tensors = TensorReader()
        self._lasting = self._tensors.lasting
        self._objects = Objects()
        self._holders = Holders()
        self._contents: dict[int, int] = {}
        """For each object the hash of what was told of it: a variable that is bound to it has not changed it."""
        self._behind: dict[tuple[int, int], tuple[Activation, Any]] = {}
        """Variables that may show something else now that an object was told, with what they hold; else empty."""
        self._stack: list[tuple[Activation, Activation]] = []
        """The calls that run, innermost last, each with the call that ran before it."""
        self._suspended: dict[int, Activation] = {}
        """The generators and coroutines that have begun, by frame."""
        self._brief_calls: dict[int, int] = {}

    def assign(self, name: int, value: Any) -> set[int]:
        """A variable of the running function was bound to ``value``; gives what :meth:`touch` gives."""
        kind = type(value)
        # A metaclass may define __hash__, which a dictionary would call.
        reader = self._lasting.get(kind) if type(kind) is type else None
        if reader is None or not self._tensor(self.current, name, value, reader):
            self._assigned(self.current, name, value)
        return self.current.stale

    def touch(self, name: int, value: Any, arrays: int = 1) -> set[int]:
        """A statement may have changed the object that a variable of the running function is bound to.

        With ``arrays`` 0 it called something for a value: lists may have changed, but arrays hardly ever, and looking
        at those is dear. Gives the variables of this function that hold what has changed somewhere inside."""
        # A tensor stands for another node when an operation has written into it.
        kind = type(value)
        reader = self._lasting.get(kind) if type(kind) is type else None
        known = reader is not None and self._tensor(self.current, name, value, reader)
        if not known and self._can_change(kind, arrays):
            self._assigned(self.current, name, value)
        return self.current.stale

    def stale(self, name: int) -> bool:
        """Whether a variable of the running function holds what has changed inside: it is told next."""
        stale = self.current.stale
        if name not in stale:
            return False
        stale.discard(name)
        return True

    def _can_change(self, kind: type, arrays: int) -> bool:
        if kind is np.ndarray:
            return arrays != 0
        tensors = self._tensors
        if tensors.reader(kind) is not None:
            return True
        return is_mutable(kind) or (not tensors.knows(kind) and is_instance(kind))

    def _tensor(self, activation: Activation, name: int, value: Any, reader: Read) -> bool:
        """Take down a variable that holds a tensor of a type that was met, the short way; says whether it stands for a
        node."""
        started = clock()
        try:
            node = reader(value)
        except AttributeError:
            return False
        if type(node) is not int or node < 0:
            return False
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        if activation.seen.get(name) != ("node", node):
            try:
                self._node(activation, name, node, started)
            except JournalFullError:
                raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead
        return True

    def _node(self, activation: Activation, name: int, node: int, started: int) -> None:
        """A variable stands for another node now."""
        activation.seen[name] = ("node", node)
        if name in activation.objects:
            self._holders.hold(activation, name, -1)
        recorder = self.recorder
        time = started - recorder.base - recorder.overhead
        self.journal.append(14, self.line_now, -1, activation.id, node, self.names[name][0], 0, time=time)

    def assign_global(self, name: int) -> None:
        """A variable of the module was bound."""
        space = _getframe(1).f_globals
        value = space.get(self.names[name][1], MISSING)
        if value is not MISSING:
            self._assigned(self.module if space is self.namespace else self._other(space), name, value)

    def _other(self, space: dict[str, Any]) -> Activation:
        """Whose variables are those of a namespace that is not the module's: it was given to ``exec``."""
        return self.module if self.namespace is None else self.current

    def touch_global(self, name: int, arrays: int = 1) -> set[int]:
        """A statement may have changed the object that a variable of the module is bound to."""
        space = _getframe(1).f_globals
        value = space.get(self.names[name][1])
        if self._can_change(type(value), arrays):
            self._assigned(self.module if space is self.namespace else self._other(space), name, value)
        return self.current.stale

    def assign_class(self, name: int) -> None:
        """A variable of a class body was bound."""
        frame = _getframe(1)
        value = self._of_class(frame, name)
        if value is not MISSING:
            self._assigned(self._whose(frame), name, value)

    def _whose(self, frame: FrameType) -> Activation:
        """A text given to ``exec`` may bind the variables of the module."""
        return self.module if frame.f_locals is self.namespace else self.current

    def touch_class(self, name: int, arrays: int = 1) -> None:
        """A statement may have changed the object that a variable of a class body is bound to."""
        frame = _getframe(1)
        value = self._of_class(frame, name)
        if value is not MISSING and self._can_change(type(value), arrays):
            self._assigned(self._whose(frame), name, value)

    def delete_class(self, name: int) -> None:
        """A variable of a class body is gone."""
        self._deleted(self._whose(_getframe(1)), name)

    def _of_class(self, frame: FrameType, name: int) -> Any:
        namespace = frame.f_locals
        return namespace.get(self.names[name][1], MISSING) if type(namespace) is dict else MISSING

    def keep(self, value: Any, *_: None) -> Any:
        """What an expression gave, after probes have told what its calls may have changed."""
        return value

    unbound = NameError
    """What reading a variable without a value raises."""

    def assign_outer(self, function: int, name: int, value: Any) -> None:
        """A variable of an enclosing function was bound."""
        self._assigned(self._owner(function), name, value)

    def touch_outer(self, function: int, name: int, value: Any, arrays: int = 1) -> set[int]:
        """A statement may have changed the object that a variable of an enclosing function is bound to."""
        if self._can_change(type(value), arrays):
            self._assigned(self._owner(function), name, value)
        return self.current.stale

    def delete_outer(self, function: int, name: int) -> None:
        """A variable of an enclosing function is gone."""
        self._deleted(self._owner(function), name)

    def _owner(self, function: int) -> Activation:
        """The call of ``function`` that began last and still runs; the current one if it has ended (a closure)."""
        running = [*self._suspended.values(), *(one for one, _ in self._stack)]
        return next((one for one in reversed(running) if one.function == function), self.current)

    def delete(self, name: int) -> None:
        """A variable of the running function is gone."""
        self._deleted(self.current, name)

    def delete_global(self, name: int) -> None:
        """A variable of the module is gone."""
        space = _getframe(1).f_globals
        self._deleted(self.module if space is self.namespace else self._other(space), name)

    def _deleted(self, activation: Activation, name: int) -> None:
        started = clock()
        recorder = self.recorder
        if activation.seen.pop(name, MISSING) is MISSING:
            return
        self._holders.hold(activation, name, -1)
        try:
            self.journal.append(15, self.line_now, -1, activation.id, -1, self.names[name][0])
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead

    def _assigned(self, activation: Activation, name: int, value: Any) -> None:
        started = clock()
        recorder = self.recorder
        if started > recorder.deadline:
            raise recorder.late()
        kind = type(value)
        seen = activation.seen
        try:
            if kind is int and -LARGEST < value < LARGEST:
                before = seen.get(name)
                if type(before) is not int or before != value:
                    seen[name] = value
                    if name in activation.objects:
                        self._holders.hold(activation, name, -1)
                    time = started - recorder.base - recorder.overhead
                    number = self.names[name][0]
                    self.journal.append(
                        14, self.line_now, -1, activation.id, -1, number, Form.INTEGER, value=value, time=time
                    )
            elif kind is float:
                before = seen.get(name)
                if type(before) is not float or before != value:
                    seen[name] = value
                    if name in activation.objects:
                        self._holders.hold(activation, name, -1)
                    time = started - recorder.base - recorder.overhead
                    number = self.names[name][0]
                    self.journal.append_float(14, self.line_now, activation.id, number, Form.FLOAT, value, time)
            else:
                self._assigned_other(activation, name, value, kind, started)
        except JournalFullError:
            raise recorder.reach("steps") from None
        recorder.overhead += clock() - started + recorder.lead

    def _assigned_other(self, activation: Activation, name: int, value: Any, kind: type, started: int) -> None:
        node = self._tensors.node_of(value, kind)
        if node >= 0:
            if activation.seen.get(name) != ("node", node):
                self._node(activation, name, node, started)
            return
        self._object(activation, name, value, kind, started)
        if self._behind:
            told = {(activation.id, name)}
            while self._behind:
                place, (other, held) = self._behind.popitem()
                if place not in told:
                    told.add(place)
                    self._object(other, place[1], held, type(held), started)

    def _object(self, activation: Activation, name: int, value: Any, kind: type, started: int) -> None:
        recorder = self.recorder
        seen: Any
        at = python = parts = number = -1
        inside = ""
        met: dict[int, Any] = {}
        if kind is np.ndarray or issubclass(kind, np.generic):
            array = value if kind is np.ndarray else np.asarray(value)
            form, at = Form.ARRAY, recorder.value(array)
            number = self._objects.number(value, kind)
            # Large arrays are not compared: whether they changed is not worth reading them twice.
            whole = at >= 0 and array.nbytes <= RAW_BYTES
            seen = ("array", array.shape, hash(array.tobytes()), number) if whole else None
        if at < 0:
            form, shown = Form.TEXT, text_of(value)
            number = self._objects.number(value, kind)
            if has_parts(value, kind):
                inside = json.dumps(self._objects.parts(value, met))
                met.pop(number, None)
            seen = (type_name(value), shown, number, inside)
        if seen is not None and activation.seen.get(name) == seen:
            return
        activation.seen[name] = seen
        if number >= 0 or met or name in activation.objects:
            self._holders.hold(activation, name, number, met)
        if form is Form.TEXT:
            python = recorder.tables.string(seen[0])
            at = self.journal.put_bytes(shown.encode("utf-8", "backslashreplace"))
            if inside:
                parts = self.journal.put_bytes(inside.encode("utf-8", "backslashreplace"))
        time = started - recorder.base - recorder.overhead
        append, line = self.journal.append, self.line_now
        append(14, line, -1, activation.id, -1, self.names[name][0], form, python, number, -1, at, parts, time)
        if number < 0:
            return
        # What one name shows of the object, all show that hold it.
        for (call, other), holder in self._holders.shown(number, AROUND):
            if holder.seen.get(other) != seen and (call, other) != (activation.id, name):
                holder.seen[other] = seen
                append(14, line, -1, call, -1, self.names[other][0], form, python, number, -1, at, parts, time)
        content = hash(seen)
        if self._contents.get(number) != content:
            self._contents[number] = content
            self._changed(number, met)

    def _changed(self, number: int, met: dict[int, Any]) -> None:
        """Object ``number`` was told anew: other variables show what is inside of it, or have it inside themselves."""
        holders = self._holders
        around = {**holders.around(number)}
        for inner, one in met.items():
            around.update(holders.around(inner))
            for place, holder in holders.of(inner).items():
                self._behind[place] = holder, one
                break  # whoever else holds it is told with this one
        own = holders.of(number)
        for place, holder in islice(((place, holder) for place, holder in around.items() if place not in own), AROUND):
            if holder is self.module and self.namespace is not None:
                held = self.namespace.get(self.names[place[1]][1], MISSING)
                if held is not MISSING:
                    self._behind[place] = holder, held
            else:
                holder.stale.add(place[1])  # the function itself shows it to the next probe


assert (Kind.ASSIGNED, Kind.DELETED, Form.NODE) == (
    14,
    15,
    0,
)  # written as numbers above: a look-up costs time
