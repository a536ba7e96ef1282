"""From a draft to one straight-line Python function of NumPy calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import StateError
from engine.ops import TABLE
from engine.passes.draft import Draft, Step
from engine.static.binding import Names
from engine.static.emit_control import ControlEmitter
from engine.static.inline import call, chain, is_view, takes_out
from engine.static.inline_losses import Distances, loss, scratch_of, weighted
from engine.static.liveness import Liveness
from engine.static.memory import Pool
from engine.static.memory_plan import Ledger
from engine.static.state_ops import STATE
from engine.static.storage import Variable as Storage
from engine.static.storage import fitting

Array = NDArray[Any]
SILENT = frozenset({"group", "no_op"})
_UNFIT = re.compile(r"[^\w./-]")
UPDATES = {"assign_add": "add", "assign_sub": "subtract"}


@dataclass(frozen=True)
class Line:
    """One line of the generated function, with the step that it computes. ``text`` is empty for a line that only the
    recorded function has; ``recorded`` is what stands there instead of ``text`` between timestamps (``{}``: the line's
    number)."""

    text: str
    step: Step
    result: str | None
    depth: int = 0
    recorded: str | None = None


class Emitter:
    """Writes the lines of one plan. ``variables`` holds the arrays of the session, which lines write in place."""

    def __init__(
        self, draft: Draft, feeds: Sequence[Step | None], variables: dict[int, Storage], reuse: bool = True
    ) -> None:
        self.draft = draft
        self.live = Liveness(draft)
        self.pool = Pool(reuse)
        self.ledger = Ledger()
        self.lines: list[Line] = []
        self.bind = Names()
        self.calls = 0
        self._variables = variables
        self._text: dict[Step, str | None] = {}
        self._array: dict[Step, Array | None] = {}
        self._raw: dict[Step, Array] = {}
        self._shared: set[Step] = set()
        """Steps whose memory is written again: buffers, and what stands for one inside a block."""
        self._fresh: set[Step] = set()
        self._called: set[Step] = set()
        self._depth = 0
        self.drafts: list[Draft] = []
        """The draft that is being written, after those around it."""
        self.outputs: dict[Step, list[Step]] = {}
        """The ``output`` steps of each decision and loop."""
        self._distances = Distances()
        self._control = ControlEmitter(self)
        for i, step in enumerate(feeds):
            # A feed that no fetch needs has no step, but its place among the arguments.
            if step is not None:
                self._text[step], self._array[step] = f"f{i}", None
        self._emit_all(draft)

    def _emit_all(self, draft: Draft) -> None:
        self.drafts.append(draft)
        for position, step in enumerate(draft.steps):
            if step not in draft.fed:
                self._emit(position, step)
            elif step not in self._text:
                raise StateError(f"{step.name!r} is fed, but no value came with it")
            for raw in self._dead(position):
                self.pool.give(raw)
        self.drafts.pop()

    def returns(self) -> str:
        """The text of what the function returns: a tuple, one entry for each fetch, nothing that anybody else holds."""
        return "(" + "".join(f"{self._fetched(step)}, " for step in self.draft.fetches) + ")"

    def value_of(self, step: Step) -> Array | None:
        """The array of a step that is the same in every run and needs no call: a variable, a constant, a view of
        one."""
        return self._array[step] if step not in self._called else None

    @property
    def names(self) -> dict[str, object]:
        """What the generated function needs to know, by name."""
        return self.bind.objects

    # -- one step ----------------------------------------------------------------------------------------------------
    def _emit(self, position: int, step: Step) -> None:
        if step.op in SILENT:
            self._text[step] = self._array[step] = None
        elif step.op == "constant":
            self._fixed(step, step.attributes["value"], "c")
        elif step.op == "variable":
            self._fixed(step, self._variables[step.key].array, "w")
        elif step.op.startswith("assign"):
            self._emit_write(step)
        elif step.op in STATE:
            self._emit_question(step)
        elif step.blocks:
            self._control.emit(step)
        elif step.op == "output":
            self._text[step], self._array[step] = self._control.result(step), None
        elif step.inputs and is_view(step):
            self._emit_view(step)
        else:
            self._emit_call(position, step)
        if self.live.must_copy(step, position):
            self._emit_copy(step)

    def _fixed(self, step: Step, array: Array, prefix: str) -> None:
        self._array[step] = array
        self._text[step] = self.bind(f"{prefix}{step.key}" if step.key >= 0 else f"{prefix}_{-step.key}", array)

    def _emit_write(self, step: Step) -> None:
        target, value = self._operands(step)
        kind = step.inputs[1][0].type
        if kind is None or not kind.is_known:
            # The value's shape depends on values: NumPy would repeat a smaller one without a word.
            text = f"{self.bind('fitting', fitting)}({target}, {value}, {self.bind('name', step.name)})"
            value = f"v_write_{step.key}"
            self._line(f"{value} = {text}", step, value)
        if step.op == "assign":
            text = f"{self.bind('copyto', np.copyto)}({target}, {value})"
        else:
            ufunc = UPDATES[step.op]
            text = f"{self.bind(ufunc, getattr(np, ufunc))}({target}, {value}, {target})"
        self._text[step], self._array[step] = target, self._array[step.inputs[0][0]]
        self._line(text, step, target)

    def _emit_question(self, step: Step) -> None:
        """What a session knows of its variables: the text asks the storages themselves."""
        first = step.inputs[0][0]
        storages = [
            self.bind(f"s{read.key}", self._variables[read.key]) for read, _ in step.inputs if read.op == "variable"
        ]
        array = self.bind("array", np.array)
        if step.op == "is_initialized":
            self._local(step, f"{array}({storages[0]}.initialised)")
        elif step.op == "initialized_value":
            _, initial = self._operands(step)
            self._local(step, f"({self._text[first]} if {storages[0]}.initialised else {initial}).copy()")
        else:
            names = np.array([name.encode() for name in step.attributes["names"]], object)
            flags = ", ".join(f"not {text}.initialised" for text in storages)
            self._local(step, f"{self.bind('names', names)}[{array}([{flags}])]")
        self._fresh.add(step)

    def _emit_view(self, step: Step) -> None:
        base = self._array[step.inputs[0][0]]
        if base is not None and all(read.op == "constant" for read, _ in step.inputs[1:]):
            # The base is the same array in every run, so its view is, too (unless a run computes how to look at it):
            # made once, here, and free when the plan runs.
            others = [self._array[read] for read, _ in step.inputs]
            if all(other is not None for other in others):
                view = TABLE[step.op].kernel(*others, **step.attributes)
                if view is base or (isinstance(view, np.ndarray) and np.may_share_memory(view, base)):
                    self._fixed(step, view, "b")
                    return
        text = call(step, self._operands(step), None, self.bind)
        operands = self._operands(step)
        if text == operands[0]:
            self._text[step], self._array[step] = text, None
            return
        self._local(step, text)

    def _emit_call(self, position: int, step: Step) -> None:
        operands = self._operands(step)
        fetched = step in self.live.fetched
        known = step.type is not None and step.type.is_known and not step.type.dtype.hasobject
        into = not fetched and known and takes_out(step, operands, self.bind)
        self.ledger.value(step, fresh=not into)
        if fetched and step.parts:
            name = f"v{step.key}"
            self._text[step], self._array[step] = name, None
            self._line("; ".join(chain(step, operands, name, self.bind, fresh=True)), step, name)
            self._fresh.add(step)
            return
        scratch = scratch_of(step, operands, self.bind)
        if scratch is not None:
            raw, array = self.pool.take(scratch)
            if self.pool.reuse and self._distances.wanted(step, self.drafts[-1]):
                self._distances.keep(step, (raw, array))
            else:
                self.pool.give(raw)
            first, text = loss(step, operands, array, self.bind)
            self._local(step, text, first)
            self._fresh.add(step)
            return
        if not into:
            self._local(step, call(step, operands, None, self.bind))
            self._fresh.add(step)
            return
        distance = self._distances.take(step)
        raw, array = distance or self._reused(position, step) or self.pool.take(step.type)  # type: ignore[arg-type]
        self._raw[step], self._array[step] = raw, array
        self._shared.add(step)
        name = self._text[step] = self.bind(f"b{step.key}" if step.key >= 0 else f"b_{-step.key}", array)
        text = weighted(step, name, self.bind) if distance else call(step, operands, name, self.bind)
        self._line(text, step, name)

    def _reused(self, position: int, step: Step) -> tuple[Array, Array] | None:
        """The buffer of an operand that is dead after this step, if the op may write over it as it reads."""
        first, places = (step.parts[0].op, step.parts[0].operands) if step.parts else (step.op, range(len(step.inputs)))
        if not self.pool.reuse or not isinstance(TABLE[first].kernel, np.ufunc) or not TABLE[first].elementwise:
            return None
        later = {place for part in step.parts[1:] for place in part.operands}
        for read, _ in (step.inputs[place] for place in places if place not in later):
            raw = self._raw.get(read)
            if raw is not None and read.type == step.type and self.live.end[self.live.leader[read]] == position:
                array = self._array[read]
                assert array is not None
                del self._raw[read]
                return raw, array
        return None

    def _emit_copy(self, step: Step) -> None:
        """The value of a variable before a write that comes between here and its last reader."""
        copy = f"old{len(self.lines)}"  # no name that a step's own value may have
        self._line(f"{copy} = {self._text[step]}.copy()", step, copy)
        self._text[step], self._array[step] = copy, None

    def _local(self, step: Step, text: str, first: str = "") -> None:
        name = f"v{step.key}" if step.key >= 0 else f"v_{-step.key}"
        self._text[step], self._array[step] = name, None
        self._line(f"{first}; {name} = {text}" if first else f"{name} = {text}", step, name)

    def _line(self, text: str, step: Step, result: str | None) -> None:
        self.calls += 1 + text.count("; ")
        self._called.add(step)
        self.lines.append(Line(text, step, result, self._depth))

    def _operands(self, step: Step) -> list[str]:
        texts = [self._text[read] for read, _ in step.inputs]
        if None in texts:
            raise StateError(f"{step.name!r} reads {step.inputs[texts.index(None)][0].name!r}, which has no result")
        return texts  # type: ignore[return-value]

    def _dead(self, position: int) -> list[Array]:
        found = []
        for step in self.live.ending.get(position, ()):
            raw = self._raw.pop(step, None)
            if raw is not None:
                found.append(raw)
        return found

    def _fetched(self, step: Step) -> str:
        text = self._text[step]
        if text is None or step.type is None:
            return "None"
        known = step.type is not None and step.type.shape is not None and step.type.shape != ()
        if step in self._fresh and self.live.end[step] == inf:
            return text if known else f"{text}[()]"
        return f"{text}.copy()" if known else f"{text}.copy()[()]"


def comment(step: Step) -> str:
    """A step's name, fit for a comment: names come from programs."""
    return _UNFIT.sub("_", step.name)[:80]


def source_of(emitter: Emitter, feeds: int, *, recorded: bool) -> str:
    """The text of the module that makes the plan's function; ``recorded`` with a timestamp around each call."""
    parameters = ", ".join([*(f"f{i}" for i in range(feeds)), *(["ran"] if recorded else [])])
    text = [
        f"def "
        f"make({', '.join(emitter.names)}{', ' if recorded and emitter.names else ''}{'clock' if recorded else ''}):"
    ]
    text.append(f"    def run({parameters}):")
    width = max((len(line.text) + 4 * line.depth for line in emitter.lines), default=0)
    for i, line in enumerate(emitter.lines):
        indent = " " * (8 + 4 * line.depth)
        if not recorded:
            if line.text:
                text.append(f"{indent}{line.text.ljust(min(width, 60) - 4 * line.depth)}  # {comment(line.step)}")
        elif line.recorded is not None:
            text.append(indent + line.recorded.replace("{}", str(i)))
        else:
            text.append(f"{indent}t = clock(); {line.text}; u = clock(); ran({i}, {line.result or 'None'}, t, u)")
    text.append(f"        return {emitter.returns()}")
    text.append("    return run")
    return "\n".join(text) + "\n"
