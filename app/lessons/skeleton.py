"""``stepgraph lessons new NAME``: a lesson that passes ``check`` and has a block of each kind, to be written over."""

from __future__ import annotations

import re
from pathlib import Path

from app.lessons.course import lesson_folders

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

LESSON = """---
title: {title}
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

```question
ask: How many products are in the graph?
kind: number
answer: {{count: mm}}
hint: Count the boxes that say `mm`.
explain: There is one, whatever the number of rows.
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
reveal: {{node: y, event: value}}
```

## What people believe

A wrong answer is one that somebody would give, and says why it is wrong.

```player
at: {{line: "loss = "}}
before: true
hide: true
```

```question
ask: When is the sum computed?
kind: choice
options:
  - text: In its line
    right: true
    says: PyTorch computes while Python goes through the lines.
  - text: When it is printed
    says: The print shows a number that is there already. Look into the box.
hint: Play the line, and look into the box.
reveal: {{node: loss, event: value}}
```

## What is in it

A question may take its answer from the recording. Then it stays right when the program changes.

```player
at: {{node: y, event: value}}
```

```question
ask: What will be printed for the loss?
kind: value
answer: {{value: loss}}
hint: Add up what is in `y`.
explain: 3 and 7.
reveal: end
```

## Measure it

Do not tell what is faster. Let the reader find out.

```player
program: singly.py
at: end
```

```question
ask: How many products does this program compute?
kind: number
answer: {{count: mv}}
hint: One for each row.
explain: Each of them has to be started, however small it is.
```

```measure
programs: [together.py, singly.py]
claim: One product for all rows is faster than a product for each row.
holds: together.total < singly.total
```

## Your turn

```exercise
id: double
program: example.py
task: Make `y` twice as large.
checks:
  - that: ended == "ok"
    else: The program ends with an error.
  - that: final("loss") == 20
    else: The loss should be 20.
hints:
  - Multiply by a number.
  - "`y = x @ w * 2.0`"
mistakes:
  - program: mistake.py
    when: ended == "ok" and final("loss") == 12
    says: You added 1 to each. Twice as large is another thing.
solution: solution.py
why: One more op in the graph.
```
"""
PROGRAM = """import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
w = torch.tensor([[1.0], [1.0]])

y = x @ w
loss = y.sum()
print(loss)
"""
PROGRAMS = {
    "example": PROGRAM,
    "solution": PROGRAM.replace("x @ w", "x @ w * 2.0"),
    "mistake": PROGRAM.replace("x @ w", "x @ w + 1.0"),
    "singly": """import torch

x = torch.ones(8, 2)
w = torch.ones(2)

for row in range(len(x)):
    y = x[row : row + 1] @ w
print("done")
""",
    "together": """import torch

x = torch.ones(8, 2)
w = torch.ones(2)

y = x @ w
print("done")
""",
}
"""By name: what the reader sees, solves, gets wrong and measures."""
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
    for program, source in PROGRAMS.items():
        (folder / f"{program}.py").write_text(source, encoding="utf-8")
    return folder
