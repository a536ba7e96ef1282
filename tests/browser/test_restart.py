"""The server is killed in the middle of a run, and started anew while the page is open."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.servers import free_port

pytestmark = pytest.mark.browser
PROGRAM = "import time\nprint('begun')\ntime.sleep(4)\nprint('ended')\n"


def serve(port: int) -> subprocess.Popen[str]:
    """A server that says that it is ready."""
    command = [str(Path(sys.executable).with_name("stepgraph")), "serve", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    assert f":{port}/" in process.stdout.readline()
    return process


def test_a_run_that_a_dead_server_took_along_is_offered_again(browser: Browser) -> None:
    port = free_port()
    process = serve(port)
    page = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce").new_page()
    try:
        page.goto(f"http://127.0.0.1:{port}/play?example=xor-torch")
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(PROGRAM)
        page.keyboard.press("Control+Enter")
        expect(page.locator("#progress")).to_contain_text("begun", timeout=30_000)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10)
        expect(page.locator("#progress")).to_have_text("The server does not answer. Trying again …", timeout=15_000)
        expect(page.locator(".cm-content")).to_contain_text("time.sleep(4)")
        process = serve(port)
        expect(page.locator("#message-words")).to_contain_text("The server was started anew", timeout=30_000)
        expect(page.locator(".cm-content")).to_contain_text("time.sleep(4)")
        page.keyboard.press("Control+End")
        page.get_by_role("button", name="Run it again").click()
        expect(page.locator("#progress")).to_contain_text("begun", timeout=30_000)
        expect(page.locator("#counter")).to_contain_text(re.compile(r"of \d"), timeout=30_000)
        expect(page.locator("#message-words")).to_be_hidden()
    finally:
        page.context.close()
        process.terminate()
        process.communicate(timeout=30)
