"""Real PostgreSQL and Redis servers from the system's packages, started by the tests that need them.

Where they are not installed those tests are skipped with the reason; in CI (``CI=true``) they fail.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

_PATIENCE = 20


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def missing(package: str) -> None:
    """End the test: skipped, or in CI failed, because a Debian package is not there."""
    reason = f"{package} is not installed: apt-get install {package}"
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        pytest.fail(reason)
    pytest.skip(reason)


def await_port(port: int, process: subprocess.Popen[bytes], name: str) -> None:
    """Wait until ``process`` takes connections."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, f"{name} ended with status {process.returncode}"
            assert time.monotonic() < end, f"{name} did not start"
            time.sleep(0.02)


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_PATIENCE)


def postgresql_programs() -> Path | None:
    """The folder of ``initdb`` and ``postgres``; Debian keeps it off PATH."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin/"), key=lambda p: int(p.parent.name), default=None)


class PostgresServer:
    """A server in a folder of its own that can be stopped and started again. It refuses to run as root, so a root's
    server runs as ``postgres``."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.port = free_port()
        self._programs = programs
        self._folder = folder
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            import pwd  # Windows has none

            account = pwd.getpwnam(self._user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        command = [programs / "initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8"]
        subprocess.run([*command, "--locale=C.UTF-8", "-D", folder / "data"], check=True, **self._options)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def _options(self) -> dict[str, object]:
        return (
            {"user": self._user, "extra_groups": [], "cwd": self._folder, "stdout": subprocess.DEVNULL}
            if (self._user)
            else {"cwd": self._folder, "stdout": subprocess.DEVNULL}
        )

    def start(self) -> None:
        settings = {"fsync": "off", "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [self._programs / "postgres", "-D", self._folder / "data", "-p", str(self.port), *options]
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log, **self._options)  # type: ignore[call-overload]
        await_port(self.port, self.process, "postgres")
        while subprocess.run([self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode:
            assert self.process.poll() is None, "postgres ended while it started"
            time.sleep(0.02)

    def stop(self) -> None:
        """Cut every connection and end; nothing is lost."""
        if self.process is not None:
            self.process.send_signal(2)  # "fast": SIGTERM would wait for the clients
            self.process.wait(_PATIENCE)
            self.process = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"


def _new_postgresql(folder: Path) -> PostgresServer:
    programs = postgresql_programs()
    if programs is None:
        missing("postgresql")
        raise AssertionError
    server = PostgresServer(programs, folder)
    server.start()
    return server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process. Don't stop it: :func:`own_postgresql` is for that."""
    with tempfile.TemporaryDirectory(prefix="stepgraph-postgresql-", ignore_cleanup_errors=True) as folder:
        server = _new_postgresql(Path(folder))
        yield server
        server.stop()


@pytest.fixture
def own_postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL server that a test may stop and start."""
    with tempfile.TemporaryDirectory(prefix="stepgraph-postgresql-", ignore_cleanup_errors=True) as folder:
        server = _new_postgresql(Path(folder))
        yield server
        server.stop()


@pytest.fixture(scope="session")
def new_postgresql_url(postgresql: PostgresServer) -> Callable[[], str]:
    """Makes an empty database with every call, and gives its address."""
    import psycopg

    numbers = count(1)

    def make() -> str:
        name = f"test_{next(numbers)}"
        with psycopg.connect(postgresql.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return postgresql.url(name)

    return make


class RedisServer:
    """A server that keeps nothing; it can be stopped and started again."""

    def __init__(self, program: str, folder: str) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        self._port = port
        self._command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        await_port(self._port, self.process, "redis-server")

    def stop(self) -> None:
        stop(self.process)


@contextlib.contextmanager
def _redis() -> Iterator[RedisServer]:
    program = shutil.which("redis-server")
    if program is None:
        missing("redis-server")
        raise AssertionError
    with tempfile.TemporaryDirectory(prefix="stepgraph-redis-") as folder:
        server = RedisServer(program, folder)
        yield server
        server.stop()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis server for all tests of this process."""
    with _redis() as server:
        yield server.url


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis server that a test may stop."""
    with _redis() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'stepgraph.sqlite3'}"
    make: Callable[[], str] = request.getfixturevalue("new_postgresql_url")
    return make()


def addresses(kind: str, request: pytest.FixtureRequest, folder: Path, *, number: int = 0) -> dict[str, str]:
    """Settings of one of the two set-ups: ``"alone"``, an SQLite file and nothing else, or ``"shared"``, PostgreSQL and
    Redis. Both are empty. ``number`` is Redis's database: who has one of its own meets nobody else's workers."""
    if kind == "alone":
        return {"database_url": f"sqlite:///{folder / 'stepgraph.sqlite3'}", "redis_url": ""}
    import redis

    bus = f"{request.getfixturevalue('redis_url').removesuffix('/0')}/{number}"
    with redis.Redis.from_url(bus) as client:
        client.flushdb()
    make: Callable[[], str] = request.getfixturevalue("new_postgresql_url")
    return {"database_url": make(), "redis_url": bus}


@pytest.fixture(params=["alone", "shared"])
def set_up(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Both set-ups, one after the other: whoever tests with this tests both."""
    return addresses(request.param, request, tmp_path)
