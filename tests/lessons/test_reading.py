"""From files to a lesson: what is read, and that each mistake is named with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.lessons import LessonError, load
from app.lessons.reader import read_lesson
from tests.lessons.recordings import write_lesson

STEP = '\n## One\n\nLook at `a`.\n\n```player\nprogram: a.py\nat: {line: "a ="}\n```\n'
GOOD = STEP + "\n```question\nask: What is `a`?\nkind: number\nanswer: 2\n```\n\nAfter it.\n\n## Two\n\nNo block.\n"
EXERCISE = (
    STEP
    + "\n```exercise\nid: more\nprogram: a.py\ntask: Do it.\nchecks:\n  - that: {that}\n    else: No.\n"
    + ("solution: a.py\n```\n")
)


def read(root: Path, text: str) -> None:
    read_lesson(write_lesson(root, text, a="a = 2\n"))


def test_steps_have_texts_and_blocks(tmp_path: Path) -> None:
    lesson = read_lesson(write_lesson(tmp_path, GOOD, a="# ends: error ValueError\na = 2\n"))
    assert (lesson.id, lesson.number, lesson.title) == ("small", 1, "Small")
    one, two = lesson.steps
    assert (one.title, two.title, two.text) == ("One", "Two", "No block.")
    assert one.text.split() == ["Look", "at", "`a`.", "After", "it."]
    assert one.player is not None
    assert one.player.at.what == {"line": "a =", "before": False}
    assert one.question is not None
    assert one.question.answer == 2
    assert (lesson.programs["a.py"].source, lesson.programs["a.py"].ends) == ("a = 2\n", "error ValueError")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("---\ntitle: A\n", 1, "begins with a line '---'"),
        ("---\ntitle: A\n---\n", 2, "needs summary"),
        ("---\ntitle: A\nsummary: B\nsittings: two\n---\n", 4, "sittings is a number"),
        ("---\ntitle: A\nsummary: B\nsittings: 9\n---\n", 4, "is taken in 1 to 3 sittings"),
        ("---\ntitle: A\ntitle: B\n---\n", 3, "title is there twice"),
        ("---\ntitle: A\nsummary: B: C\n---\n", 3, "quote texts that hold a colon"),
        ("---\ntitle: A\nsummary: B\ncolour: red\n---\n" + STEP, 4, "has no 'colour'; it may have claims"),
        ("", 1, "has steps"),
        ("Text first.\n", 5, "begins with a step"),
        (STEP.replace("program", "prgram"), 11, "the first player block names its program"),
        (STEP.replace("a.py", "b.py"), 11, "there is no program 'b.py'"),
        (STEP.replace("line:", "lime:"), 12, "at holds one of line, node, phase, prints"),
        (STEP.replace('"a ="', '"a =", nth: 2'), 12, "at has no 'nth'; beside line it may have before, pass"),
        (STEP.replace('"a ="', '"a =", pass: 0'), 12, "pass counts from 1"),
        (STEP.replace('{line: "a ="}', "{phase: lunch}"), 12, "phase is one of build"),
        (STEP.replace('{line: "a ="}', "{node: a, event: eaten}"), 12, "event is one of created"),
        (STEP.replace('{line: "a ="}', "soon"), 12, "at is start, end, error, or says what happens"),
        (STEP.replace("at:", "open: window\nat:"), 12, "open is one of graph"),
        (STEP.replace("at:", "hide: maybe\nat:"), 12, "hide is true or false"),
        (STEP + "\n```player\nat: end\n```\n", 15, "at most one player block"),
        ("\n## One\n\n```question\nask: a\nkind: number\nanswer: 1\n```\n", 9, "a question is about a recording"),
        (GOOD.replace("kind: number", "kind: colour"), 17, "kind is one of node"),
        (GOOD.replace("answer: 2", "answer: {colour: a}"), 18, "answer is a number, a text, or one of"),
        (GOOD.replace("answer: 2\n", ""), 16, "has an answer, and no options"),
        (GOOD.replace("kind: number\nanswer: 2", "options:\n  - {text: a, says: b}"), 18, "two options or more"),
        (GOOD.replace("kind: number\nanswer: 2", "options:\n  - {text: No, says: b}"), 18, 'quote words that YAML'),
        (EXERCISE.replace("{that}", "opened"), 20, "there is no fact 'opened' (column 1)"),
        (EXERCISE.replace("{that}", "1 + ended()"), 20, "the fact 'ended' is written ended (column 5)"),
        (EXERCISE.replace("{that}", "1").replace("id: more", "id: No Id"), 16, "small letters"),
        (EXERCISE.replace("  - that: {that}\n    else: No.\n", ""), 16, "an exercise has checks"),
        (STEP + "\n```measure\nprograms: [a.py]\nclaim: c\nholds: a.speed > 1\n```\n", 18, "there is no a.speed"),
        (STEP + "\n```measure\nprograms: [b.py]\nclaim: c\nholds: 1\n```\n", 16, "there is no program 'b.py'"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(LessonError) as caught:
        read(tmp_path, text)
    assert says in caught.value.what
    assert (caught.value.file.name, caught.value.line) == ("lesson.md", line)


@pytest.mark.parametrize(
    ("folder", "program", "says"),
    [("first", "a = 1", "is called NN-name"), ("01-small", "# ends: badly\n", "write '# ends: error")],
)
def test_folders_and_programs_too(tmp_path: Path, folder: str, program: str, says: str) -> None:
    with pytest.raises(LessonError, match=says):
        read_lesson(write_lesson(tmp_path, GOOD, folder=folder, a=program))


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        (
            "paths.yaml",
            "paths:\n  - {id: a, title: A, minutes: 5, words: w, lessons: [big]}\n",
            "paths.yaml:2: there is",
        ),
        ("claims.yaml", "claims:\n  - {number: 1, claim: a}\n", "claims.yaml:2: an entry of claims needs shown"),
        ("claims.yaml", "claims:\n  - {number: 2, claim: a, shown: b}\n", "there is no claim 1"),
    ],
)
def test_paths_and_claims_fit_the_lessons(tmp_path: Path, file: str, text: str, says: str) -> None:
    write_lesson(tmp_path, "---\ntitle: A\nsummary: B\nclaims: [1]\n---\n" + STEP, a="a = 2\n")
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(LessonError, match=says):
        load(tmp_path)


def test_a_number_is_taken_once(tmp_path: Path) -> None:
    for folder in ("01-small", "01-large"):
        write_lesson(tmp_path, STEP, folder=folder, a="a = 2\n")
    with pytest.raises(LessonError, match="has the number of 01-large"):
        load(tmp_path)
