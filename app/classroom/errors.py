"""What the classroom refuses."""

from __future__ import annotations

from typing import Literal

Problem = Literal["missing", "forbidden", "bad", "refused", "often"]


class ClassroomError(Exception):
    """A request that cannot be met: ``problem`` is its kind, the text says why."""

    def __init__(self, problem: Problem, message: str) -> None:
        super().__init__(message)
        self.problem: Problem = problem
