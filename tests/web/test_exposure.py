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


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_it_refuses_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(server, "Runner", BareRunner)

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("it must not serve")

    monkeypatch.setattr(server, "create_app", never)
    try:
        with pytest.raises(server.ServeError, match="HOST=127.0.0.1 make run"):
            server.serve(Config(host=host, port=0))
    except server.ServeError as error:  # pragma: no cover - a machine without IPv6
        assert "cannot listen" in str(error)
    assert BareRunner.closed
