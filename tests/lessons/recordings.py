"""Recordings of small programs, each made once for all tests of this folder; folders of small lessons."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from app.lessons.model import Program
from engine.recording import record

TORCH = """\
import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 2.0])
losses = []
for step in range(3):
    h = w * x
    loss = h.sum()
    loss.backward()
    losses.append(loss)
    if step == 1:
        w.grad = None
with torch.no_grad():
    w -= 0.5 * w.grad
far = x.exp()
never = (w * w).exp()
print("w", w.item())
"""
SESSION = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[1.0], [2.0]], name="w")
y = tf.matmul(x, w, name="y")
again = tf.matmul(x, w)
both = y + again + (tf.constant(2.0) * tf.constant(3.0))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        out = sess.run(both, {x: [[1.0, 1.0]]})
    late = tf.square(y)
    print(sess.run(late, {x: [[1.0, 2.0]]}))
"""
CONTROL = """\
import tensorflow as tf

i = tf.constant(0)
end = tf.while_loop(lambda i: tf.less(i, 3), lambda i: tf.add(i, 1), [i])
picked = tf.cond(end > 2, lambda: tf.constant(1.0), lambda: tf.constant(float("nan")))
with tf.Session() as sess:
    print(sess.run(picked))
"""
COMPILED = """\
import torch


@torch.compile
def f(x):
    y = x * 2
    print("here")
    return y + 1


for size in (2, 2, 3):
    f(torch.ones(size))
torch.save({"a": torch.ones(2)}, "kept.pt")
"""
BROKEN = """\
import torch

a = torch.ones(2, 3)
b = torch.ones(2, 3)
c = a @ b
"""
PROGRAMS = {"torch": TORCH, "session": SESSION, "control": CONTROL, "compiled": COMPILED, "broken": BROKEN}


@cache
def trace_of(source: str, name: str = "main.py") -> dict[str, Any]:
    """The recording of a program, made in this process."""
    return record(source, name, files={})


def in_process(program: Program) -> dict[str, Any]:
    """What :class:`app.lessons.batch.Batch` does, without a sandbox."""
    return trace_of(program.source, program.name)


def write_lesson(root: Path, lesson: str, *, folder: str = "01-small", **programs: str) -> Path:
    """A folder of a lesson with ``lesson`` after a front matter of four lines."""
    place = root / folder
    place.mkdir(parents=True)
    head = "---\ntitle: Small\nsummary: One sentence.\n---\n"
    (place / "lesson.md").write_text(lesson if lesson.startswith("---") else head + lesson, encoding="utf-8")
    (place / "teacher.md").write_text("---\naims: [see it]\n---\n", encoding="utf-8")
    for name, source in programs.items():
        (place / f"{name}.py").write_text(source, encoding="utf-8")
    return place
