"""Programs of which something does not learn: the parameter, the verdict, a word for the cut, its line, words that the
explanation holds. Each is what students write."""

from __future__ import annotations

from dataclasses import dataclass

TORCH = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
X = torch.randn(8, 2)
y = torch.randn(8, 1)
"""
TF1 = """\
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
W1 = tf.Variable(tf.ones([2, 3]) * 0.1, name="W1")
W2 = tf.Variable(tf.ones([3, 1]) * 0.1, name="W2")
feed = {x: [[1., 2.], [3., 4.]], y: [[1.], [2.]]}
"""
TF2 = """\
import tensorflow as tf
X = tf.constant([[1., 2.], [3., 4.]])
y = tf.constant([[1.], [2.]])
W = tf.Variable(tf.ones([2, 1]) * 0.1)
b = tf.Variable(0.5)
"""


@dataclass(frozen=True)
class Case:
    """A program (after a head that every line number counts), and what is to be found in it."""

    name: str
    source: str
    parameter: str
    verdict: str
    kind: str
    line: int
    words: tuple[str, ...] = ()
    tries: str = ""


def _torch(name: str, body: str, *found: object) -> Case:
    return Case(name, TORCH + body, *found)  # type: ignore[arg-type]


def _tf1(name: str, body: str, *found: object) -> Case:
    return Case(name, TF1 + body, *found)  # type: ignore[arg-type]


def _tf2(name: str, body: str, *found: object) -> Case:
    return Case(name, TF2 + body, *found)  # type: ignore[arg-type]


CASES = (
    _torch(
        "detach, a line of its own",
        """\
W1 = torch.randn(2, 3, requires_grad=True)
W2 = torch.randn(3, 1, requires_grad=True)
opt = torch.optim.SGD([W1, W2], lr=0.01)
for i in range(3):
    h = torch.tanh(X @ W1)
    h = h.detach()
    loss = F.mse_loss(h @ W2, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        "W1",
        "cut",
        "detached",
        12,
        ("`.detach()`", "line 12", "without their history"),
        "Leave `.detach()` out in line 12",
    ),
    _torch(
        "detach in the expression",
        """\
a = torch.randn(2, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for i in range(2):
    z = X @ a
    loss = ((z.detach() + b - y) ** 2).mean()
    loss.backward()
""",
        "a",
        "cut",
        "detached",
        11,
        ("`z`",),
    ),
    _torch(
        "data in the expression",
        """\
a = torch.randn(2, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
z = X @ a
loss = ((z.data * b - y) ** 2).mean()
loss.backward()
""",
        "a",
        "cut",
        "detached",
        10,
        ("`.data`",),
    ),
    _torch(
        "item",
        """\
w = torch.randn(2, 1, requires_grad=True)
for i in range(2):
    loss = ((X @ w - y) ** 2).mean()
    again = torch.tensor(loss.item(), requires_grad=True)
    again.backward()
""",
        "w",
        "cut",
        ".item()",
        10,
        ("`again`", "`loss`", "do not remember"),
        "Use `loss` itself",
    ),
    _torch(
        "a number on the way",
        """\
w = torch.randn(2, 1, requires_grad=True)
scale = torch.ones(1, requires_grad=True)
for i in range(2):
    size = float(w.sum())
    loss = ((X * scale * size - y) ** 2).mean()
    loss.backward()
""",
        "w",
        "cut",
        "float()",
        10,
        ("numbers", "`float()` in line 10"),
    ),
    _torch(
        "through NumPy",
        """\
w = torch.randn(2, 1, requires_grad=True)
v = torch.ones(1, requires_grad=True)
for i in range(2):
    h = X @ w
    array = h.detach().numpy() * 2
    back = torch.from_numpy(array)
    loss = ((back * v - y) ** 2).mean()
    loss.backward()
""",
        "w",
        "cut",
        ".numpy()",
        11,
        ("`back` in line 12", "`.numpy()` in line 11"),
    ),
    _torch(
        "no_grad",
        """\
w = torch.randn(2, 1, requires_grad=True)
with torch.no_grad():
    pred = X @ w
loss = ((pred - y) ** 2).mean()
loss.backward()
""",
        "w",
        "cut",
        "no_grad",
        8,
        ("recording was off", "line 8"),
        "Take line 9 out",
    ),
    _torch(
        "no_grad round a call",
        """\
w = torch.randn(2, 1, requires_grad=True)
def predict(data):
    return data @ w
with torch.no_grad():
    pred = predict(X)
loss = ((pred - y) ** 2).mean()
loss.backward()
""",
        "w",
        "cut",
        "no_grad",
        10,
        ("line 9",),
    ),
    _torch(
        "no_grad as a decorator",
        """\
w = torch.randn(2, 1, requires_grad=True)
@torch.no_grad()
def predict(data):
    return data @ w
loss = ((predict(X) - y) ** 2).mean()
loss.backward()
""",
        "w",
        "cut",
        "no_grad",
        8,
    ),
    _torch(
        "frozen",
        """\
model = nn.Linear(2, 1)
model.weight.requires_grad = False
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = F.mse_loss(model(X), y)
    loss.backward()
    opt.step()
""",
        "weight",
        "cut",
        "frozen",
        8,
        ("`requires_grad` is False",),
    ),
    _torch(
        "never asked for",
        """\
w = torch.randn(2, 1)
b = torch.zeros(1, requires_grad=True)
for i in range(2):
    loss = ((X @ w + b - y) ** 2).mean()
    loss.backward()
    print(w.grad)
""",
        "w",
        "cut",
        "requires_grad",
        7,
        ("plain tensor",),
        "requires_grad=True",
    ),
    _torch(
        "not in the optimizer",
        """\
first = nn.Linear(2, 3)
second = nn.Linear(3, 1)
opt = torch.optim.Adam(second.parameters(), lr=0.01)
for i in range(3):
    opt.zero_grad()
    loss = F.mse_loss(second(torch.tanh(first(X))), y)
    loss.backward()
    opt.step()
""",
        "first.weight",
        "unchanged",
        "not in the optimizer",
        9,
        ("never given",),
        "line 9",
    ),
    _torch(
        "no step",
        """\
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = F.mse_loss(model(X), y)
    loss.backward()
""",
        "weight",
        "unchanged",
        "no step",
        8,
        ("`step()`",),
    ),
    _torch(
        "cleared before the step",
        """\
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    loss = F.mse_loss(model(X), y)
    loss.backward()
    opt.zero_grad()
    opt.step()
""",
        "weight",
        "unchanged",
        "cleared too early",
        12,
        ("clears it before",),
    ),
    _torch(
        "learning rate 0",
        """\
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.0)
for i in range(3):
    opt.zero_grad()
    loss = F.mse_loss(model(X), y)
    loss.backward()
    opt.step()
""",
        "weight",
        "unchanged",
        "no change",
        8,
        ("learning rate in line 8 is 0",),
    ),
    _torch(
        "dead relu",
        """\
W1 = torch.randn(2, 3, requires_grad=True)
b1 = torch.full((3,), -50.0, requires_grad=True)
W2 = torch.randn(3, 1, requires_grad=True)
opt = torch.optim.SGD([W1, b1, W2], lr=0.01)
for i in range(2):
    h = torch.relu(X @ W1 + b1)
    loss = F.mse_loss(h @ W2, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        "W1",
        "faint",
        "dead relu",
        12,
        ("All 24 numbers", "0 or less"),
        "leaky_relu",
    ),
    _torch(
        "vanished",
        """\
layers = [torch.randn(2, 2).requires_grad_() for _ in range(10)]
opt = torch.optim.SGD(layers, lr=0.1)
for i in range(2):
    h = X
    for W in layers:
        h = torch.sigmoid(4 * h @ W)
    loss = (h.sum(1, keepdim=True) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        "W (1)",
        "faint",
        "vanished",
        12,
        ("times smaller", "sigmoid"),
        "relu",
    ),
    _torch(
        "whole numbers",
        """\
w = torch.randn(2, 3, requires_grad=True)
target = torch.tensor([0., 1., 2., 1., 0., 1., 2., 0.])
chosen = (X @ w).argmax(dim=1).float()
loss = ((chosen - target) ** 2).mean()
loss.backward()
""",
        "w",
        "cut",
        "no slope",
        9,
        ("whole numbers", "int64"),
    ),
    _torch(
        "truth values",
        """\
w = torch.randn(2, 1, requires_grad=True)
hits = ((X @ w) > 0).float()
loss = ((hits - y) ** 2).mean()
loss.backward()
""",
        "w",
        "cut",
        "no slope",
        8,
        ("truth values",),
    ),
    _torch(
        "rounded",
        """\
w = torch.randn(2, 1, requires_grad=True)
for i in range(2):
    loss = ((torch.round(X @ w) - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
""",
        "w",
        "faint",
        "flat",
        9,
    ),
    _torch(
        "bound anew",
        """\
w = torch.randn(2, 1, requires_grad=True)
for i in range(3):
    loss = ((X @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w = w - 0.1 * w.grad
""",
        "w",
        "cut",
        "another tensor",
        12,
        ("left behind",),
        "in place",
    ),
    _torch(
        "never used",
        """\
used = torch.randn(2, 1, requires_grad=True)
idle = torch.randn(2, 1, requires_grad=True)
side = X @ idle
for i in range(2):
    loss = ((X @ used - y) ** 2).mean()
    loss.backward()
""",
        "idle",
        "cut",
        "not used",
        9,
        ("never gets into",),
    ),
    _torch(
        "zeros times",
        """\
W1 = torch.randn(2, 3, requires_grad=True)
W2 = torch.zeros(3, 1, requires_grad=True)
loss = F.mse_loss(torch.tanh(X @ W1) @ W2, y)
loss.backward()
with torch.no_grad():
    W1 -= 0.1 * W1.grad
    W2 -= 0.1 * W2.grad
""",
        "W1",
        "faint",
        "times 0",
        9,
        ("`W2`",),
    ),
    _tf1(
        "stop_gradient in a graph",
        """\
h = tf.stop_gradient(tf.nn.relu(tf.matmul(x, W1)))
loss = tf.reduce_mean(tf.square(tf.matmul(h, W2) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(train, feed)
""",
        "W1",
        "cut",
        "stop_gradient",
        8,
    ),
    _tf1(
        "not in var_list",
        """\
loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, W1)), W2) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, var_list=[W2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(train, feed)
""",
        "W1",
        "cut",
        "not in var_list",
        9,
        ("not among them",),
    ),
    _tf1(
        "not trainable",
        """\
V = tf.Variable(tf.ones([2, 1]), trainable=False, name="V")
loss = tf.reduce_mean(tf.square(tf.matmul(tf.matmul(x, W1), W2) + tf.matmul(x, V) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(train, feed)
""",
        "V",
        "cut",
        "not trainable",
        8,
        ("`trainable=False`",),
    ),
    _tf1(
        "the training op is never run",
        """\
loss = tf.reduce_mean(tf.square(tf.matmul(tf.matmul(x, W1), W2) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print(sess.run(loss, feed))
""",
        "W1",
        "cut",
        "never run",
        -1,
        ("no session call fetches them",),
    ),
    _tf1(
        "no training op",
        """\
loss = tf.reduce_mean(tf.square(tf.matmul(tf.matmul(x, W1), W2) - y))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(loss, feed))
""",
        "W1",
        "cut",
        "no gradients",
        -1,
    ),
    _tf1(
        "dead relu in a graph",
        """\
h = tf.nn.relu(tf.matmul(x, W1) - 100.0)
loss = tf.reduce_mean(tf.square(tf.matmul(h, W2) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run([train, h], feed)
""",
        "W1",
        "faint",
        "dead relu",
        8,
    ),
    _tf2(
        "stop_gradient on a tape",
        """\
for i in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.stop_gradient(X @ W) + b - y) ** 2)
    grads = tape.gradient(loss, [W, b])
    b.assign_sub(0.1 * grads[1])
""",
        "W",
        "cut",
        "stop_gradient",
        8,
    ),
    _tf2(
        "outside the tape",
        """\
pred = X @ W
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((pred - y) ** 2)
print(tape.gradient(loss, W))
""",
        "W",
        "cut",
        "off the tape",
        6,
        ("GradientTape",),
    ),
    _tf2(
        "a constant",
        """\
K = tf.ones([2, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((X @ K + b - y) ** 2)
print(tape.gradient(loss, [K, b]))
""",
        "K",
        "cut",
        "no variable",
        6,
        (),
        "tf.Variable",
    ),
    _tf2(
        "not asked for",
        """\
for i in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ W + b - y) ** 2)
    grad = tape.gradient(loss, b)
    b.assign_sub(0.1 * grad)
""",
        "W",
        "cut",
        "not asked for",
        9,
    ),
    _tf2(
        "no update",
        """\
for i in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ W + b - y) ** 2)
    grads = tape.gradient(loss, [W, b])
""",
        "W",
        "unchanged",
        "not updated",
        -1,
        (),
        "assign_sub",
    ),
    _tf2(
        "bound anew in TensorFlow",
        """\
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ W + b - y) ** 2)
    grads = tape.gradient(loss, [W, b])
    if grads[0] is not None:
        W = W - 0.01 * grads[0]
""",
        "W",
        "cut",
        "another tensor",
        11,
        (),
        "assign_sub",
    ),
    _torch(
        "backward ends with an error: a saved value was overwritten",
        """\
x = torch.ones(3, requires_grad=True)
z = x.exp()
z.add_(1)
z.sum().backward()
""",
        "x",
        "cut",
        "stopped",
        10,
        ("stopped with an error", "line 10", "RuntimeError"),
        "Mend the error first",
    ),
    _torch(
        "backward ends with an error: it cannot begin",
        """\
x = torch.ones(3, requires_grad=True)
z = x.exp()
z.backward()
""",
        "x",
        "cut",
        "stopped",
        9,
        ("stopped with an error", "line 9"),
        "Mend the error first",
    ),
    _torch(
        "an error after backward is not its error",
        """\
x = torch.ones(3, requires_grad=True)
v = torch.ones(3, requires_grad=True)
z = (x * v).sum()
torch.autograd.grad(z, [v])
raise ValueError("later")
""",
        "x",
        "unchanged",
        "not updated",
        -1,
    ),
    *(
        _torch(
            f"a bias before a batch norm: {layer}",
            f"""\
first = nn.{layer}
shift = first.bias
norm = nn.{norm}(3)
loss = (torch.relu(norm(first(torch.randn({shape})))) ** 2).mean()
loss.backward()
""",
            "shift",
            "faint",
            "subtracted",
            7,
            ("subtracts the mean", "0 by mathematics"),
            "`bias=False` in line 7",
        )
        for layer, norm, shape in (
            ("Linear(2, 3)", "BatchNorm1d", "8, 2"),
            ("Conv2d(1, 3, 3)", "BatchNorm2d", "8, 1, 5, 5"),
        )
    ),
    Case(
        "numbers taken out in a line of their own",
        """\
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor([3.0], requires_grad=True)
opt = torch.optim.SGD([w, v], lr=0.1)
for i in range(3):
    penalty = (w**2).sum().item()
    loss = (v - 1).pow(2).sum() + penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        "w",
        "cut",
        ".item()",
        6,
        ("`loss` in line 7 only copies numbers", "`.item()` in line 6"),
    ),
    Case(
        "a frozen Keras layer",
        """\
import tensorflow as tf
x, y = tf.ones([4, 2]), tf.ones([4, 1])
model = tf.keras.Sequential([tf.keras.layers.Dense(3, name="a"), tf.keras.layers.Dense(1, name="b")])
model.build((None, 2))
model.layers[0].trainable = False
opt = tf.keras.optimizers.SGD(0.1)
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    variables = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
""",
        "a.kernel",
        "cut",
        "not trainable",
        5,
        ("A tape watches the variables that are trainable",),
    ),
)

HEALTHY = {
    "torch, two layers": TORCH
    + """\
model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for i in range(5):
    opt.zero_grad()
    loss = F.mse_loss(model(X), y)
    loss.backward()
    opt.step()
    print(loss.item())
with torch.no_grad():
    print(F.mse_loss(model(X), y).item())
""",
    "torch, by hand": TORCH
    + """\
w = torch.zeros(2, 1, requires_grad=True)
for i in range(5):
    loss = ((X @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
""",
    "torch, classes": TORCH
    + """\
model = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 3))
labels = torch.tensor([0, 1, 2, 1, 0, 1, 2, 0])
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for i in range(4):
    scores = model(X)
    loss = F.cross_entropy(scores, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    accuracy = (scores.argmax(1) == labels).float().mean().item()
    print(accuracy)
""",
    "tensorflow 1": TF1
    + """\
loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, W1)), W2) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        print(sess.run([train, loss], feed)[1])
""",
    "tensorflow 1, momentum": TF1
    + """\
loss = tf.reduce_mean(tf.square(tf.matmul(tf.tanh(tf.matmul(x, W1)), W2) - y))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        sess.run(train, feed)
""",
    "tensorflow 2, a traced function": TF2.replace("b = tf.Variable(0.5)\n", "")
    + """\
@tf.function
def step(data, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((data @ W - target) ** 2)
    grad = tape.gradient(loss, W)
    W.assign_sub(0.001 * grad)
    return loss
for i in range(3):
    print(step(X, y))
""",
    "tensorflow 2, Keras": """\
import numpy as np
import tensorflow as tf
data = np.linspace(0.1, 1, 12).reshape(6, 2).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, data.sum(1, keepdims=True), epochs=2, verbose=0)
""",
    "tensorflow 2": TF2
    + """\
for i in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ W + b - y) ** 2)
    for variable, grad in zip([W, b], tape.gradient(loss, [W, b])):
        variable.assign_sub(0.01 * grad)
""",
}

NOTES = {
    "(8,) against (8, 1)": (
        TORCH
        + """\
w = torch.zeros(2, requires_grad=True)
for i in range(3):
    pred = X @ w
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
""",
        "[8] against [8, 1]",
        10,
        "64 instead of 8",
    ),
    "in a loss function": (
        TORCH
        + """\
w = torch.zeros(2, requires_grad=True)
for i in range(3):
    loss = F.mse_loss(X @ w, y)
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
""",
        "[8] against [8, 1]",
        9,
        "64 instead of 8",
    ),
    "in a static graph": (
        TF1
        + """\
pred = tf.reduce_sum(tf.matmul(x, W1), axis=1)
loss = tf.reduce_mean(tf.square(pred - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run([train, pred], feed)
""",
        "[2] against [2, 1]",
        9,
        "4 instead of 2",
    ),
    "gradients pile up": (
        TORCH
        + """\
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(4):
    loss = F.mse_loss(model(X), y)
    loss.backward()
    opt.step()
""",
        "piles up",
        11,
        "never cleared",
    ),
    "too large a step": (
        TORCH
        + """\
w = torch.zeros(2, 1, requires_grad=True)
opt = torch.optim.SGD([w], lr=30.0)
for i in range(6):
    loss = F.mse_loss(X @ w, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        "diverges",
        10,
        "each step goes too far",
    ),
}
