"""A server whose programs are not isolated never listens beyond this machine."""

from __future__ import annotations

from typing import Any

import pytest

from app.runner import Isolation
from app.web import Config, server


class BareRunner:
    """A runner on a machine that offers nothing."""

    closed = False

    def start(self) -> None: ...

    def close(self) -> None:
        BareRunner.closed = True

    def isolation(self) -> Isolation:
        return Isolation((), False, ("everything",))


def test_it_refuses_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "Runner", BareRunner)

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("it must not serve")

    monkeypatch.setattr(server, "create_app", never)
    with pytest.raises(server.ServeError, match=r"HOST=127\.0\.0\.1 make run\n  lacks everything"):
        server.serve(Config(host="0.0.0.0", port=0))
    assert BareRunner.closed
