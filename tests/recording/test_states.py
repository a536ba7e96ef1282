"""The page's own reading of recordings: a step shows the same however one came to it, and values are the recorder's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.recording import record
from engine.recording.config import Limits

CASES = {
    "containers": "grid = [[0] * 4 for _ in range(4)]\nfor n in range(40):\n    grid[n % 4][n // 4 % 4] += 1 + n\n"
    "out = []\nfor i in range(40):\n    out.append({'…': i, i: [i]})\n",
    "folded": "total = 0\nnames = []\nfor i in range(9_000):\n    total += i * 0.5\n    if i % 3000 == 7:\n"
    "        names.append(i)\n        print(i)\nprint(total)\n",
    "training": "import torch\ntorch.manual_seed(0)\nx = torch.randn(8, 3)\nw = torch.zeros(3, 1, requires_grad=True)\n"
    "for step in range(260):\n    loss = ((x @ w - 1) ** 2).mean()\n    loss.backward()\n    with torch.no_grad():\n"
    "        w -= 0.1 * w.grad\n        w.grad.zero_()\nprint(loss.item())\n",
    "session": "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()\nv = tf.Variable(1.0)\n"
    "up = tf.assign(v, v * 2.0)\nwith tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n"
    "    for i in range(3):\n        print(s.run(up))\n",
}


@pytest.mark.parametrize("name", CASES)
def test_real_recordings(name: str, in_the_page: Callable[[list[dict[str, Any]]], None]) -> None:
    in_the_page([record(CASES[name], limits=Limits(seconds=60, events=22_000))])
