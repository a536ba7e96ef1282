"""The text of decisions and loops: a real ``if``, ``while`` or ``for`` with the lines of the blocks inside.

Values that cross from one iteration to the next, or leave a block, are arrays of their own: buffers and variables would
be written over while somebody still reads them, so what lives there is copied at the crossing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import GraphError
from engine.passes.blocks import Block, Label
from engine.passes.draft import Step
from engine.static.liveness import Liveness

if TYPE_CHECKING:
    from engine.static.emit import Emitter

Array = NDArray[Any]
DEEPEST, DEEPEST_LOOPS = 90, 18
"""Python allows 100 levels of indentation, and 20 loops inside each other."""


class ControlEmitter:
    """Writes the lines of control steps for an :class:`~engine.static.emit.Emitter`."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._results: dict[Step, dict[Label, str]] = {}
        self._loops = 0

    def result(self, step: Step) -> str | None:
        """The text of the result that an ``output`` step picks."""
        text = self._results[step.inputs[0][0]][step.attributes["kind"], step.attributes["index"]]
        return None if text == "None" else text

    def emit(self, step: Step) -> None:
        """Write the lines of a decision or loop."""
        if self._emitter._depth >= DEEPEST or (step.op != "cond" and self._loops >= DEEPEST_LOOPS):
            raise GraphError(
                f"{step.name!r} lies too deep: a plan can nest {DEEPEST} decisions, and {DEEPEST_LOOPS} loops; choose "
                "by an index instead of one decision within the other"
            )
        self._results[step] = {}
        self._emitter._text[step] = self._emitter._array[step] = None
        if step.op == "cond":
            self._cond(step)
        else:
            self._loops += 1
            self._loop(step)
            self._loops -= 1

    # -- lines -------------------------------------------------------------------------------------------------------
    def _plain(self, step: Step, text: str, recorded: str | None = None) -> None:
        """A line that is no call; ``recorded`` stands there when somebody listens (with ``{}`` for the line's
        number)."""
        from engine.static.emit import Line

        emitter = self._emitter
        emitter.lines.append(Line(text, step, None, emitter._depth, text if recorded is None else recorded))

    def _given(self, step: Step) -> dict[Label, tuple[Step, str]]:
        texts = [self._emitter._text[read] or "None" for read, _ in step.inputs]
        return {label: (read, text) for label, (read, _), text in zip(step.labels, step.inputs, texts, strict=True)}

    def _enter(self, block: Block, given: dict[Label, tuple[Step, str]], names: dict[Label, str]) -> None:
        """Let the block's parameters stand for what they are given."""
        emitter = self._emitter
        for label, parameter in block.parameters.items():
            if label in names:
                emitter._text[parameter], emitter._array[parameter] = names[label], None
            else:
                outer, _ = given[label]
                emitter._text[parameter], emitter._array[parameter] = emitter._text[outer], emitter._array[outer]
                if self._is_shared(outer):
                    emitter._shared.add(parameter)

    def _block(self, block: Block) -> None:
        """The lines of a block's steps."""
        emitter = self._emitter
        outer, emitter.live = emitter.live, Liveness(block)
        emitter._emit_all(block)
        # What leaves the block is copied now, while its liveness is known.
        leaving = {label: self._own_text(one) for label, one in block.results.items()}
        self._leaving = leaving
        for one in block.steps:
            raw = emitter._raw.pop(one, None)
            if raw is not None:
                emitter.pool.give(raw)
        emitter.live = outer

    def _is_shared(self, step: Step) -> bool:
        """Whether the memory of ``step`` may be written while somebody still reads it."""
        emitter = self._emitter
        leader = emitter.live.leader.get(step, step)
        return leader in emitter._shared or leader.op == "variable" or leader.op.startswith("assign")

    def _own_text(self, step: Step) -> str:
        text = self._emitter._text[step]
        if text is None or step.type is None:
            return "None"
        return f"{text}.copy()" if self._is_shared(step) else text

    # -- decisions -----------------------------------------------------------------------------------------------------
    def _cond(self, step: Step) -> None:
        emitter = self._emitter
        given = self._given(step)
        pred = given["pred", 0][1]
        labels = list(dict.fromkeys(label for block in step.blocks for label in block.results))
        names = {label: f"v{step.key}_{label[1]}" if step.key >= 0 else f"v_{-step.key}_{label[1]}" for label in labels}
        for block, words in zip(
            step.blocks, ((f"if {pred}:", f"if ran.decide({{}}, {pred}):"), ("else:", None)), strict=True
        ):
            self._plain(step, *words)
            emitter._depth += 1
            first = len(emitter.lines)
            self._enter(block, given, {})
            self._block(block)
            leaving = self._leaving
            pairs = [(names[label], leaving.get(label, "None")) for label in labels]
            if pairs:
                self._plain(step, assigned(pairs))
            elif not any(line.text for line in emitter.lines[first:]):
                self._plain(step, "pass")
            emitter._depth -= 1
        self._results[step] = dict(names)
        self._ended(step)

    def _ended(self, step: Step) -> None:
        emitter, results = self._emitter, self._results[step]
        picked = emitter.outputs[step] = [
            one for one in emitter.drafts[-1].steps if one.op == "output" and one.inputs and one.inputs[0][0] is step
        ]
        texts = [results[one.attributes["kind"], one.attributes["index"]] for one in picked]
        self._plain(step, "", f"ran.ended({{}}, ({''.join(f'{text}, ' for text in texts)}))")

    def _shown(self, step: Step, block: int, counter: str, names: dict[Label, str]) -> None:
        """For the recorded function: the loop enters a block, with these values of its variables."""
        parameters = step.blocks[block].parameters.items()
        texts = "".join(f"{names[label]}, " for label, one in parameters if one.op == "loop_variable")
        self._plain(step, "", f"ran.enter({{}}, {block}, {counter}, ({texts}))")

    # -- loops ---------------------------------------------------------------------------------------------------------
    def _loop(self, step: Step) -> None:
        emitter = self._emitter
        given, body = self._given(step), step.blocks[-1]
        key = str(step.key) if step.key >= 0 else f"_{-step.key}"
        carried = [label for label in step.labels if label[0] == "carried"]
        stacks = [label for label in body.results if label[0] == "stack"]
        names = {label: f"x{key}_{label[1]}" for label in carried}
        counter, maximum = f"i{key}", given.get(("maximum", 0))
        lists = {label: f"s{key}_{label[1]}" for label in stacks}
        start = [(names[label], self._entering(given[label][0])) for label in carried]
        start += [(name, "[]") for name in lists.values()]
        is_for = step.op == "for_loop"
        if not is_for:
            start.append((counter, "0"))
        if start:
            self._plain(step, assigned(start))
        self._plain(step, "", "ran.begin({})")
        if is_for:
            count = f"{emitter.bind('int', int)}({given['count', 0][1]})"
            numbers = f"{emitter.bind('range', range)}({count})"
            if step.attributes.get("reverse"):
                numbers = f"{emitter.bind('reversed', reversed)}({numbers})"
            self._plain(step, f"for {counter} in {numbers}:")
        else:
            self._plain(step, "while True:" if maximum is None else f"while {counter} < {maximum[1]}:")
        emitter._depth += 1
        if not is_for:
            condition = step.blocks[0]
            self._enter(condition, given, names)
            self._shown(step, 0, counter, names)
            self._block(condition)
            self._plain(step, f"if not {self._leaving['value', 0]}: break")
        inner = {**names}
        pairs = []
        for label in body.parameters:
            if label[0] == "slice":
                inner[label] = f"e{key}_{label[1]}"
                pairs.append((inner[label], f"{given[label][1]}[{counter}]"))
        if pairs:
            self._plain(step, assigned(pairs))
        self._shown(step, len(step.blocks) - 1, counter, inner)
        self._enter(body, given, inner)
        self._block(body)
        leaving = self._leaving
        for label, name in lists.items():
            self._plain(step, f"{name}.append({leaving[label]})")
        pairs = [(names[label], leaving["value", label[1]]) for label in carried]
        pairs = [(name, text) for name, text in pairs if name != text]
        if pairs:
            self._plain(step, assigned(pairs))
        if not is_for:
            self._plain(step, f"{counter} += 1")
        if not any(line.text for line in emitter.lines[-1:]):
            self._plain(step, "pass")
        emitter._depth -= 1
        for label, name in lists.items():
            turned = ", True" if is_for and step.attributes.get("reverse") else ""
            empty = emitter.bind("empty", empty_like(body.results[label]))
            self._plain(step, f"{name} = {emitter.bind('stacked', stacked)}({name}, {empty}{turned})")
        results = self._results[step]
        for label, name in names.items():
            results["value", label[1]] = name
        results.update(lists)
        if not is_for:
            results["count", 0] = f"{emitter.bind('int32', np.int32)}({counter})"
        else:
            results["count", 0] = given["count", 0][1]
        self._ended(step)

    def _entering(self, step: Step) -> str:
        return self._own_text(step)


def assigned(pairs: Sequence[tuple[str, str]]) -> str:
    """One assignment that does all of ``pairs`` at once."""
    return f"{', '.join(name for name, _ in pairs)} = {', '.join(text for _, text in pairs)}"


def empty_like(step: Step) -> Array:
    """What stacking no values at all gives: unknown dimensions are 1, so that it goes together with whatever it
    should."""
    shape = step.type.shape if step.type is not None else ()
    return np.zeros(
        (0, *(1 if n is None else n for n in shape or ())), step.type.dtype if step.type is not None else None
    )


def stacked(values: list[Any], empty: Array, turned: bool = False) -> Array:
    """The values of all iterations in one array, the first iteration first (``turned``: the last).

    Values of different shapes stay apart, in an array of arrays: only loops read it, one entry at a time.

    >>> stacked([np.zeros(2), np.ones(2)], np.zeros((0, 2)), True).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    if not values:
        return empty
    if turned:
        values.reverse()
    shape = np.shape(values[0])
    if all(np.shape(value) == shape for value in values):
        return np.array(values) if not shape else np.stack(values)
    ragged = np.empty(len(values), object)
    for place, value in enumerate(values):
        ragged[place] = np.asarray(value)
    return ragged


__all__ = ["ControlEmitter", "stacked"]
