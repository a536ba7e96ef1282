"""``stepgraph export COURSE DIR``: lessons as a static site, recordings and all, for hosts without Python.

The pages are the server's own; what they would ask the server for lies in files (``static/js/site.js`` knows where).
Links are relative, so the site may lie in any folder of a host.
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
from pathlib import Path
from typing import Any

from app import places
from app.cli.errors import CommandError
from app.lessons import Course, LessonError, load
from app.lessons.batch import Batch, BatchError
from app.lessons.model import Lesson, Program
from app.lessons.view import View

_UNNEEDED = shutil.ignore_patterns("standalone.js", "play.*", "embed.*", "lesson.js", "*.in.css", "*.sources.json")
_MARK = ".stepgraph-site"
"""Stands in the folder of a site that was written here: only such a folder is written anew."""
_ASIDE = (
    "<p><em>This copy of the lesson runs nothing. To {what}, install Stepgraph (<code>pip install stepgraph</code>), "
    "start it (<code>stepgraph serve</code>) and open lesson {number} there.</em></p>"
)


def export_course(course: Path, out: Path) -> int:
    """Record every program of the course and write the site; returns the exit status. Raises :class:`CommandError`."""
    from app.documents import BadTraceError
    from app.runner import Runner
    from app.runner.backend import BackendError

    try:
        found = load(course)
    except LessonError as error:
        raise CommandError(str(error)) from None
    if not found.lessons:
        raise CommandError(f"{course} holds no lessons: a lesson is a folder such as 01-title with a lesson.md")
    if not (places.static_folder() / "build" / "editor.js").is_file():
        raise CommandError("the page's scripts are not built: run `make setup`")
    if out.exists() and not (out / _MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise CommandError(f"{out} is not empty and no site of ours: give a new folder")
    logging.getLogger().addHandler(logging.NullHandler())
    runner = Runner(spares=2, workers=2)
    try:
        runner.start()
        _prepare(out)
        batch = Batch(runner, (program for lesson in found.lessons for program in _shown(lesson)))
        for lesson in found.lessons:
            _write_data(lesson, found, batch, out / "data")
            print(f"{lesson.number:2} {lesson.id}", flush=True)
        _write_pages(found, out)
    except (BackendError, BatchError, BadTraceError, LessonError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"cannot write {error.filename or out}: {error.strerror}") from None
    finally:
        runner.close()
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"{out}: {len(found.lessons)} lessons, {size / 1e6:.1f} MB; hand the folder to any web server")
    return 0


def _shown(lesson: Lesson) -> list[Program]:
    """The programs that a page asks for: not those by which mistakes are recognised."""
    mistakes = {mistake.program for one in lesson.exercises().values() for mistake in one.mistakes}
    return [program for name, program in lesson.programs.items() if name not in mistakes]


def _prepare(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name in ("data", "lessons", "static"):
        shutil.rmtree(out / name, ignore_errors=True)
    (out / _MARK).write_text(f"Written by stepgraph {places.version()}.\n", "utf-8")
    (out / ".nojekyll").write_text("", "utf-8")  # GitHub's pages leave out what begins with _ otherwise
    shutil.copytree(places.static_folder(), out / "static", ignore=_UNNEEDED)


def _write_data(lesson: Lesson, course: Course, batch: Batch, data: Path) -> None:
    from app.documents.document import finish

    folder = data / lesson.id
    folder.mkdir(parents=True)
    for program in _shown(lesson):
        raw = json.dumps(batch(program), separators=(",", ":"), allow_nan=False).encode("ascii")
        (folder / f"{program.name}.json").write_bytes(finish(raw).text())
    page = View(lesson, course, batch).page()
    for step in page["steps"]:
        _say_what_needs_a_server(step, lesson)
    (data / f"{lesson.id}.json").write_text(json.dumps(page), "utf-8")


def _say_what_needs_a_server(step: dict[str, Any], lesson: Lesson) -> None:
    if "exercise" in step:
        step["exercise"]["task"] += _ASIDE.format(what="solve the exercise", number=lesson.number)
    if "measure" in step:
        step["html"] += _ASIDE.format(what="measure", number=lesson.number)


def _write_pages(course: Course, out: Path) -> None:
    from jinja2 import Environment, FileSystemLoader

    # The editor writes its styles itself; nothing else may, and nothing comes from elsewhere.
    nonce = secrets.token_hex(12)
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; font-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    shared = {
        "site": True,
        "policy": policy,
        "course": course,
        "version": places.version(),
        "max_source_bytes": 100_000,
    }

    def write(template: str, file: Path, up: str, **more: Any) -> None:
        pages = Environment(loader=FileSystemLoader(places.templates_folder()), autoescape=True)
        pages.globals.update(
            asset_url=lambda name: f"{up}static/{name}", module_urls=lambda name: [], style_nonce=lambda: nonce
        )
        file.parent.mkdir(exist_ok=True)
        text = pages.get_template(template).render(home=f"{up}index.html", **shared, **more)
        file.write_text(text, "utf-8")

    write("site/index.html", out / "index.html", "")
    for lesson in course.lessons:
        write("site/lesson.html", out / "lessons" / f"{lesson.id}.html", "../", lesson=lesson)
