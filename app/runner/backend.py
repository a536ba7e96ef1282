"""What the runner needs of a way to run programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .isolation import Isolation
from .journal_file import JournalFile
from .request import Limits


class BackendError(Exception):
    """This way of running programs does not work (here, or any more). The text says why."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: exit status, or minus the signal; CPU seconds and the most memory it held."""

    status: int
    cpu: float = 0.0
    resident: int = 0


class Job(Protocol):
    """One process of one run."""

    ended: Ended | None
    """None while it lives."""
    lost: bool
    """The sandbox went away under it; ``ended`` is then made up."""
    begun: bool
    """It is known to have started; if it is lost before, nobody has seen anything of it and it can be tried again."""
    silent: bool
    """It has closed descriptors 1 and 2 and can no longer be heard, dead or alive."""

    def wait(self, timeout: float) -> bool:
        """Wait until it has ended. False after ``timeout`` seconds."""

    def loose(self) -> bytes:
        """What it wrote to descriptors 1 and 2 itself, past Python's ``sys.stdout``."""

    def feed(self, data: bytes) -> None:
        """Give it to a program that may ask, on descriptor 0. Waits while 64 kB are unread. Raises ``OSError`` when
        nobody can read it any more."""

    def end_input(self) -> None:
        """There is no more for descriptor 0."""

    def kill(self) -> None:
        """End it at once. Nothing happens if it has ended."""

    def close(self) -> None:
        """Let go of it; kills what still lives."""


class Backend(Protocol):
    """Zygote or plain process."""

    def start(self) -> None:
        """Get ready. Raises :class:`BackendError`."""

    def isolation(self) -> Isolation: ...

    def new_journal(self, limits: Limits) -> JournalFile: ...

    def run(self, journal: JournalFile, config: bytes, limits: Limits, *, interactive: bool = False) -> Job:
        """Start the program. Raises :class:`BackendError`."""

    def build(self, journal: JournalFile, config: bytes, result: int) -> Job:
        """Start to turn the journal into a trace, written to the descriptor ``result``. Raises
        :class:`BackendError`."""

    def reset(self) -> None:
        """A process could not even be killed: throw away whatever keeps it."""

    def close(self) -> None: ...
