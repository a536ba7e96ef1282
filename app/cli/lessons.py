"""``stepgraph lessons``: check the course, begin a new lesson, look at the facts of a program."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from pathlib import Path
from typing import Any

from app import places
from app.cli.errors import CommandError
from app.cli.program import read_program


def add_to(commands: Any) -> None:
    parser = commands.add_parser("lessons", help="check the lessons, or begin a new one")
    inner = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    check = inner.add_parser("check", help="replay every program, moment, answer, solution and worked mistake")
    check.add_argument("names", metavar="NAME", nargs="*", help="lessons to check (all)")
    check.add_argument("--complete", action="store_true", help="a claim of claims.yaml without a lesson is a failure")
    check.set_defaults(perform=_check)
    new = inner.add_parser("new", help="make the folder of a new lesson")
    new.add_argument("name", metavar="NAME", help="small letters, digits and dashes: its address")
    new.set_defaults(perform=_new)
    facts = inner.add_parser("facts", help="what the checks of an exercise could ask of a program")
    facts.add_argument("file", metavar="PROGRAM", help="the program; - for standard input")
    facts.set_defaults(perform=_facts)
    for one in (check, new):
        one.add_argument(
            "--folder", metavar="DIR", type=Path, default=places.lessons_folder(), help="where lessons lie"
        )


def _check(options: argparse.Namespace) -> int:
    from app.lessons import LessonError, load
    from app.lessons.batch import Batch, BatchError
    from app.lessons.replay import lengths, problems
    from app.runner import Runner
    from app.runner.backend import BackendError

    logging.getLogger().addHandler(logging.NullHandler())
    begun = time.monotonic()
    try:
        course = load(options.folder)
    except LessonError as error:
        print(error)
        return 1
    chosen = [lesson for lesson in course.lessons if not options.names or lesson.id in options.names]
    unknown = set(options.names) - {lesson.id for lesson in chosen}
    if unknown:
        raise CommandError(f"there is no lesson {', '.join(sorted(unknown))}; there are "
                           f"{', '.join(lesson.id for lesson in course.lessons)}")  # fmt: skip
    runner = Runner(spares=2, workers=2)
    long = list(lengths(course, chosen))
    failed = 0
    try:
        runner.start()
        batch = Batch(runner, (program for lesson in chosen for program in lesson.programs.values()))
        for lesson in chosen:
            found: list[Exception] = [error for error in long if error.file.parent == lesson.folder]
            try:
                found += problems(lesson, batch)
            except BatchError as error:  # the others can still be checked
                found.append(error)
            failed += len(found)
            steps, programs, tasks = len(lesson.steps), len(lesson.programs), len(lesson.exercises())
            size = f"{lesson.pace.minutes:2} min, {steps:2} steps, {programs:2} programs, {tasks} to solve"
            print(f"{'FAIL' if found else 'ok  '} {lesson.number:2} {lesson.id:24} {size}")
            for problem in found:
                print(f"     {_near(problem)}")
    except BackendError as error:
        raise CommandError(str(error)) from None
    finally:
        runner.close()
    for late in [] if options.names else long:
        if late.file.name == "paths.yaml":
            failed += 1
            print(f"FAIL {_near(late)}")
    for claim in [] if options.names else course.claims:
        if not course.showing(claim.number):
            failed += options.complete
            print(f"{'FAIL' if options.complete else 'note'} claim {claim.number} is shown by no lesson: {claim.claim}")
    print(
        f"{len(chosen)} lessons, {failed or 'no'} problem{'s' if failed != 1 else ''}, {time.monotonic() - begun:.1f} s"
    )
    return 1 if failed else 0


def _near(problem: Exception) -> str:
    """A path as it is read from here, where it lies below."""
    return str(problem).replace(f"{Path.cwd()}/", "")


def _new(options: argparse.Namespace) -> int:
    from app.lessons.skeleton import BadNameError, create

    try:
        folder = create(options.name, options.folder)
    except BadNameError as error:
        raise CommandError(str(error)) from None
    print(f"{_near(Exception(str(folder)))} is there. Write over what stands in it, then:")
    print(f"stepgraph lessons check {options.name}")
    return 0


def _facts(options: argparse.Namespace) -> int:
    from app.lessons.batch import Batch, BatchError
    from app.lessons.facts import FACTS, Facts
    from app.lessons.model import Program
    from app.runner import Runner
    from app.runner.backend import BackendError

    name, source = read_program(options.file)
    runner = Runner(spares=1, workers=1)
    try:
        runner.start()
        facts = Facts(Batch(runner)(Program(name, source, "ok", Path(name))))
    except (BackendError, BatchError) as error:
        raise CommandError(str(error)) from None
    finally:
        runner.close()
    for key, fact in FACTS.items():
        value = f"{key}({fact.argument})" if fact.argument else f"{key} = {facts[key]!r}"
        print(f"{value:44} {fact.words}", file=sys.stdout)
    record = facts.look.record
    names = dict.fromkeys(record.variable(node) or record.label(node) for node in facts.look.own_nodes(plumbing=False))
    print(f"nodes: {', '.join(names)}")
    return 0
