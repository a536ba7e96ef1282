"""An application in both set-ups whose runner refuses to run: opening and making links must not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.runner import Measure, Request
from app.runner.isolation import Isolation
from app.web import Config, create_app
from app.web.store import RunLike


class NoRunner:
    def start(self) -> None: ...

    def close(self) -> None: ...

    def isolation(self) -> Isolation:
        raise AssertionError("nothing runs, so nothing isolates")

    def submit(self, request: Request) -> RunLike:
        raise AssertionError("nothing may run")

    def measure(self, request: Request, measure: Measure) -> RunLike:
        raise AssertionError("nothing may be measured")


@pytest.fixture
def make(set_up: dict[str, str]) -> Iterator[Callable[..., Flask]]:
    """Makes applications on the same database, as several web processes are."""
    made: list[Flask] = []

    def build(**settings: object) -> Flask:
        config = Config(record_examples=False, **{**set_up, **settings})  # type: ignore[arg-type]
        app = create_app(config, runner=NoRunner())
        made.append(app)
        return app

    yield build
    for app in made:
        app.extensions["stepgraph"].close()


@pytest.fixture
def client(make: Callable[..., Flask]) -> FlaskClient:
    return make().test_client()
