"""Loops that are longer than a recording: they end as they would, and their passes are folded."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engine.recording import program, record
from engine.recording.config import Limits, RunConfig
from engine.recording.folding import fold
from engine.recording.journal import Journal, JournalSizes, anonymous
from engine.recording.reader import Reader
from engine.recording.rows import Kind
from engine.trace.build import build
from engine.trace.reading import printed, table, value
from engine.trace.validate import validate

EVENTS = 24_000
PLAIN = """
total = 0
for i in range(12_000):
    total += i
print(total)
"""
TRAINING = """
import torch
torch.manual_seed(0)
x, y = torch.randn(16, 3), torch.randn(16, 1)
w = torch.randn(3, 1, requires_grad=True)
best, at = 1e9, -1
for step in range(900):
    loss = ((torch.tanh(x) @ w - y) ** 2).mean()
    loss.backward()
    if loss.item() < best:
        best, at = loss.item(), step
    with torch.no_grad():
        w -= 1e-2 * w.grad
        w.grad = None
print(best < 1e9, at)
"""
BRANCHES = """
def collatz(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps

longest = who = 0
rare = None
for i in range(1, 260):
    s = collatz(i)
    if s > longest:
        longest, who = s, i
    if i == 150:
        rare = [i]
    try:
        if i % 100 == 0:
            raise ValueError(i)
    except ValueError as error:
        print("caught", error)
print(longest, who, rare)
"""
GENERATOR = """
def numbers(n):
    for i in range(n):
        yield i * 2

seen = []
for epoch in range(16):
    for j, v in enumerate(numbers(100)):
        if v % 77 == 0:
            print("hit", v)
        seen.append(v)
        if len(seen) > 50:
            seen = seen[10:]
    del v
print(len(seen))
"""
PRINTING = """
for i in range(6_000):
    print(i)
"""
FIT = """
import numpy as np
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
x = np.linspace(0, 1, 48, dtype="float32").reshape(16, 3)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(x, x[:, :1], epochs=60, batch_size=4, verbose=0, validation_data=(x, x[:, :1]))
last = history.history["val_loss"][-1]
print(len(history.history["loss"]), f"{last:.6f}", model.predict(x, verbose=0).shape)
"""
SESSION = """
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
v = tf.Variable(0.0)
step = tf.assign_add(v, 1.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1_500):
        now = sess.run(step)
    print(now, sess.run(v))
"""
ODD = """
x = 0.5
for i in range(4_000):
    if i == 1234:
        x = x - 0.25
    y = float("nan") if i == 2345 else x
"""
RECURSION = """
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)

f(30)
"""
PROGRAMS = {
    "plain": PLAIN, "training": TRAINING, "branches": BRANCHES, "generator": GENERATOR, "printing": PRINTING,
    "session": SESSION, "fit": FIT,
}  # fmt: skip
SIZES = JournalSizes(rows=600_000)


def folded(source: str, monkeypatch: pytest.MonkeyPatch, at: int = 6_000) -> dict[str, Any]:
    monkeypatch.setattr(program, "_fold_at", lambda limit: at)
    trace = record(source, limits=Limits(seconds=120, events=290_000), sizes=SIZES)
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    return trace


def variables(trace: dict[str, Any]) -> dict[str, Any]:
    """The module's variables at the end: words and numbers as they are, tensors by the number they hold."""
    strings, ran = trace["strings"], {row["node"]: row["value"] for row in table(trace, "events.ran")}
    found: dict[str, Any] = {}
    events = [(row["seq"], row) for name in ("assigned", "deleted") for row in table(trace, f"events.{name}")]
    for _, row in sorted(events, key=lambda pair: pair[0]):
        if row["frame"] != 0:
            continue
        index = row.get("value", -1)
        if row.get("node", -1) >= 0:
            index = ran.get(row["node"], -1)
        one = value(trace, index) if index >= 0 else None
        found[strings[row["name"]]] = None if one is None else one.get("text", one.get("data"))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_lost_but_the_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = folded(PROGRAMS[name], monkeypatch, at=1 << 40)
    short = folded(PROGRAMS[name], monkeypatch)
    folds = table(short, "events.folded")
    assert folds
    assert not table(whole, "events.folded")
    assert (short["stdout"], short["end"]["kind"]) == (whole["stdout"], "ok")
    assert printed(short) == short["stdout"]
    # Step numbers are those of the whole program, and what the variables hold is the same.
    assert len(table(short, "steps")) + sum(row["steps"] - 1 for row in folds) == len(table(whole, "steps"))
    assert len(table(short, "steps")) < len(table(whole, "steps")) / 1.5
    assert variables(short) == variables(whole)


def test_first_last_and_unusual_passes_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = folded(ODD, monkeypatch)
    kept = [row["iteration"] for row in table(trace, "events.loop")]
    assert [*kept[:4], *kept[-2:]] == [0, 1, 2, 3, 3998, 3999]
    assert {1234, 2345} <= set(kept)
    assert "The program ran long" in trace["program"]["notes"][0]


def test_what_variables_were_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = folded(PLAIN, monkeypatch)
    (fold_row,) = table(trace, "events.folded")
    series = {trace["strings"][one["name"]]: one for one in trace["series"][fold_row["series"]]}
    first, every = fold_row["iteration"], series["i"]["every"]
    assert len(series["i"]["points"]) == -(-fold_row["passes"] // every) <= 256
    passes = [first + every * k for k in range(len(series["i"]["points"]))]
    assert series["i"]["points"] == passes
    assert series["total"]["points"] == [i * (i + 1) // 2 for i in passes]
    assert series["total"]["high"] == sum(range(first + fold_row["passes"]))


def test_parameters_hold_what_the_folded_passes_made_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, short = folded(TRAINING, monkeypatch, at=1 << 40), folded(TRAINING, monkeypatch)

    def written(trace: dict[str, Any]) -> list[Any]:
        rows = [row for row in table(trace, "events.written") if row["value"] >= 0]
        return [value(trace, row["value"])["mean"] for row in rows if value(trace, row["value"])["shape"] == [3, 1]]

    assert written(short)[-1] == pytest.approx(written(whole)[-1], rel=1e-5)
    assert len(written(short)) < len(written(whole)) / 2


def test_a_loop_past_the_limit_of_events_ends() -> None:
    trace = record(PLAIN, limits=Limits(seconds=120, events=EVENTS))
    assert (trace["end"]["kind"], trace["stdout"]) == ("ok", "71994000\n")
    assert len(json.dumps(trace)) < 100_000


LARGE_PASS = """
import torch
rnn = torch.nn.RNN(64, 64)
out, _ = rnn(torch.ones(100, 32, 64))
out.sum().backward()
print(out.shape)
"""
LARGE_PASSES = """
import torch
w = torch.eye(64)
for i in range(300):
    w = w - 0.01 * (w @ w) + (0.01 if i % 7 else 0.02)
    if i % 50 == 0:
        print(i)
"""


@pytest.mark.parametrize("source", [LARGE_PASS, LARGE_PASSES])
def test_values_of_many_times_the_room_for_them_are_summaries_in_the_end(source: str) -> None:
    trace = record(source, sizes=JournalSizes(heap=4 << 20))
    assert trace["end"]["kind"] == "ok"
    large = [
        found
        for row in table(trace, "events.ran")
        if row["value"] >= 0 and len((found := value(trace, row["value"]))["shape"]) > 1
    ]
    assert np.isfinite([one["mean"] for one in large]).all()


@pytest.mark.slow
def test_a_million_passes() -> None:
    source = "total = 0\nfor i in range(1_000_000):\n    total += i\nprint(total)\n"
    trace = record(source, limits=Limits(seconds=300, events=200_000))
    assert (trace["end"]["kind"], trace["stdout"]) == ("ok", "499999500000\n")
    assert len(json.dumps(trace)) < 100_000
    (row,) = table(trace, "events.folded")
    assert row["passes"] > 990_000


def test_what_hardly_repeats_still_ends_at_the_limit() -> None:
    source = (
        "\n".join(f"x = {i}" for i in range(30))
        + "\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nf(30)\n"
    )
    trace = record(source, limits=Limits(seconds=120, events=20_000))
    assert trace["end"]["limit"] == "steps"


class KilledError(Exception):
    pass


class Interrupted(Journal):
    """A journal whose process dies after a number of writes of one fold."""

    __slots__ = ("left",)
    left: int

    def _write(self, *arguments: Any) -> None:
        row, rows, offset, data = arguments
        half = len(rows) // 2
        for part in (rows[:half], rows[half:]):
            self._count_down()
            super()._write(row, part, offset, data[: len(data) // 2])
            row += len(part)
        self._count_down()
        super()._write(row, rows[:0], offset, data)

    def _count_down(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KilledError


@pytest.mark.parametrize("writes", range(8))
def test_killed_while_folding(writes: int) -> None:
    journal = anonymous(JournalSizes(rows=60_000))
    from engine.recording.entry import run

    run(RunConfig(TRAINING.replace("900", "120"), limits=Limits(60, 0, 1 << 20, 19_000)), journal, own_process=False)
    journal.counters[0] -= 1  # without its end
    before = Reader(journal.buffer).rows
    broken = Interrupted(journal.buffer)
    broken.left = writes
    if writes < 6:
        with pytest.raises(KilledError):
            fold(broken)
    else:
        assert fold(broken)
    for trace in (
        build(Reader(journal.buffer), RunConfig(TRAINING)),
        build(Journal(journal.buffer), RunConfig(TRAINING)),
    ):
        validate(json.loads(json.dumps(trace, allow_nan=False)))
        assert trace["end"]["limit"] == "crash"
        assert bool(table(trace, "events.folded")) is (writes >= 3)
        assert max(row["iteration"] for row in table(trace, "events.loop")) == 119
    last = Reader(journal.buffer).rows[-20:]
    assert last["kind"].tolist() == before[-20:]["kind"].tolist()
    assert last["time"].tolist() == before[-20:]["time"].tolist()


def test_a_journal_that_says_it_is_folding_and_is_not() -> None:
    for word in (1, 1 << 32, (1 << 64) - 1, 50 << 32 | 200):
        journal = anonymous(JournalSizes(100, 200_000, 1000))
        journal.append(Kind.LINE, line=3)
        journal.buffer[88:96] = word.to_bytes(8, "little")
        assert len(Reader(journal.buffer).rows) in (0, 1)
        assert Journal(journal.buffer).count in (0, 1)
    assert np.array_equal(Reader(b"").rows, Reader(b"").rows)
