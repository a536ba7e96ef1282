"""Both buses. The second needs a Redis server, which the tests start from the system's package."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bus import Bus, connect


def _start_redis(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = shutil.which("redis-server")
    assert program is not None
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process, f"redis://127.0.0.1:{port}/0"
        except OSError:
            assert time.monotonic() < end, "redis-server did not start"
            time.sleep(0.02)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if shutil.which("redis-server") is None:
        if os.environ.get("CI"):
            pytest.fail("redis-server is missing: apt-get install redis-server")
        pytest.skip("redis-server is not installed: apt-get install redis-server")
    process, url = _start_redis(tmp_path_factory.mktemp("redis"))
    yield url
    process.terminate()
    process.wait(10)


@pytest.fixture(params=["local", "redis"])
def bus(request: pytest.FixtureRequest) -> Iterator[Bus]:
    found = connect(request.getfixturevalue("redis_url") if request.param == "redis" else None)
    yield found
    found.close()
