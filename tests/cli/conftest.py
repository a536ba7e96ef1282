"""The command in this process and with one runner for all, which saves half a second each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.cli import main
from app.runner import Runner


class Result(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture(scope="session")
def shared_runner() -> Iterator[Runner]:
    runner = Runner(spares=1, workers=1)
    runner.start()
    yield runner
    runner.close()


@pytest.fixture
def here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shared_runner: Runner, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Result]:
    """``stepgraph`` with some words, in the test's own folder: status and both streams."""

    class Borrowed:
        start = staticmethod(shared_runner.start)
        submit = staticmethod(shared_runner.submit)
        measure = staticmethod(shared_runner.measure)

        def __init__(self, **_: Any) -> None: ...

        def close(self) -> None: ...

    monkeypatch.setattr("app.runner.Runner", Borrowed)
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> Result:
        try:
            status = main(words)
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capfdbinary.readouterr()
        return Result(status, out, err)

    return command
