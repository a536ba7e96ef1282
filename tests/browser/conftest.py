"""A real server and a real Chromium for the page's tests."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from playwright.sync_api import Browser, Page, expect

# Helpers of these tests are a module beside them; pytest imports tests by path and would not find it.
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

from readers import Chromium, Readers  # noqa: E402 - found by the line above

CHROMIUM = Chromium()
OpenPage = Callable[..., Page]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _address(output: IO[str], seconds: float) -> tuple[str, threading.Thread]:
    """The address that the server prints when it is ready, and the thread that goes on reading what it says."""
    found: list[str] = []
    ready = threading.Event()

    def read() -> None:
        for line in output:
            match = re.search(r"http://\S+", line)
            if match and not ready.is_set():
                found.append(match[0].rstrip("/"))
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    assert ready.wait(seconds), "the server printed no address"
    assert found, "the server ended before it was ready"
    return found[0], reader


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server of our own, started the way a user starts it."""
    command = Path(sys.executable).with_name("stepgraph")
    environment = {**os.environ, "PORT": str(_free_port()), "HOST": "127.0.0.1"}
    process = subprocess.Popen(
        [command, "serve"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    address, reader = _address(process.stdout, 90)
    try:
        yield address
    finally:
        process.terminate()
        process.wait(15)
        reader.join(5)
        process.stdout.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Ends Chromium with the last test of this folder: while it is there, Playwright's event loop counts as running,
    and other tests run their own."""
    if nextitem is None or HERE not in nextitem.path.parents:
        CHROMIUM.end()


@pytest.fixture
def browser() -> Browser:
    """The Chromium of all tests."""
    return CHROMIUM.browser()


@pytest.fixture
def readers(server: str) -> Iterator[Readers]:
    """The readers of one test. What a console says fails it."""
    found = CHROMIUM.readers(server)
    yield found
    errors = list(found.errors)
    found.forget()
    assert errors == []


@pytest.fixture
def open_path(readers: Readers) -> OpenPage:
    """``open_path(path, width=…, height=…, still=True)``: a page of the server."""
    return readers.open


@pytest.fixture
def open_page(open_path: OpenPage) -> OpenPage:
    """``open_page(example, width=…, height=…, still=True)``: an example in the player."""

    def open_(example: str = "", *, query: str = "", **how: int | bool) -> Page:
        page = open_path(f"/play?example={example}{query}", **how)
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)  # the first one may have to be recorded
        expect(page.locator(".cm-content")).to_be_attached()
        return page

    return open_
