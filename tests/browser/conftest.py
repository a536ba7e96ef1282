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
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

# Helpers of these tests are a module beside them; pytest imports tests by path and would not find it.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tools")]

import browser as chromium  # noqa: E402 - found by the line above

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Playwright's own Chromium if it is there, else one of the system's.

    Ended with its module: while it is there, Playwright's event loop counts as running, and other tests run their own.
    """
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            pytest.fail("No Chromium: `python tools/browser.py` says how to get one.")
        found = playwright.chromium.launch(executable_path=path or None, args=list(chromium.FLAGS))
        yield found
        found.close()


@pytest.fixture
def open_path(browser: Browser, server: str) -> Iterator[OpenPage]:
    """``open_path(path, width=…, height=…, still=True)``: a page of the server. Console errors fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    def open_(path: str, *, width: int = 1366, height: int = 768, still: bool = True) -> Page:
        context = browser.new_context(
            viewport=ViewportSize(width=width, height=height), reduced_motion="reduce" if still else "no-preference"
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server}{path}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def open_page(open_path: OpenPage) -> OpenPage:
    """``open_page(example, width=…, height=…, still=True)``: an example in the player."""

    def open_(example: str = "", *, query: str = "", **how: int | bool) -> Page:
        page = open_path(f"/play?example={example}{query}", **how)
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)  # the first one may have to be recorded
        expect(page.locator(".cm-content")).to_be_attached()
        return page

    return open_
