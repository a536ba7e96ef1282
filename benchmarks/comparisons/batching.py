"""1,000 trees of 20 nodes, each of another shape: evaluated one by one, and with dynamic batching."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine
from benchmarks.floors import Floor
from benchmarks.report import Result, Row
from benchmarks.timing import interleave, timed
from engine.bridges.batching import Cell, evaluate

FLOOR = 5.0
TREES, LEAVES, WORDS, WIDTH, ROUNDS = 1000, 10, 50, 32, 7
Tree = Any
"""A word's number, or a pair of trees."""


class Model:
    """A recursive network: words, joined in pairs up to the root, which is scored. A tree of 10 words is 20 calls."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)

        def parameter(*shape: int) -> engine.Tensor:
            return engine.tensor(rng.standard_normal(shape, np.float32) * 0.3, requires_grad=True)

        self.table = parameter(WORDS, WIDTH)
        self.left, self.right, self.bias = parameter(WIDTH, WIDTH), parameter(WIDTH, WIDTH), parameter(WIDTH)
        self.weights = parameter(WIDTH, 1)
        self.cells = tuple(Cell(function) for function in (self.word, self.join, self.score))

    def word(self, numbers: engine.Tensor) -> engine.Tensor:
        """The vectors of words."""
        return engine.take(self.table, numbers)  # type: ignore[no-any-return]

    def join(self, left: engine.Tensor, right: engine.Tensor) -> engine.Tensor:
        """Two vectors become one."""
        return engine.tanh(left @ self.left + right @ self.right + self.bias)  # type: ignore[no-any-return]

    def score(self, root: engine.Tensor) -> engine.Tensor:
        """A number for a tree."""
        return root @ self.weights

    def one(self, tree: Tree) -> engine.Tensor:
        """The vector of one tree, op by op."""
        if isinstance(tree, tuple):
            return self.join(self.one(tree[0]), self.one(tree[1]))
        return self.word(tree)

    def expression(self, tree: Tree) -> Any:
        """One tree as calls of cells."""
        word, join, _ = self.cells
        return (
            join(self.expression(tree[0]), self.expression(tree[1])) if isinstance(tree, tuple) else word(tree.item())
        )

    def one_by_one(self, trees: list[Tree]) -> list[engine.Tensor]:
        """The scores, tree after tree."""
        return [self.score(self.one(tree)) for tree in trees]

    def batched(self, trees: list[Tree]) -> engine.Tensor:
        """The scores, together; making the expressions is part of it."""
        score = self.cells[2]
        return evaluate([score(self.expression(tree)) for tree in trees])  # type: ignore[no-any-return]


def forest(count: int) -> list[Tree]:
    """Trees over 10 words each, joined in random order. Words are tensors already, so that neither side makes them."""
    rng = np.random.default_rng(4)
    trees: list[Tree] = []
    for _ in range(count):
        parts: list[Tree] = [engine.tensor([int(word)]) for word in rng.integers(0, WORDS, LEAVES)]
        while len(parts) > 1:
            place = int(rng.integers(0, len(parts) - 1))
            parts[place : place + 2] = [(parts[place], parts[place + 1])]
        trees += parts
    return trees


def run(rounds: int = 0) -> Result:
    """Both ways by turns, on the tape, after checking that they agree."""
    model, trees = Model(), forest(TREES)
    single = np.concatenate([score.detach().numpy() for score in model.one_by_one(trees)])
    np.testing.assert_allclose(model.batched(trees).detach().numpy(), single, rtol=1e-4, atol=1e-5)
    found = interleave(
        {
            "one by one": timed(lambda: model.one_by_one(trees)),
            "batched": timed(lambda: model.batched(trees)),
        },
        rounds=rounds or ROUNDS,
        times=1,
    )
    ratio = found["one by one"].ratio(found["batched"])
    result = Result(f"Dynamic batching of {TREES} trees of {2 * LEAVES} nodes (forward, on the tape)", "batched")
    result.rows = [
        Row("one by one", found["one by one"].median, ratio),
        Row("batched", found["batched"].median, 1.0, "with making and scheduling the expressions"),
    ]
    result.floors = [Floor("one by one / batched", FLOOR, ratio, at_least=True)]
    return result
