"""The program's output on our own standard output and error, byte for byte and as it comes."""

from __future__ import annotations

import sys

from app.runner import Run

_HEARTBEAT = 0.5


class Output:
    """Passes the output of ``run`` on. Answers to ``input()`` are left out: whoever typed them has seen them."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._line_begun = False

    def follow(self) -> None:
        """Until the run has ended."""
        self._pass_on()
        seen = 0
        while not self._run.wait(0):
            seen = self._run.wait_change(seen, _HEARTBEAT)
            self._pass_on()
        self._pass_on()

    def _pass_on(self) -> None:
        for stream, data in self._run.take_output():
            if stream and data:
                ours = sys.stderr.buffer if stream == 2 else sys.stdout.buffer
                ours.write(data)
                ours.flush()
                if ours.isatty():
                    self._line_begun = not data.endswith(b"\n")

    def say(self, text: str) -> None:
        """A line of our own on standard error, which is a terminal: below what the program has printed there."""
        print("\n" * self._line_begun + text, file=sys.stderr)
