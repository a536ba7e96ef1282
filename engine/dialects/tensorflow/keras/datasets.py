"""``keras.datasets``: stand-in sets in the shapes and dtypes of the real ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.standin_data import announce, digits, repeated, wants_whole

TRAIN, TEST = 6000, 1000
"""A tenth of the real numbers, so that an epoch ends while one watches."""
WHOLE_TRAIN, WHOLE_TEST = 60_000, 10_000
"""For programs that have them written into their code."""


def _pictures(name: str, what: str, make: Any) -> Any:
    """``what`` (28 x 28) in two parts, repeated to the real numbers where the program counts on them."""
    made = make("train", TRAIN), make("test", TEST)
    if not wants_whole(TRAIN, WHOLE_TRAIN):
        announce(name, f"{TRAIN} + {TEST} {what} drawn by a program")
        return made
    announce(name, f"{TRAIN} + {TEST} {what} drawn by a program, again and again up to {WHOLE_TRAIN} + {WHOLE_TEST}")
    return repeated(made[0], WHOLE_TRAIN), repeated(made[1], WHOLE_TEST)


def mnist(path: str = "mnist.npz") -> Any:
    """Digits of 28 x 28."""
    return _pictures("keras.datasets.mnist", "digits", digits)


def _shapes(part: str, count: int) -> tuple[Any, Any]:
    """Ten kinds of clothes as outlines: blocks whose widths differ from row to row."""
    random = np.random.RandomState({"train": 5, "test": 6}[part])
    labels = random.randint(0, 10, count).astype(np.uint8)
    profiles = _profiles()
    images = np.zeros((count, 28, 28), np.uint8)
    columns = np.arange(28)
    for place, label in enumerate(labels):
        scale, shift = random.uniform(0.85, 1.1), random.randint(-2, 3)
        wide = profiles[label] * scale
        bright = random.uniform(110, 250)
        inside = np.abs(columns[None, :] - 13.5 - shift) < wide[:, None]
        texture = random.uniform(0.75, 1.0, (28, 28))
        images[place] = np.where(inside, np.clip(bright * texture, 0, 255), 0).astype(np.uint8)
    return images, labels


def _profiles() -> Any:
    """Half the width of each of the 28 rows, for each of the ten kinds."""
    rows = np.arange(28)
    found = np.zeros((10, 28))
    found[0] = np.where(rows < 10, 12, 7)  # T-shirt: sleeves above
    found[1] = np.where(rows > 2, 4.5, 0)  # trousers
    found[2] = np.where(rows < 20, 11, 8)  # pullover
    found[3] = 3 + rows * 0.22  # dress
    found[4] = np.where(rows < 24, 10, 10) - np.abs(rows - 14) * 0.12  # coat
    found[5] = np.where(rows > 17, 12, 0)  # sandal
    found[6] = np.where(rows < 8, 9, 6.5) + (rows % 4 == 0) * 2  # shirt
    found[7] = np.where(rows > 13, 12.5, 0) - (rows == 14) * 4  # sneaker
    found[8] = np.where((rows > 8) & (rows < 26), 12, np.where((rows > 3) & (rows <= 8), 3, 0))  # bag
    found[9] = np.where(rows > 18, 12.5, np.where(rows > 4, 5.5, 0))  # boot
    return found


def fashion_mnist() -> Any:
    """Clothes of 28 x 28."""
    return _pictures("keras.datasets.fashion_mnist", "outlines", _shapes)


def _coloured(part: str, count: int, classes: int) -> tuple[Any, Any]:
    random = np.random.RandomState({"train": 15, "test": 16}[part])
    labels = random.randint(0, classes, count)
    rows, columns = np.meshgrid(np.linspace(0, 1, 32), np.linspace(0, 1, 32), indexing="ij")
    colours = np.random.RandomState(3).uniform(40, 220, (classes, 3))
    turns = np.random.RandomState(4).uniform(0, np.pi, classes)
    waves = np.random.RandomState(8).uniform(2, 7, classes)
    phase = random.uniform(0, 2 * np.pi, count)
    along = np.cos(turns[labels])[:, None, None] * rows + np.sin(turns[labels])[:, None, None] * columns
    stripes = 0.75 + 0.25 * np.sin(2 * np.pi * waves[labels][:, None, None] * along + phase[:, None, None])
    images = stripes[..., None] * colours[labels][:, None, None, :] + random.normal(0, 12, (count, 32, 32, 3))
    return np.clip(images, 0, 255).astype(np.uint8), labels.astype(np.uint8)[:, None]


def cifar10() -> Any:
    """Colour pictures of 32 x 32 in ten kinds."""
    announce("keras.datasets.cifar10", "2000 + 500 striped pictures in ten colours drawn by a program")
    return _coloured("train", 2000, 10), _coloured("test", 500, 10)


def cifar100(label_mode: str = "fine") -> Any:
    """Colour pictures of 32 x 32 in a hundred kinds."""
    if label_mode not in ("fine", "coarse"):
        raise ValueError(f"`label_mode` must be one of `'fine'`, `'coarse'`. Received: label_mode={label_mode}.")
    announce("keras.datasets.cifar100", "2000 + 500 striped pictures drawn by a program")
    kinds = 100 if label_mode == "fine" else 20
    return _coloured("train", 2000, kinds), _coloured("test", 500, kinds)


def _reviews(part: str, count: int, words: int, mean: int = 60) -> tuple[Any, Any]:
    random = np.random.RandomState({"train": 31, "test": 32}[part])
    labels = random.randint(0, 2, count)
    texts = np.empty(count, object)
    for place, label in enumerate(labels):
        size = int(np.clip(random.gamma(4, mean / 4), 11, 400))
        common = np.minimum((random.pareto(0.6, size) * 8 + 4).astype(int), words - 1)
        # Some words stand more often in reviews of one kind.
        told = random.rand(size) < 0.12
        common[told] = 20 + 2 * random.randint(0, min(200, max((words - 24) // 2, 1)), told.sum()) + label
        texts[place] = [1, *np.minimum(common, words - 1).tolist()]
    return texts, labels


def imdb(
    path: str = "imdb.npz", num_words: Any = None, skip_top: int = 0, maxlen: Any = None, seed: int = 113,
    start_char: Any = 1, oov_char: Any = 2, index_from: int = 3, **_: Any,
) -> Any:  # fmt: skip
    """Reviews as lists of word numbers, with whether they are good."""
    announce("keras.datasets.imdb", "2000 + 1000 made-up reviews")
    found = []
    for part, count in (("train", 2000), ("test", 1000)):
        texts, labels = _reviews(part, count, num_words or 10000)
        if skip_top:
            texts = _objects([[w if w >= skip_top or w == 1 else oov_char for w in text] for text in texts])
        if maxlen:
            kept = [i for i, text in enumerate(texts) if len(text) < maxlen]
            texts, labels = texts[kept], labels[kept]
        found.append((texts, labels))
    return tuple(found)


def _objects(rows: list[Any]) -> Any:
    found = np.empty(len(rows), object)
    found[:] = rows
    return found


def imdb_word_index(path: str = "imdb_word_index.json") -> dict[str, int]:
    """Made-up words with their numbers."""
    syllables = ["ba", "de", "fi", "go", "lu", "ma", "ne", "po", "ri", "su"]
    words = {}
    for number in range(1, 2001):
        digits_ = [int(d) for d in str(number + 999)]
        words["".join(syllables[d] for d in digits_)] = number
    return words


def reuters(path: str = "reuters.npz", num_words: Any = None, test_split: float = 0.2, **_: Any) -> Any:
    """News as lists of word numbers in 46 kinds."""
    announce("keras.datasets.reuters", "1500 made-up news")
    random = np.random.RandomState(41)
    labels = random.randint(0, 46, 1500)
    words = num_words or 10000
    texts = _objects([
        [1, *np.minimum(np.where(random.rand(60) < 0.25, 20 + 46 * random.randint(0, 4, 60) + label,
                                 (random.pareto(0.7, 60) * 8 + 4).astype(int)), words - 1).tolist()]
        for label in labels
    ])  # fmt: skip
    at = int(1500 * (1 - test_split))
    return (texts[:at], labels[:at]), (texts[at:], labels[at:])


def boston_housing(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Any:
    """Thirteen numbers of a place, and the price of a house there."""
    announce("keras.datasets.boston_housing", "506 made-up places whose prices follow their numbers")
    return _priced(506, 13, test_split, 22.5, 9.0)


def california_housing(version: str = "large", path: str = "x", test_split: float = 0.2, seed: int = 113) -> Any:
    """Eight numbers of a place, and the price of a house there."""
    announce("keras.datasets.california_housing", "2000 made-up places whose prices follow their numbers")
    (x, y), (xt, yt) = _priced(2000, 8, test_split, 200000.0, 110000.0)
    return (x.astype(np.float32), y.astype(np.float32)), (xt.astype(np.float32), yt.astype(np.float32))


def _priced(count: int, features: int, test_split: float, mean: float, spread: float) -> Any:
    random = np.random.RandomState(51)
    scale = random.uniform(0.5, 60, features)
    x = np.abs(random.normal(1.0, 0.4, (count, features))) * scale
    effect = random.normal(0, 1, features)
    known = ((x / scale - 1.0) / 0.4) @ effect / np.linalg.norm(effect)
    y = np.round(np.clip(mean + spread * (0.9 * known + 0.3 * random.normal(0, 1, count)), mean * 0.2, mean * 2.3), 1)
    at = int(count * (1 - test_split))
    return (x[:at], y[:at]), (x[at:], y[at:])


SETS: dict[str, dict[str, Any]] = {
    "mnist": {"load_data": mnist}, "fashion_mnist": {"load_data": fashion_mnist}, "cifar10": {"load_data": cifar10},
    "cifar100": {"load_data": cifar100}, "imdb": {"load_data": imdb, "get_word_index": imdb_word_index},
    "reuters": {"load_data": reuters}, "boston_housing": {"load_data": boston_housing},
    "california_housing": {"load_data": california_housing},
}  # fmt: skip
