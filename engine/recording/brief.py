"""Calls of what has no statements: lambdas and comprehensions. Each is a call of its own, with its variables.

They have no place for a ``finally``: one that an exception has left is found where the next statement runs, as no
statement ever runs in them. Of each only the first calls are told, and of a comprehension the first elements, so that a
long list does not fill the recording.
"""

from __future__ import annotations

from typing import Any

from engine.events import clock
from engine.recording.bindings import Bindings
from engine.recording.holders import Activation

CALLS = 200
"""Calls of one lambda or comprehension that are told."""
ELEMENTS = 50
"""Elements of one comprehension whose variables are told."""


class BriefCalls(Bindings):
    """The probes of lambdas and comprehensions."""

    functions: list[tuple[int, int]]
    _frames: int

    def brief(self, function: int, *variables: Any) -> None:
        """A lambda or comprehension begins; ``variables`` are names and values by turns."""
        started = clock()
        self.room()
        told = self._brief_calls.get(function, 0)
        before = self.current
        if told >= CALLS:
            activation = Activation(before.id, function)
            activation.left = 0
        else:
            self._brief_calls[function] = told + 1
            activation = Activation(self._frames, function)
            activation.left = ELEMENTS
            self._called(activation, function, started)
        activation.brief = True
        self._stack.append((activation, before))
        self._switch(activation)
        # Now, because the assignments book what they cost by themselves.
        self.recorder.overhead += clock() - started + self.recorder.lead
        if told < CALLS:
            for at in range(0, len(variables), 2):
                self.assign(variables[at], variables[at + 1])

    def begin_comprehension(self, function: int, iterable: Any) -> Any:
        """A comprehension begins with what its first ``for`` goes through."""
        self.brief(function)
        return iterable

    def element(self, function: int, *variables: Any) -> None:
        """A comprehension makes an element from these names and values."""
        activation = self.current
        if activation.brief and activation.function == function and activation.left:
            activation.left -= 1
            for at in range(0, len(variables), 2):
                self.assign(variables[at], variables[at + 1])

    def leave_brief(self, function: int, value: Any) -> Any:
        """A lambda or comprehension has made its value."""
        stack = self._stack
        while stack and stack[-1][0].brief:
            ended = stack[-1][0].function
            self._leave_top()
            if ended == function:
                break
        return value

    def unwind(self) -> None:
        """A statement runs: lambdas and comprehensions that have not ended were left by an exception."""
        while self._stack and self._stack[-1][0].brief:
            self._leave_top()

    def _leave_top(self) -> None:
        started = clock()
        activation, before = self._stack.pop()
        self._switch(before)
        if activation.id != before.id:
            self._returned(activation, started)

    # -- what the other probes have ----------------------------------------------------------------------------------
    def room(self) -> None:
        raise NotImplementedError

    def _called(self, activation: Activation, function: int, started: int) -> None:
        raise NotImplementedError

    def _returned(self, activation: Activation, started: int) -> None:
        raise NotImplementedError

    def _switch(self, activation: Activation) -> None:
        self.current = activation
        self.recorder.frame = activation.id
