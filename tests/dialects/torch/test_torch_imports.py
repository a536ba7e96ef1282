"""The import hook, and what happens to names that the dialect lacks."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from engine.dialects import importer
from engine.dialects.missing import missing_module, missing_name, nearest


@pytest.fixture(autouse=True)
def served() -> Iterator[None]:
    with warnings.catch_warnings():
        importer.install("torch")
        yield
    importer.uninstall({"torch"})


def test_every_way_to_import() -> None:
    scope: dict[str, object] = {}
    exec(
        "import torch\nimport torch.nn as nn\nfrom torch import optim\nimport torch.nn.functional as F\n"
        "from torch.utils.data import DataLoader\nfrom torch.nn.modules.linear import Linear\n"
        "same = torch.nn is nn and torch.nn.functional is F and nn.Linear is Linear and torch.optim is optim",
        scope,
    )
    assert scope["same"] is True


def test_only_inside_a_run() -> None:
    assert "engine" in importlib.import_module("torch").tensor.__module__
    importer.uninstall({"torch"})
    assert "torch" not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("torch")


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("import torch; torch.sigmod", AttributeError, ["'sigmod'", "teaching engine", "torch.sigmoid"]),
        ("import torch; torch.nn.Lineer", AttributeError, ["torch.nn", "'Lineer'", "torch.nn.Linear"]),
        ("import torch.nm", ModuleNotFoundError, ["torch.nm", "teaching engine", "torch.nn"]),
        ("import torch; torch.optim.Adum", AttributeError, ["torch.optim.Adam"]),
    ],
)
def test_missing_names_say_what_is_near(source: str, kind: type[Exception], words: list[str]) -> None:
    with pytest.raises(kind) as caught:
        exec(source, {})
    for word in words:
        assert word in str(caught.value)


def test_from_import_of_a_missing_name_fails() -> None:
    with pytest.raises(ImportError, match="cannot import name 'fftt'"):
        exec("from torch import fftt", {})


def test_python_may_ask_modules_anything() -> None:
    torch = importlib.import_module("torch")
    assert not hasattr(torch, "__file__")
    assert hasattr(torch, "__version__")


def test_nearest_names() -> None:
    assert nearest("Relu", ["ReLU", "GRU", "RNN"])[0] == "ReLU"
    assert nearest("relu_layer", ["relu", "tanh"]) == ["relu"]
    assert nearest("zzz", ["add"]) == []
    assert "Nothing" in missing_name("torch", "qqqq", ["add"])
    assert missing_module("torch.qqqqqq", ["xla.core"]).endswith("which has part of torch.")


def test_unknown_dialects_are_refused() -> None:
    with pytest.raises(ValueError, match="torch, tf1, tf2"):
        importer.modules_of("jax")


def test_programs_of_pytorch_may_read_the_digits_of_tensorflow() -> None:
    read = "from tensorflow.examples.tutorials.mnist import input_data\n"
    importer.install("torch", companions=True, source=f"import torch\n{read}")
    try:
        scope: dict[str, Any] = {}
        exec(f"{read}images, labels = input_data.read_data_sets('data', one_hot=True).train.next_batch(3)", scope)
        assert (scope["images"].shape, scope["labels"].shape) == ((3, 784), (3, 10))
        with pytest.raises(AttributeError, match="has no attribute 'Session'"):
            exec("import tensorflow as tf\ntf.Session()", {})
    finally:
        importer.uninstall({"tensorflow"})
    with pytest.raises(ModuleNotFoundError):
        exec("import tensorflow", {})
