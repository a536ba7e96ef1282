"""The stand-in digits: the same everywhere, and something can be learned from them."""

from __future__ import annotations

import hashlib
import linecache
import sys

import numpy as np
import pytest

from engine.standin_data import announce, digits, wants_whole


def test_the_first_images_do_not_depend_on_the_count() -> None:
    few, labels = digits("train", 30)
    many, more = digits("train", 600)
    assert (few == many[:30]).all()
    assert (labels == more[:30]).all()
    assert labels[:5].tolist() == [5, 0, 4, 1, 9]
    assert hashlib.sha256(np.packbits(few > 127).tobytes()).hexdigest()[:12] == "89de79541910"


def test_a_straight_line_learns_most_of_them() -> None:
    (x, y), (tests, answers) = digits("train", 2000), digits("test", 500)
    rows, judged = (part.reshape(len(part), -1) / np.float32(255) for part in (x, tests))
    weights = np.zeros((784, 10), np.float32)
    for _ in range(4):
        for start in range(0, len(rows), 50):
            batch, wanted = rows[start : start + 50], y[start : start + 50]
            scores = batch @ weights
            share = np.exp(scores - scores.max(1, keepdims=True))
            share /= share.sum(1, keepdims=True)
            share[np.arange(50), wanted] -= 1
            weights -= 0.01 * (batch.T @ share)
    assert ((judged @ weights).argmax(1) == answers).mean() > 0.85


def test_it_is_said_once_beside_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    announce("somewhere.read", "3 made-up rows")
    announce("somewhere.read", "3 made-up rows")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "stepgraph: somewhere.read gives 3 made-up rows, not the real data; nothing is downloaded here\n"


def test_there_are_two_parts() -> None:
    with pytest.raises(ValueError, match="no part 'validation'"):
        digits("validation", 1)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("x = x.reshape(60000, 784)", True),
        ("x = np.reshape(x, (60000, 28, 28, 1))", True),
        ("n = 50000\nx = x[:n]", True),
        ("x = x[:-10000]", True),
        ("d = d.shuffle(60000)\nx = x[:1000].reshape(-1, 28 * 28)", False),
        ("x = tf.reshape(x, [-1, 9216])", False),
        ("x = (", False),
    ],
)
def test_a_program_with_the_real_number_of_rows_in_its_code_gets_them(
    source: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = type(sys)("__main__")
    main.__file__ = "counted.py"
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.setitem(linecache.cache, "counted.py", (len(source), None, source.splitlines(True), "counted.py"))
    assert wants_whole(6000, 60000) is wanted
