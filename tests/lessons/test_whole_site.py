"""The whole course as files on a plain web server: every lesson plays, every question answers, nobody else is asked."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.cli import main
from app.lessons import Lesson, load
from app.places import lessons_folder
from tests.answers import answer

pytestmark = pytest.mark.slow
MOST_MB = 12


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("course") / "site"
    assert main(["export", str(lessons_folder()), str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def asked(site: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of the site, and what was asked for there that is not there."""
    missing: list[str] = []

    class Plain(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            missing.append(self.path)
            super().send_error(code, message, explain)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Plain, directory=site.parent))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/site", missing
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_is_no_larger_than_a_host_takes(site: Path) -> None:
    sizes = [file.stat().st_size for file in site.rglob("*") if file.is_file()]
    assert sum(sizes) < MOST_MB * 1e6


@pytest.mark.parametrize("lesson", load().lessons, ids=lambda lesson: lesson.id)
def test_a_lesson_is_read_to_its_end(
    site: Path, asked: tuple[str, list[str]], open_page_at: Callable[[str], Page], lesson: Lesson
) -> None:
    address, missing = asked
    told = json.loads((site / "data" / f"{lesson.id}.json").read_text())
    page = open_page_at("about:blank")
    elsewhere: list[str] = []
    page.on("request", lambda one: elsewhere.append(one.url) if not one.url.startswith((address, "data:")) else None)
    page.goto(f"{address}/lessons/{lesson.id}.html")
    for number, step in enumerate(told["steps"], 1):
        expect(page.locator("#lesson-no")).to_have_text(f"{number} of {len(told['steps'])}")
        if "player" in step:
            expect(page.locator("#counter b")).to_have_text(str(step["player"]["at"] + 1), timeout=30_000)
        if "question" in step:
            answer(page, step["question"])
        page.locator("#lesson-next").click()
    expect(page).not_to_have_url(f"{address}/lessons/{lesson.id}.html")
    assert (elsewhere, missing) == ([], [])
