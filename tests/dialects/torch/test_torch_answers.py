"""Questions that PyTorch 2.13 answered (``answers/*.txt``, written by :mod:`ask`): the dialect answers the same."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dialects import importer
from tests.dialects.torch.ask import blocks, session

FILES = sorted((Path(__file__).parent / "answers").glob("*.txt"))
BLOCKS = [
    pytest.param(text.strip(), id=f"{path.stem}-{number}")
    for path in FILES
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n\n"))
]


@pytest.fixture(scope="module", autouse=True)
def served() -> Iterator[None]:
    with warnings.catch_warnings():
        importer.install("torch")
        yield
    importer.uninstall({"torch"})


@pytest.mark.parametrize("block", BLOCKS)
def test_answers_what_the_framework_answers(block: str) -> None:
    (questions,) = blocks(block)
    assert session(questions) == block


def test_there_are_questions() -> None:
    assert len(BLOCKS) >= 15
