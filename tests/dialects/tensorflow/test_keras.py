"""Keras: programs with the output of Keras 3 in TensorFlow 2.21 (times aside), names, stand-in sets, the picture."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.recording.inprocess import record
from engine.trace.reading import table

PROGRAMS = sorted((Path(__file__).parent / "keras_programs").glob("*.py"))
_NOT_THE_SAME_TWICE = (
    (re.compile(r"\x08+\r"), "\r"),
    (re.compile(r"[0-9.]+(s|ms|us)/step"), "T/step"),
    (re.compile(r"\b[0-9]+s\b|(?<=\x1b\[1m)[0-9]+s"), "Ts"),
    (re.compile(r"0x[0-9a-f]+"), "0x"),
    (re.compile(r"\r\x1b[^\r\n]*(?=\r)"), ""),
)


def _comparable(text: str) -> str:
    """Without times, addresses and the states of a progress line that depend on the speed of the machine."""
    for pattern, what in _NOT_THE_SAME_TWICE:
        text = pattern.sub(what, text)
    return re.sub(r" +\n", "\n", text).replace("\r", "")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_output_is_that_of_keras(path: Path) -> None:
    trace = record(path.read_text(), path.name)
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert _comparable(trace["stdout"]) == _comparable(path.with_suffix(".out").read_bytes().decode())


@pytest.mark.parametrize(
    "line",
    [
        "import keras",
        "from tensorflow import keras",
        "from tensorflow.keras.layers import Dense, LSTM",
        "from keras.preprocessing.sequence import pad_sequences",
        "from tensorflow.keras.optimizers.schedules import ExponentialDecay",
    ],
)
def test_ways_to_import(line: str) -> None:
    trace = record(f"import tensorflow as tf\n{line}\nprint('imported')\n")
    assert trace["stdout"] == "imported\n"


@pytest.mark.parametrize("name", ["layers.Conv3D", "applications.MobileNet", "layers.Dens"])
def test_what_is_missing_is_named(name: str, serving: Any) -> None:
    module, _, last = name.partition(".")
    with serving("tf2") as tensorflow, pytest.raises(AttributeError, match=f"has no attribute '{last}' in this"):
        getattr(getattr(tensorflow.keras, module), last)


def test_layers_are_scopes_of_the_picture() -> None:
    source = (
        "import tensorflow as tf\nfrom tensorflow import keras\n"
        "m = keras.Sequential([keras.layers.Dense(2, activation='relu'), keras.layers.Dense(1)], name='net')\n"
        "m(tf.ones((1, 3)))\n"
    )
    trace = record(source)
    scopes = {trace["strings"][node["scope"]] for node in table(trace, "nodes") if node["scope"] >= 0}
    assert {"net/dense", "net/dense_1"} <= scopes


def test_digits_can_be_learned(serving: Any) -> None:
    with serving("tf2") as tensorflow:
        keras = tensorflow.keras
        keras.utils.set_random_seed(1)
        (x, y), (a, b) = keras.datasets.mnist.load_data()
        layers = [keras.layers.Flatten(), keras.layers.Dense(32, "relu"), keras.layers.Dense(10, "softmax")]
        model = keras.Sequential(layers)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(x[:3000] / 255.0, y[:3000], epochs=6, batch_size=100, verbose=0)
        assert model.evaluate(a[:500] / 255.0, b[:500], verbose=0)[1] > 0.85
