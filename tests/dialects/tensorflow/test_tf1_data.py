"""``tf.data`` of 1.x: elements, structures, ends, starts."""

from __future__ import annotations

import pytest

from engine.recording.inprocess import record


def run(source: str) -> str:
    trace = record("# stepgraph: tf1\nimport numpy as np\nimport tensorflow as tf\n" + source, "main.py", files={})
    assert trace["end"]["kind"] == "ok", trace["end"]["error"]
    return str(trace["stdout"])


ALL = """
def everything(dataset, sess=None):
    found, following = [], dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        while True:
            try:
                found.append(sess.run(following))
            except tf.errors.OutOfRangeError:
                return found
D = tf.data.Dataset
"""


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("D.range(5)", "[0, 1, 2, 3, 4]"),
        ("D.range(2, 11, 3)", "[2, 5, 8]"),
        ("D.range(5).map(lambda x: x * x).filter(lambda x: x > 1)", "[4, 9, 16]"),
        ("D.range(5).batch(2).map(tf.reduce_sum)", "[1, 5, 4]"),
        ("D.range(5).batch(2, drop_remainder=True).map(tf.reduce_sum)", "[1, 5]"),
        ("D.range(2).repeat(3).skip(1).take(4)", "[1, 0, 1, 0]"),
        ("D.range(2).concatenate(D.range(7, 9))", "[0, 1, 7, 8]"),
        ("D.range(3).flat_map(lambda n: D.range(n))", "[0, 0, 1]"),
        ("D.range(0).repeat()", "[]"),
        ("D.range(4).shuffle(1, seed=3)", "[0, 1, 2, 3]"),
        ("D.range(3).take(-1).cache().prefetch(2)", "[0, 1, 2]"),
        ("D.from_generator(lambda: iter([3, 4]), tf.int64, [])", "[3, 4]"),
    ],
)
def test_elements(dataset: str, expected: str) -> None:
    assert run(f"{ALL}\nprint([int(x) for x in everything({dataset})])") == expected + "\n"


def test_structures() -> None:
    source = """
d = D.from_tensor_slices({"x": np.arange(4.0), "y": ([b"a", b"b", b"c", b"d"], [1, 2, 3, 4])})
print(d.output_types, d.output_shapes)
def f(e):
    return e["x"] * 2, e["y"][1]
for row in everything(d.map(f).batch(3)):
    print(row)
print([int(n) for n, _ in everything(D.range(5, 7).enumerate(10))])
print([tuple(map(int, row)) for row in everything(D.zip((D.range(3), D.range(9))))])
p = D.range(1, 4).map(lambda n: tf.fill([2], n)).padded_batch(2, padded_shapes=[4])
print(p.output_shapes, everything(p)[0].tolist())
"""
    assert run(ALL + source).splitlines() == [
        "{'x': tf.float64, 'y': (tf.string, tf.int32)} {'x': TensorShape([]), 'y': (TensorShape([]), TensorShape([]))}",
        "(array([0., 2., 4.]), array([1, 2, 3], dtype=int32))",
        "(array([6.]), array([4], dtype=int32))",
        "[10, 11]",
        "[(0, 0), (1, 1), (2, 2)]",
        "(?, 4) [[1, 1, 0, 0], [2, 2, 0, 0]]",
    ]


def test_starts_and_ends() -> None:
    source = """
limit = tf.placeholder(tf.int64, [])
it = tf.data.Dataset.range(limit).make_initializable_iterator()
n = it.get_next()
y = n + 10
with tf.Session() as a, tf.Session() as b:
    try:
        a.run(n)
    except tf.errors.FailedPreconditionError as error:
        print(error.message.splitlines())
    a.run(it.initializer, {limit: 3})
    b.run(it.initializer, {limit: 9})
    print(a.run([n, y]), a.run(y), a.run(y, {n: 100}), a.run(n), b.run(n))
    try:
        a.run(y)
    except tf.errors.OutOfRangeError as error:
        print(error)
    print(b.run(tf.cond(tf.constant(True), lambda: n, lambda: n)))
"""
    assert run(source).splitlines() == [
        "['GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer "
        "operation for this iterator before getting the next element.', '\\t [[{{node IteratorGetNext}}]]']",
        "[np.int64(0), np.int64(10)] 11 110 2 0",
        "End of sequence",
        "\t [[{{node IteratorGetNext}}]]",
        "1",
    ]


def test_a_seeded_shuffle_is_the_same_in_every_session_and_reshuffles() -> None:
    source = """
d = tf.data.Dataset.range(20).shuffle(8, seed=5).batch(20).repeat(2)
n = d.make_one_shot_iterator().get_next()
rows = []
for _ in range(2):
    with tf.Session() as sess:
        rows.append([sess.run(n).tolist(), sess.run(n).tolist()])
print(rows[0] == rows[1], rows[0][0] != rows[0][1], sorted(rows[0][1]) == list(range(20)), rows[0][0][0] < 8)
"""
    assert run(source) == "True True True True\n"


def test_mismatches_are_refused() -> None:
    source = """
it = tf.data.Iterator.from_structure(tf.float32, tf.TensorShape([2]))
for make in (lambda: it.make_initializer(tf.data.Dataset.range(3)),
             lambda: tf.data.Dataset.from_tensor_slices((np.zeros(3), np.zeros(4))),
             lambda: tf.data.Dataset.from_tensor_slices(3.0),
             lambda: it.initializer):
    try:
        make()
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""
    assert run(source).split() == ["TypeError", "ValueError", "ValueError", "ValueError"]
