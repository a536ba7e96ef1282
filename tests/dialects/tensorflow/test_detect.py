"""Which dialect a text is written in, and the sentence that says why."""

from __future__ import annotations

import pytest

from engine.dialects.detect import decide

CASES = [
    ("import torch\n", "torch", "Line 1 imports torch."),
    ("x = 1\nfrom torch import nn\n", "torch", "Line 2 imports torch."),
    (
        "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n",
        "tf1",
        "Line 3 uses tf.placeholder, which only 1.x has.",
    ),
    ("import tensorflow\ns = tensorflow.Session()\n", "tf1", "Line 2 uses tf.Session, which only 1.x has."),
    ("from tensorflow import placeholder\n", "tf1", "Line 1 imports placeholder from tensorflow, which only 1.x has."),
    ("import tensorflow.compat.v1 as tf\n", "tf1", "Line 1 imports tensorflow.compat.v1, which is 1.x inside 2.x."),
    (
        "import tensorflow as tf\nimport tensorflow.compat.v1 as tf1\nm = tf.keras.Model()\ntf1.train.Saver\n",
        "tf2",
        "Line 1 imports tensorflow, and no line uses what only 1.x has: 2.x.",
    ),
    (
        "import tensorflow as tf\nimport tensorflow.compat.v1 as tf1\ntf1.disable_v2_behavior()\ntf.keras.Model\n",
        "tf1",
        "Line 2 imports tensorflow.compat.v1, which is 1.x inside 2.x.",
    ),
    ("import keras\n", "tf2", "Line 1 imports keras, and no line uses what only 1.x has: 2.x."),
    (
        "from tensorflow.compat import v1 as tf\n",
        "tf1",
        "Line 1 imports tensorflow.compat.v1, which is 1.x inside 2.x.",
    ),
    (
        "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n",
        "tf1",
        "Line 2 calls disable_v2_behavior, which makes 2.x behave like 1.x.",
    ),
    (
        "import tensorflow as tf\nx = tf.train.AdamOptimizer()\n",
        "tf1",
        "Line 2 uses tf.train.AdamOptimizer, which only 1.x has.",
    ),
    (
        "import tensorflow as tf\nprint(tf.constant(1))\n",
        "tf2",
        "Line 1 imports tensorflow, and no line uses what only 1.x has: 2.x.",
    ),
    (
        "import tensorflow as tf\nwith tf.GradientTape() as t:\n  pass\ntry: tf.Session()\nexcept AttributeError: 0\n",
        "tf2",
        "Line 2 uses tf.GradientTape, which is 2.x, before anything that only 1.x has.",
    ),
    ("import tensorflow as tf\ntf.enable_eager_execution()\nwith tf.GradientTape() as t: pass\n", "tf1", "Line 2"),
    ("# stepgraph: tf2\nimport tensorflow as tf\ntf.Session()\n", "tf2", "The comment at the top says tf2."),
    ("#!/usr/bin/python\n# stepgraph: TF1\nimport tensorflow as tf\n", "tf1", "The comment at the top says tf1."),
    ("from engine.static import Graph\n", "native", "Line 1 imports the engine itself."),
    ("print('import torch')\n", "python", "No line imports torch or tensorflow"),
    ("", "python", "No line imports"),
    ("import torch\nimport tensorflow as tf\n", "torch", "Line 1 imports torch and line 2 tensorflow"),
    ("import tensorflow as tf\nimport torch\ntf.Session()\n", "tf1", "Line 3 uses tf.Session"),
    ("import torchvision_like\nimport tensorflower\n", "python", "No line imports"),
    ("import tensorflow_fold as td\n", "tf1", "Line 1 imports tensorflow_fold, which belongs to 1.x."),
    ("import tensorflow.contrib.eager as tfe\n", "tf1", "Line 1 imports tensorflow.contrib, which belongs to 1.x."),
    ("from tensorflow.examples.tutorials.mnist import input_data\n", "tf1", "Line 1 imports tensorflow.examples"),
    (
        "from tensorflow.examples.tutorials.mnist import input_data\nimport torch\n",
        "torch",
        "Line 2 imports torch; line 1 only the digits",
    ),
    # Nothing that Python can parse, but the imports can still be read.
    ("import tensorflow as tf\nx = tf.placeholder(tf.float32\ny = = 2\n", "tf1", "Line 2 uses tf.placeholder"),
    ("import torch\nif True\n", "torch", "Line 1 imports torch."),
    ("def f():\n    import tensorflow as tf\n    return tf.Session()\n", "tf1", "Line 3 uses tf.Session"),
]


@pytest.mark.parametrize(("source", "dialect", "reason"), CASES)
def test_decisions(source: str, dialect: str, reason: str) -> None:
    decision = decide(source)
    assert decision.dialect == dialect
    assert decision.reason.startswith(reason)
    assert decision.reason.endswith(".")
    assert "\n" not in decision.reason


@pytest.mark.parametrize(
    "source",
    [
        "\0",
        "(" * 5000,
        "-" * 20000 + "1",
        "\ud800",
        "import torch\n" + "[" * 300,
        "x" * 3_000_000,
        "\ufeffimport torch",
        "é = 1\n" * 10,
        "\\",
    ],
)
def test_hostile_text_is_only_read(source: str) -> None:
    decision = decide(source)
    assert decision.dialect in ("torch", "python")
    assert len(decision.reason) < 300


def test_a_decision_is_a_pair() -> None:
    dialect, reason = decide("import torch")
    assert (dialect, reason) == ("torch", "Line 1 imports torch.")
