"""The table of facts; the modules beside this one fill it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.lessons.lookup import Lookup


@dataclass(frozen=True)
class Fact:
    """``of`` takes the recording, and a name if ``argument`` is not empty."""

    words: str
    argument: str
    of: Callable[..., Any]


FACTS: dict[str, Fact] = {}


def fact(words: str, argument: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put a function into the table under its own name."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        FACTS[function.__name__] = Fact(words, argument, function)
        return function

    return declare


class Facts(Mapping[str, Any]):
    """The facts of one recording, each worked out when it is asked for."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.look = Lookup(trace)

    def __getitem__(self, name: str) -> Any:
        fact = FACTS[name]
        return (lambda argument: fact.of(self.look, argument)) if fact.argument else fact.of(self.look)

    def __iter__(self) -> Any:
        return iter(FACTS)

    def __len__(self) -> int:
        return len(FACTS)
