"""Labels, sequences and texts made ready: ``to_categorical``, ``pad_sequences``, ``Tokenizer`` and their like."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import Valued, wrap


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """A row with a single 1 for each class number."""
    labels = np.array(x._array if isinstance(x, Valued) else x, dtype="int64")
    shape = labels.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = shape[:-1]
    flat = labels.reshape(-1)
    count = num_classes or int(np.max(flat)) + 1
    found = np.zeros((len(flat), count))
    found[np.arange(len(flat)), flat] = 1
    found = found.reshape((*shape, count))
    return wrap(found.astype(np.float32)) if isinstance(x, Valued) else found


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """Rows of length 1."""
    array = np.asarray(x)
    length = np.atleast_1d(np.linalg.norm(array, order, axis))
    length[length == 0] = 1
    return array / np.expand_dims(length, axis)


def pad_sequences(
    sequences: Any, maxlen: int | None = None, dtype: Any = "int32", padding: str = "pre", truncating: str = "pre",
    value: Any = 0.0,
) -> Any:  # fmt: skip
    """Sequences of different lengths in one array.

    :raises ValueError: they are no lists.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths = []
    shape: tuple[int, ...] = ()
    for one in sequences:
        try:
            lengths.append(len(one))
        except TypeError as error:
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {one}") from error
        if len(one) and not shape:
            shape = np.asarray(one).shape[1:]
    size = max(lengths, default=0) if maxlen is None else maxlen
    if (
        not (np.issubdtype(dtype, np.str_) or np.issubdtype(dtype, np.str_))
        and isinstance(value, str)
        and dtype is not object
    ):
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set `dtype=object` for "
            "variable length strings."
        )
    found = np.full((len(lengths), size, *shape), value, dtype=dtype)
    for place, one in enumerate(sequences):
        if not len(one):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(f'Truncating type "{truncating}" not understood')
        kept = np.asarray(one[-size:] if truncating == "pre" else one[:size], dtype=dtype)
        if padding == "post":
            found[place, : len(kept)] = kept
        elif padding == "pre":
            if len(kept):
                found[place, -len(kept) :] = kept
        else:
            raise ValueError(f'Padding type "{padding}" not understood')
    return found


_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text: str, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """The words of a text."""
    text = text.lower() if lower else text
    apart: dict[str, str | int | None] = dict.fromkeys(filters, split)
    text = text.translate(str.maketrans(apart))
    return [word for word in text.split(split) if word]


class Tokenizer:
    """Words as numbers, the most frequent first."""

    def __init__(
        self, num_words: Any = None, filters: str = _FILTERS, lower: bool = True, split: str = " ",
        char_level: bool = False, oov_token: Any = None, **_: Any,
    ) -> None:  # fmt: skip
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.document_count = char_level, oov_token, 0
        self.word_counts: dict[str, int] = {}
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Any) -> list[str]:
        if self.char_level or isinstance(text, list):
            return [w.lower() if self.lower else w for w in text]
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Any) -> None:
        for text in texts:
            self.document_count += 1
            for word in self._words(text):
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
        ranked = sorted(self.word_counts.items(), key=lambda item: item[1], reverse=True)
        words = ([self.oov_token] if self.oov_token is not None else []) + [word for word, _ in ranked]
        self.word_index = {word: number for number, word in enumerate(words, 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}

    def texts_to_sequences(self, texts: Any) -> list[list[int]]:
        unknown = self.word_index.get(self.oov_token)
        found = []
        for text in texts:
            row = []
            for word in self._words(text):
                number = self.word_index.get(word)
                if number is not None and (not self.num_words or number < self.num_words):
                    row.append(number)
                elif unknown is not None:
                    row.append(unknown)
            found.append(row)
        return found

    def sequences_to_texts(self, sequences: Any) -> list[str]:
        return [" ".join(self.index_word[n] for n in row if n in self.index_word) for row in sequences]

    def texts_to_matrix(self, texts: Any, mode: str = "binary") -> Any:
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> Any:
        width = self.num_words or len(self.word_index) + 1
        found = np.zeros((len(sequences), width))
        for place, row in enumerate(sequences):
            for number, count in Counter(row).items():
                found[place, number] = {"binary": 1, "count": count, "freq": count / len(row)}[mode]
        return found


def timeseries_generator(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("use keras.utils.timeseries_dataset_from_array or slice the array yourself")


def one_hot_words(input_text: str, n: int, **_: Any) -> list[int]:
    """Words as numbers below ``n`` by their letters."""
    return [sum(map(ord, word)) % (n - 1) + 1 for word in re.findall(r"\w+", input_text.lower())]
