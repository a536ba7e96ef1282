"""Programs that the graph's tests type into the page."""

from __future__ import annotations

MODULES = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 4))
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

net = Net()
x = torch.randn(5, 3)
for i in range(2):
    loss = (net(x) ** 2).mean()
    loss.backward()
"""

RECURRENT = """import torch
W = torch.ones(2, 2, requires_grad=True)

def cell(h):
    return torch.tanh(h @ W + 0.1)

h = torch.ones(1, 2)
for t in range(60):
    h = cell(h)
h.sum().backward()
"""

LARGE = """import torch
w = torch.ones(2, 2, requires_grad=True)
h = torch.ones(1, 2)
for t in range(840):
    h = torch.tanh(h @ w + 0.1)
h.sum().backward()
"""

CONTROL = """import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [], name="x")
chosen = tf.cond(x > 0., lambda: tf.tanh(x) * 2., lambda: x - 1.)
i, total = tf.while_loop(lambda i, s: s < 6., lambda i, s: (i + 1., s * 2. - i), [tf.constant(0.), tf.constant(1.5)])
with tf.Session() as sess:
    print(sess.run([chosen, total], {x: 1.}))
    print(sess.run([chosen, total], {x: -1.}))
"""

BATCHED = """import engine
from engine.bridges.batching import Cell, evaluate
w = engine.tensor([[0.5, -0.2], [0.1, 0.3], [0.2, 0.2], [-0.4, 0.6]], requires_grad=True)
words = engine.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.3, -0.3], [1.0, 1.0]])
embed = Cell(lambda i: engine.take(words, i), name="embed")
cell = Cell(lambda a, b: engine.tanh(engine.concat(a, b, axis=1) @ w), name="cell")
trees = [cell(cell(embed(0), embed(1)), embed(2)), cell(embed(3), embed(4)), embed(2)]
evaluate(trees).sum().backward()
"""

TRACED = """import engine
from engine.bridges.function import function

@function
def square(x):
    return engine.relu(x * x + 1.0)

print(square(engine.tensor([1.0, 2.0])))
print(square(engine.tensor([3.0, 2.0])))
print(square(engine.tensor([1.0, 2.0, 4.0])))
"""

COMPOSITES = """import torch
from torch import nn
import torch.nn.functional as F
net = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.SiLU(), nn.LayerNorm(6), nn.Linear(6, 2))
loss = F.cross_entropy(net(torch.randn(5, 4)), torch.tensor([0, 1, 1, 0, 1]))
loss.backward()
"""

EDITED = """from engine.static import Graph, Session, editor
g = Graph()
a, b = g.constant([1.0, 2.0], name="a"), g.constant([5.0, 7.0], name="b")
e = g.apply("exp", a, name="e")
y = g.apply("neg", e, name="y")
editor.reroute_ts(b, a)
print(Session(g).run(y))
"""

HELD = """import torch
x = torch.ones(2, requires_grad=True)
side = (x * 3).sum()
(x * 2).sum().backward()
print(side)
"""

FAILS_LATER = """import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 3], name="y")
a = tf.reduce_sum(x * 2.)
b = tf.matmul(x, y)
with tf.Session() as sess:
    print(sess.run(a, {x: [[1., 2.]]}))
    print(sess.run(b, {x: [[1., 2.]], y: [[1., 2., 3.]]}))
"""
