"""``stepgraph lessons new NAME``: a small lesson that passes ``check``, to be written over."""

from __future__ import annotations

import re
from pathlib import Path

from app.lessons.course import lesson_folders

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

LESSON = """---
title: {title}
minutes: 10
claims: []
summary: One sentence that says what the reader will see.
---

## What happens here

A few short sentences. One idea in each step.

```player
program: example.py
at: start
until: end
```

## Guess first

Ask before you show it.

```player
at: {{line: "y = "}}
before: true
hide: true
```

```question
ask: What shape will `y` have?
kind: shape
answer: {{shape: y}}
hint: Two rows go in.
explain: One number for each row.
reveal: end
```

## Your turn

```exercise
id: double
program: example.py
task: Make `y` twice as large.
checks:
  - that: ended == "ok"
    else: The program ends with an error.
  - that: printed("14.")
    else: The last number should be 14.
hints:
  - Multiply by a number.
solution: solution.py
why: One more op in the graph.
```
"""
PROGRAM = """import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
w = torch.tensor([[1.0], [1.0]])

y = x @ w
print(y)
"""
TEACHER = """---
aims:
  - what the reader can do afterwards
time:
  - "10: the whole lesson"
room:
  - A question for the room.
---

## Where to stop

What to point at, and what to ask.

```player
program: example.py
at: end
```
"""


class BadNameError(ValueError):
    """A name that no lesson can have: says why."""


def create(name: str, root: Path) -> Path:
    """Make the folder of a new lesson, last in the course; gives it. Raises :class:`BadNameError`."""
    if not _NAME.fullmatch(name):
        raise BadNameError(f"{name!r} is no name for a lesson: use small letters, digits and dashes")
    folders = lesson_folders(root)
    if any(folder.name[3:] == name for folder in folders):
        raise BadNameError(f"there is a lesson called {name!r}")
    number = max((int(folder.name[:2]) for folder in folders), default=0) + 1
    if number > 99:
        raise BadNameError("a course has at most 99 lessons")
    folder = root / f"{number:02}-{name}"
    folder.mkdir()
    title = name.replace("-", " ").capitalize()
    (folder / "lesson.md").write_text(LESSON.format(title=title), encoding="utf-8")
    (folder / "teacher.md").write_text(TEACHER, encoding="utf-8")
    (folder / "example.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "solution.py").write_text(PROGRAM.replace("x @ w", "x @ w * 2.0"), encoding="utf-8")
    return folder
