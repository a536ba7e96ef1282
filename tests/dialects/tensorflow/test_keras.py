"""Keras: programs with the output of Keras 3 in TensorFlow 2.21 (times aside), names, stand-in sets, the picture."""

from __future__ import annotations

import ast
import gc
import re
from pathlib import Path
from typing import Any

import pytest

from engine.dialects.event_files.summary_data import Event
from engine.dialects.event_files.wire import records
from engine.dialects.tensorflow.keras import marks
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
def test_output_is_that_of_keras(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # programs save models
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


_FIT = """
import numpy as np, tensorflow as tf
m = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, name="d")])
m.compile(tf.keras.optimizers.SGD(0.25), "mse")
x = np.ones((8, 2), "float32")
h = m.fit(x, x[:, :1], epochs=3, batch_size=2, validation_split=0.5, verbose=0, callbacks=[
    tf.keras.callbacks.TensorBoard("logs", OPTIONS)])
print(h.history["loss"] + h.history["val_loss"])
"""
_EPOCHS = {"train/epoch_loss", "train/epoch_learning_rate", "validation/epoch_loss",
           "validation/evaluation_loss_vs_iterations"}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "curves"),
    [
        ("", {}),
        ("histogram_freq=1", {}),
        ("update_freq='batch'", {"train/batch_loss": [1, 2, 3, 4, 5, 6]}),
        ("update_freq=3", {"train/batch_loss": [3, 6]}),
    ],
)
def test_tensorboard_keeps_curves(options: str, curves: dict[str, list[int]]) -> None:
    trace = record(_FIT.replace("OPTIONS", options), files={})
    assert trace["end"]["kind"] == "ok", trace["end"]
    charts = {chart["name"]: chart for chart in trace["charts"]}
    assert set(charts) == _EPOCHS | set(curves)
    kept = charts["train/epoch_loss"]["y"] + charts["validation/epoch_loss"]["y"]
    assert kept == pytest.approx(ast.literal_eval(trace["stdout"]), rel=1e-6)
    assert charts["train/epoch_loss"]["x"] == [0, 1, 2]
    assert charts["validation/evaluation_loss_vs_iterations"]["x"] == [2, 4, 6]
    assert all(charts[name]["x"] == steps for name, steps in curves.items())


def test_tensorboard_writes_event_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(_FIT.replace("OPTIONS", "histogram_freq=2"))
    found = {run: [Event(row) for path in Path("logs", run).iterdir() for row in records(path.read_bytes())][1:]
             for run in ("train", "validation")}  # fmt: skip
    tags = {run: [(event.step, value.tag) for event in rows for value in event.summary.value]
            for run, rows in found.items()}  # fmt: skip
    assert [step for step, tag in tags["train"] if tag == "epoch_loss"] == [0, 1, 2]
    assert [step for step, tag in tags["validation"] if tag == "epoch_loss"] == [0, 1, 2]
    spread = [value.histo for event in found["train"] for value in event.summary.value if "kernel/hist" in value.tag]
    assert [histo.num for histo in spread] == [2.0, 2.0]


def test_tensorboard_says_what_it_leaves_out() -> None:
    trace = record(_FIT.replace("OPTIONS", "profile_batch=2"), files={})
    assert any("no profiles" in note for note in trace["program"]["notes"])


def test_curves_of_two_writers_stay_apart() -> None:
    source = """
import tensorflow as tf
writers = [tf.summary.create_file_writer(folder) for folder in ("logs/1/train", "logs/1/test", "logs/2/train")]
for step in range(2):
    for place, writer in enumerate(writers):
        with writer.as_default():
            tf.summary.scalar("loss", place + 0.5, step=step)
"""
    charts = {chart["name"]: chart["y"] for chart in record(source, files={})["charts"]}
    assert charts == {"loss": [0.5, 0.5], "test/loss": [1.5, 1.5], "logs/2/train/loss": [2.5, 2.5]}


def test_notes_go_with_the_tensors_of_a_program_that_has_ended() -> None:
    trace = record(
        "import tensorflow as tf\nx = tf.keras.layers.Embedding(3, 2, mask_zero=True)(tf.constant([[1, 0]]))\n"
        "print(x._keras_mask)\n",
        "masked.py",
    )
    assert "[[ True False]]" in trace["stdout"]
    del trace
    gc.collect()
    assert all(tensor() is not None for tensor, _ in marks._notes.values())
