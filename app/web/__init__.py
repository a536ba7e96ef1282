"""The web server: pages, JSON API, event streams. The only package that imports Flask; it runs no user code."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import examples as example_files
from app import places
from app.bus import BusError, connect
from app.classroom import Classes
from app.classroom.relay import Relay
from app.documents import Finisher
from app.runner import Runner
from app.runner.interface import RunnerLike
from app.store import Classes as StoredClasses
from app.store import Database
from app.web import (
    assets,
    classlog,
    classpages,
    classroom,
    errors,
    examples,
    lessons,
    operations,
    pages,
    runs,
    security,
    sharing,
)
from app.web.classrecordings import ClassRecordings
from app.web.condition import Condition
from app.web.config import Config, ConfigError
from app.web.desk import Desk
from app.web.recorded import RecordedExamples, Recordings
from app.web.services import Services

if TYPE_CHECKING:
    from app.cluster.runner import ClusterRunner

__all__ = ["Config", "ConfigError", "create_app"]


def create_app(
    config: Config | None = None, *, runner: RunnerLike | None = None, finisher: Finisher | None = None
) -> Flask:
    """The WSGI application. ``app.extensions["stepgraph"]`` holds its :class:`Services`; close them at the end.

    Without ``runner`` one is made; it is started here in either case, which takes a fraction of a second. Without
    ``finisher`` one is made too; it starts with its first document.
    """
    config = config or Config()
    runner, cluster = _with_workers(runner or Runner(), config)
    app = Flask("stepgraph", static_folder=None, template_folder=str(places.templates_folder()))
    app.config.update(
        SECRET_KEY=config.secret_key,
        SESSION_COOKIE_NAME="stepgraph_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # JSON may write every byte of a program and of its input as six characters.
        MAX_CONTENT_LENGTH=6 * (config.max_source_bytes + config.max_stdin_bytes)
        + config.max_files_bytes * 3 // 2
        + 10_000,
    )
    finisher = finisher or Finisher(seconds=config.layout_seconds)
    desk = Desk(config, runner, finisher, known=cluster, counts=cluster.shares if cluster else None)
    recordings = Recordings(desk)
    recorded = RecordedExamples(example_files.load(), recordings)
    bus = connect(config.redis_url)
    database = Database(config.database_url)
    app.extensions["stepgraph"] = Services(
        config,
        desk,
        recorded,
        recordings,
        lessons.Shelf(recordings),
        assets.Assets(places.static_folder()),
        bus,
        Classes(
            StoredClasses(database),
            bus,
            alone=not config.redis_url,
            relay=Relay(config.relay) if config.relay else None,
        ),
        ClassRecordings(desk),
        sharing.Sharing(database, config),
        database,
        Condition(database, bus, cluster, watched=bool(config.redis_url) or database.is_shared),
        streams=threading.BoundedSemaphore(config.streams),
        waiters=threading.BoundedSemaphore(config.waiters),
    )
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    errors.register(app)
    operations.register(app)
    security.register(app, config)
    assets.register(app)
    for module in (pages, runs, examples, lessons, sharing, classroom, classlog, classpages):
        app.register_blueprint(module.blueprint)
    runner.start()
    if config.record_examples:
        recorded.record_all()
    return app


def _with_workers(runner: RunnerLike, config: Config) -> tuple[RunnerLike, ClusterRunner | None]:
    """``runner``, behind the task queue where there is one."""
    if not config.redis_url:
        return runner, None
    # Loaded only where it is used: the default set-up needs neither Redis's client nor the task queue.
    try:
        from app.cluster.runner import ClusterRunner
    except ModuleNotFoundError:
        raise BusError("REDIS_URL needs a client and a task queue: pip install 'stepgraph[scale]'.") from None
    cluster = ClusterRunner(runner, config.redis_url)
    return cluster, cluster
