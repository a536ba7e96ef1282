"""One runner for all tests of a backend: starting a zygote takes a third of a second."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from app.runner import Limits, Request, Run, Runner


@dataclass
class Outcome:
    """A finished run and its trace."""

    run: Run
    trace: dict[str, Any]

    @property
    def end(self) -> dict[str, Any]:
        found = self.trace["end"]
        assert isinstance(found, dict)
        return found

    @property
    def output(self) -> str:
        return str(self.trace["stdout"])

    @property
    def error(self) -> str:
        """Type and message of the error that ended the program."""
        error = self.end["error"]
        return f"{error['type']}: {error['message']}" if error else ""


def execute(runner: Runner, source: str, *, stdin: str | None = None, **limits: Any) -> Outcome:
    """Run ``source`` to its end. Every run must be answered, whatever the program does."""
    limits.setdefault("seconds", 5)
    run = runner.submit(Request(source, stdin=stdin, limits=Limits(**limits)))
    assert run.wait(30), "no answer"
    assert run.state == "done", run.error
    assert run.trace is not None
    return Outcome(run, json.loads(run.trace))


@pytest.fixture(scope="session", name="execute")
def execute_fixture() -> Callable[..., Outcome]:
    """:func:`execute` for the tests, which cannot import from here."""
    return execute


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    """The best backend that works here, which must be an isolated one."""
    runner = Runner()
    assert runner.isolation().isolated, runner.isolation().text
    yield runner
    runner.close()
