"""The lessons: pages for readers and teachers, and ``/api/lessons``."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from flask import Blueprint, Response, render_template, request

from app import places
from app.documents import BadTraceError
from app.lessons import Course, Lesson, LessonError, load
from app.lessons.course import lesson_folders
from app.lessons.model import Program
from app.lessons.records import Result
from app.lessons.verdicts import MeasurementError, judge
from app.lessons.view import View, inline, result, summary
from app.web.answers import document_response
from app.web.errors import ApiError
from app.web.recorded import Recordings
from app.web.services import services
from app.web.sessions import session_id

Made = TypeVar("Made")

log = logging.getLogger(__name__)
blueprint = Blueprint("lessons", __name__)


class Shelf:
    """The course as it lies on the disk now: a lesson that is edited shows at the next request."""

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings
        self._lock = threading.Lock()
        self._state: tuple[Any, ...] = ()
        self._course: Course | None = None
        self._pages: dict[tuple[str, str], Any] = {}

    def course(self) -> Course:
        """Every lesson. Raises :class:`ApiError` if a file is not as it should be: it names the file and the line."""
        files = [file for folder in lesson_folders() for file in sorted(folder.iterdir())]
        files += [places.lessons_folder() / name for name in ("paths.yaml", "claims.yaml")]
        state = tuple((str(file), file.stat().st_mtime_ns) for file in files if file.exists())
        with self._lock:
            if self._course is None or state != self._state:
                try:
                    self._course, self._state = load(), state
                except LessonError as error:
                    file = f"{error.file.parent.name}/{error.file.name}"
                    raise ApiError(
                        503, f"{file}, line {error.line}: {error.what}", "Mend the lesson, then load the page again."
                    ) from None
                self._pages = {}  # a page that is being made of the old files goes with them
            return self._course

    def lesson(self, id: str) -> Lesson:
        found = self.course().get(id)
        if found is None:
            raise ApiError(404, "There is no lesson of this name.", "All lessons are at /lessons.")
        return found

    def has(self, id: str) -> bool:
        """Whether there is such a lesson; other pages stand even when the lessons cannot be read."""
        try:
            return self.course().get(id) is not None
        except ApiError:
            return False

    def page(self, lesson: Lesson) -> dict[str, Any]:
        """A lesson as its page gets it."""
        return self._made(lesson, "page", View.page)

    def teacher(self, lesson: Lesson) -> list[dict[str, Any]]:
        """The sections of a teacher's page."""
        return self._made(lesson, "teacher", View.teacher)

    def _made(self, lesson: Lesson, what: str, make: Callable[[View], Made]) -> Made:
        """What is ``made`` of a lesson, kept until a file changes. Raises :class:`ApiError`."""
        pages, key = self._pages, (lesson.id, what)
        if key not in pages:
            try:
                pages[key] = make(View(lesson, self.course(), self._trace))
            except LessonError as error:
                log.warning("%s", error)
                raise ApiError(
                    503, "This lesson does not fit what was recorded here.", "Run stepgraph lessons check."
                ) from error
        return cast(Made, pages[key])

    def _trace(self, program: Program) -> dict[str, Any]:
        try:
            found = json.loads(self._recordings.document(program).text())
        except BadTraceError as error:
            raise ApiError(
                503, f"{program.name} could not be recorded. {error}", "Try again.", retry_after=5
            ) from error
        assert isinstance(found, dict)
        return found


def _shelf() -> Shelf:
    return services().lessons


@blueprint.app_context_processor
def _offers() -> dict[str, Any]:
    """For templates: ``has_lesson(id)``, so that no page links to a lesson that is not there; a line of Markdown."""
    return {"has_lesson": lambda id: _shelf().has(id), "inline": inline}


# -- pages -----------------------------------------------------------------------------------------------------------
@blueprint.get("/lessons")
def index() -> str:
    """All lessons, and the ready paths through them."""
    session_id()
    course = _shelf().course()
    return render_template("lessons.html", course=course)


@blueprint.get("/lessons/<id>")
def lesson(id: str) -> str:
    """One lesson."""
    session_id()
    found = _shelf().lesson(id)
    limit = services().config.max_source_bytes
    return render_template("lesson.html", lesson=found, max_source_bytes=limit, version=places.version())


@blueprint.get("/teach")
def teach() -> str:
    """For teachers: paths, claims, and the pages of the lessons."""
    session_id()
    course = _shelf().course()
    shown = {claim.number: course.showing(claim.number) for claim in course.claims}
    return render_template("teach.html", course=course, shown=shown)


@blueprint.get("/teach/<id>")
def teach_lesson(id: str) -> str:
    """A teacher's notes on one lesson; printed, they are a handout."""
    session_id()
    shelf = _shelf()
    found = shelf.lesson(id)
    return render_template("teach_lesson.html", lesson=found, page=shelf.page(found), sections=shelf.teacher(found))


# -- API -------------------------------------------------------------------------------------------------------------
@blueprint.get("/api/lessons")
def all_lessons() -> dict[str, Any]:
    """The list of lessons and paths."""
    course = _shelf().course()
    paths = [
        {"id": way.id, "title": way.title, "minutes": way.minutes, "words": way.words, "lessons": list(way.lessons)}
        for way in course.paths
    ]
    return {"lessons": [summary(one) for one in course.lessons], "paths": paths}


@blueprint.get("/api/lessons/<id>")
def one_lesson(id: str) -> dict[str, Any]:
    """One lesson, its moments resolved."""
    shelf = _shelf()
    return shelf.page(shelf.lesson(id))


@blueprint.get("/api/lessons/<id>/programs/<name>/trace")
def trace(id: str, name: str) -> Response:
    """The recording of one program of a lesson."""
    found = _shelf().lesson(id).programs.get(name)
    if found is None:
        raise ApiError(404, "This lesson has no program of this name.", "Open the lesson again.")
    try:
        return document_response(services().recordings.document(found), cache="no-cache")
    except BadTraceError as error:
        raise ApiError(503, f"The program could not be recorded. {error}", "Try again.", retry_after=5) from error


@blueprint.post("/api/lessons/<id>/exercises/<name>")
def check(id: str, name: str) -> dict[str, Any]:
    """What the checks of an exercise say about a run."""
    exercise = _shelf().lesson(id).exercises().get(name)
    if exercise is None:
        raise ApiError(404, "This lesson has no such exercise.", "Open the lesson again.")
    body = _body()
    found = _document(body.get("run"))
    try:
        return result(Result(exercise, found))
    except Exception:
        # The recording is the program's own work: what it has forged may be valid and make no sense.
        log.exception("the checks of %s could not be asked", name)
        raise ApiError(422, "This recording cannot be checked.", "Run the program again.") from None


@blueprint.post("/api/lessons/<id>/measures")
def measured(id: str) -> dict[str, Any]:
    """Whether a claim about speed holds by what was just measured here: ``{step, runs: {program: run id}}``."""
    lesson = _shelf().lesson(id)
    body = _body()
    step, runs = body.get("step"), body.get("runs")
    if type(step) is not int or not 0 <= step < len(lesson.steps) or not isinstance(runs, dict):
        raise ApiError(422, "A step and its runs are missing.", 'Send {"step": 2, "runs": {"static.py": "…"}}.')
    claim = lesson.steps[step].measure
    if claim is None:
        raise ApiError(422, "This step measures nothing.", "Open the lesson again.")
    documents = {name: _document(runs.get(name)) for name in claim.programs}
    try:
        verdict = judge(claim, documents)
    except MeasurementError as error:
        raise ApiError(422, f"The claim cannot be judged: {error}.", "Measure again.") from None
    return {"verdict": verdict.verdict, "words": verdict.words, "rows": [list(row) for row in verdict.rows]}


def _body() -> dict[str, Any]:
    found = request.get_json(silent=True)
    if not isinstance(found, dict):
        raise ApiError(400, "The request is no JSON object.", 'Send for example {"run": "…"}.')
    return found


def _document(run: Any) -> dict[str, Any]:
    """The document of a run, which another process may have."""
    id = run if isinstance(run, str) else ""
    record = services().desk.store.get(id)
    text: bytes | None
    if record is not None:
        text = record.document.text() if record.document else b""
    else:
        text = services().elsewhere(id)
    if text is None:
        raise ApiError(404, "There is no such run.", "Runs are forgotten after a while. Run the program again.")
    if not text:
        raise ApiError(409, "This run is not done.", "Wait for its end.")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found
