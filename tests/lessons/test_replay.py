"""What `stepgraph lessons check` finds: in small lessons with one thing wrong, and (nothing) in the course itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.lessons import load
from app.lessons.reader import read_lesson
from app.lessons.replay import lengths, problems
from app.lessons.skeleton import BadNameError, create
from tests.lessons.recordings import in_process, write_lesson

LESSON = """
## One

```player
program: begin.py
at: {line: "b ="}
until: end
select: b
```

```question
ask: What is `b`?
kind: value
answer: {value: b}
reveal: end
```

```exercise
id: six
program: begin.py
task: Make `b` six.
checks:
  - that: ended == "ok"
    else: It ends badly.
  - that: final("b") == 6
    else: Not six.
mistakes:
  - program: late.py
    when: printed("6") and final("b") != 6
    says: Only printed.
  - program: half.py
    when: final("b") == 3
    says: Half of it.
solution: right.py
why: Three times two.
```

```measure
programs: [loop.py]
claim: A pass takes time.
holds: loop.iteration > 0
```
"""
START = "import torch\na = torch.tensor(2.0)\nb = a * 2\n"
PROGRAMS = {
    "begin": START,
    "right": START.replace("* 2", "* 3"),
    "half": START.replace("* 2", "* 1.5"),
    "late": START + "print(6)\n",
    "loop": "for i in range(3):\n    a = i\n",
}
UNFED = """\
# ends: error InvalidArgumentError
import tensorflow as tf

x = tf.placeholder(tf.float32, name="x")
tf.Session().run(x + 1)
"""


def found(root: Path, lesson: str = LESSON, **programs: str) -> list[str]:
    folder = write_lesson(root, lesson, **{**PROGRAMS, **programs})
    return [str(problem).removeprefix(f"{folder}/") for problem in problems(read_lesson(folder), in_process)]


def test_a_lesson_of_which_all_holds(tmp_path: Path) -> None:
    assert found(tmp_path) == []


TRIPLED = START.replace("* 2", "* 3")
SAYS_SIX = START.replace("* 2", "* 1.5") + "print(6)\n"
ENDLESS = "# ends: limit\n" + PROGRAMS["loop"]


@pytest.mark.parametrize(
    ("change", "programs", "at", "says"),
    [
        ("", {"right": START}, "- that: final", 'the solution right.py does not pass: final("b") == 6'),
        ("", {"begin": TRIPLED}, "id: six", "the program begin.py passes every check before anything was done"),
        ("", {"half": TRIPLED}, "program: half", "half.py passes every check: nobody would hear what is wrong with it"),
        ("", {"half": START}, "program: half", 'half.py gets no message in place of its own: final("b") == 3'),
        ("", {"half": SAYS_SIX}, "program: half", 'half.py gets that of late.py in place of its own: final("b") == 3'),
        ('"b =" > "c ="', {}, "at: ", "this moment is not in the recording: no line of begin.py holds 'c ='"),
        ("until: end > until: start", {}, "until:", "until comes before at (steps 0 and 2)"),
        ("select: b > select: c", {}, "program: begin", "no node is called 'c' in begin.py"),
        ("{value: b} > {value: c}", {}, "ask:", "'c' has no value in this recording"),
        (
            "select: b > hide: true",
            {},
            "ask:",
            "the answer can be seen at this moment already: add before: true to the player",
        ),
        ("reveal: end > reveal: error", {}, "reveal:", "this moment is not in the recording: no step is an error"),
        (
            "loop.iter > loop.steady_run + loop.iter",
            {},
            "programs:",
            "loop.py has no steady_run that could be measured",
        ),
    ],
)
def test_one_thing_wrong_is_the_one_problem(
    tmp_path: Path, change: str, programs: dict[str, str], at: str, says: str
) -> None:
    old, _, new = change.partition(" > ")
    lesson = LESSON.replace(old, new) if old else LESSON
    line = 4 + next(number for number, text in enumerate(lesson.split("\n"), 1) if at in text)
    assert found(tmp_path, lesson, **programs) == [f"lesson.md:{line}: {says}"]


@pytest.mark.parametrize(
    ("programs", "problem"),
    [
        ({"more": "a = 1\n"}, "more.py:1: no part of the lesson uses this program"),
        ({"loop": PROGRAMS["loop"] + "1 / 0\n"}, "loop.py:3: ends with 'error ZeroDivisionError': division by zero"),
        ({"loop": ENDLESS}, "loop.py:1: ends with 'ok'; its first line says 'limit'"),
    ],
)
def test_a_program_is_used_and_ends_as_it_should(tmp_path: Path, programs: dict[str, str], problem: str) -> None:
    (one,) = found(tmp_path, **programs)
    assert one.startswith(problem)


def test_a_program_may_end_as_it_says(tmp_path: Path) -> None:
    lesson = "\n## One\n\n```player\nprogram: unfed.py\nat: error\n```\n"
    folder = write_lesson(tmp_path, lesson, unfed=UNFED)
    assert list(problems(read_lesson(folder), in_process)) == []


def test_a_lesson_without_a_page_for_teachers(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path, LESSON, **PROGRAMS)
    (folder / "teacher.md").unlink()
    assert [problem.what for problem in problems(read_lesson(folder), in_process)] == [
        "a lesson has a page for teachers"
    ]


def test_a_new_lesson_works_as_it_is(tmp_path: Path) -> None:
    first, second = create("my-topic", tmp_path), create("another", tmp_path)
    assert (first.name, second.name) == ("01-my-topic", "02-another")
    assert list(problems(read_lesson(first), in_process)) == []


TWO_ROUTES = """\
paths:
  - {id: fits, title: Fits, minutes: 10, exercises: home, words: w, lessons: [fresh]}
  - id: not
    title: Does not
    minutes: 9
    words: w
    lessons: [fresh]
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("", []),
        # Without its exercise; in two sittings; with 1,500 words more; with as many dashes, which nobody reads.
        ("```exercise > ```\nexercise", ["takes about 7 minutes (reading 1, programs 1, pictures"]),
        ("summary: > sittings: 2\nsummary:", ["takes about 10 minutes in 2 sittings ("]),
        ("One idea in each step. > " + "word " * 1500, ["takes about 16 minutes (reading 7,"]),
        ("One idea in each step. > " + "- " * 1500, []),
    ],
)
def test_minutes_are_counted_and_a_lesson_has_ten_to_fifteen(tmp_path: Path, change: str, says: list[str]) -> None:
    file = create("fresh", tmp_path) / "lesson.md"
    old, _, new = change.partition(" > ")
    file.write_text(file.read_text(encoding="utf-8").replace(old, new) if old else file.read_text(encoding="utf-8"))
    course = load(tmp_path)
    found = [str(one).removeprefix(f"{file}:1: ") for one in lengths(course, course.lessons)]
    assert [one[: len(begin)] for one, begin in zip(found, says, strict=True)] == says


def test_a_path_has_time_for_its_lessons(tmp_path: Path) -> None:
    create("fresh", tmp_path)
    (tmp_path / "paths.yaml").write_text(TWO_ROUTES, encoding="utf-8")
    course = load(tmp_path)
    assert [str(error).removeprefix(f"{tmp_path}/") for error in lengths(course, course.lessons)] == [
        "paths.yaml:5: its lessons take about 10 minutes; leave some out"
    ]


@pytest.mark.parametrize("name", ["my-topic", "My topic", "../up", "", "-a", "a" + "/b"])
def test_a_new_lesson_has_a_name_of_its_own(tmp_path: Path, name: str) -> None:
    create("my-topic", tmp_path)
    with pytest.raises(BadNameError):
        create(name, tmp_path)
    assert [folder.name for folder in tmp_path.iterdir()] == ["01-my-topic"]


def test_the_command_makes_a_lesson_and_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--folder", str(tmp_path)]
    assert main(["lessons", "new", "fresh", *where]) == 0
    write_lesson(tmp_path, LESSON.replace('"b ="', '"c ="'), folder="02-small", **PROGRAMS)
    assert main(["lessons", "check", *where]) == 1
    out = capsys.readouterr().out
    assert "ok    1 fresh" in out
    assert "FAIL  2 small" in out
    assert f"{tmp_path}/02-small/lesson.md:10: this moment is not in the recording" in out
    assert f"{tmp_path}/02-small/lesson.md:1: takes about 5 minutes (" in out
    assert "2 lessons, 2 problems" in out
    (tmp_path / "02-small" / "lesson.md").write_text("no head", encoding="utf-8")
    assert main(["lessons", "check", *where]) == 1
    assert "02-small/lesson.md:1: a lesson begins with a line '---'" in capsys.readouterr().out


@pytest.mark.xdist_group("tests/lessons/course")
def test_the_whole_course(capsys: pytest.CaptureFixture[Any]) -> None:
    status = main(["lessons", "check", "--complete"])
    out = capsys.readouterr().out
    assert status == 0, out
    assert "no problems" in out
