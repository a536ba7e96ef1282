"""The workload of dynamic batching: many random trees, one small recursive network over all of them.

:func:`cases` gives the four callables that ``benchmarks/comparisons/batching.py`` measures: forward, and forward
with backward, one tree after the other and batched. Walking the trees and building expressions is part of what is
measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import engine
from benchmarks.timing import interleave, timed
from engine.bridges.batching import Cell, Schedule, evaluate

Tree = Any
"""A word (an integer), ``(tree,)`` or ``(tree, tree)``."""
WORDS = 100


def random_tree(rng: np.random.Generator, nodes: int) -> Tree:
    """A tree of exactly this many nodes, each with no, one or two children."""
    if nodes == 1:
        return int(rng.integers(WORDS))
    left = nodes - 1 if nodes == 2 or rng.random() < 0.1 else int(rng.integers(1, nodes - 1))
    right = nodes - 1 - left
    return (random_tree(rng, left), random_tree(rng, right)) if right else (random_tree(rng, left),)


@dataclass
class Trees:
    """``count`` trees of ``nodes`` nodes and the parameters of the network: a state of ``width`` numbers for each
    node."""

    count: int = 1000
    nodes: int = 20
    width: int = 16

    def __post_init__(self) -> None:
        rng = np.random.default_rng(0)
        self.trees = [random_tree(rng, self.nodes) for _ in range(self.count)]

        def parameter(*shape: int) -> Any:
            values = rng.standard_normal(shape, np.float32) / np.float32(shape[0] ** 0.5)
            return engine.tensor(values, requires_grad=True)

        words, one = parameter(WORDS, self.width), parameter(self.width, self.width)
        two = parameter(2 * self.width, self.width)
        self.parameters = [words, one, two]
        take, tanh, concat = engine.take, engine.tanh, engine.concat
        self.functions: tuple[Callable[..., Any], ...] = (
            lambda word: take(words, word),
            lambda child: tanh(child @ one),
            lambda left, right: tanh(concat(left, right, axis=1) @ two),
        )

    def one_by_one(self) -> Any:
        """The states of all roots, ``(count, width)``: one op for each node, as in any define-by-run program."""
        word, single, pair = self.functions

        def state(tree: Tree) -> Any:
            if tree.__class__ is int:
                return word(np.array([tree]))
            return pair(state(tree[0]), state(tree[1])) if len(tree) == 2 else single(state(tree[0]))

        return engine.concat(*[state(tree) for tree in self.trees], axis=0)

    def expressions(self) -> list[Any]:
        """The trees as expressions over three cells."""
        word, single, pair = (Cell(f, name=n) for f, n in zip(self.functions, ("word", "single", "pair"), strict=True))

        def expression(tree: Tree) -> Any:
            if tree.__class__ is int:
                return word(tree)
            return pair(expression(tree[0]), expression(tree[1])) if len(tree) == 2 else single(expression(tree[0]))

        return [expression(tree) for tree in self.trees]

    def batched(self) -> Any:
        """The same states, batched."""
        return evaluate(self.expressions())

    def gradients(self, states: Callable[[], Any]) -> list[Any]:
        """The gradients of a loss over ``states()`` for the parameters, by one backward."""
        for p in self.parameters:
            p.grad = None
        loss = engine.mean(engine.square(states()))
        loss.backward()
        return [p.grad for p in self.parameters]


def cases(trees: Trees) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    return {
        "forward, one by one": trees.one_by_one,
        "forward, batched": trees.batched,
        "forward and backward, one by one": lambda: trees.gradients(trees.one_by_one),
        "forward and backward, batched": lambda: trees.gradients(trees.batched),
    }


def speed_ups(rounds: int = 7, trees: Trees | None = None) -> dict[str, float]:
    """How many times faster batching is (median over the rounds): ``{"forward": ..., "forward and backward": ...}``."""
    found = interleave({name: timed(call) for name, call in cases(trees or Trees()).items()}, rounds=rounds, times=1)
    return {
        name: found[f"{name}, one by one"].ratio(found[f"{name}, batched"])
        for name in ("forward", "forward and backward")
    }


def main() -> None:
    """Print what batching saves and how much faster it is."""
    trees = Trees()
    print(Schedule(trees.expressions()).explain())
    for name, ratio in speed_ups(trees=trees).items():
        print(f"{name}: {ratio:.1f} x faster than one by one")


if __name__ == "__main__":
    main()
