"""TensorFlow Fold: values equal plain recursion, calls of one function at one depth run as one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.recording.inprocess import record
from engine.trace.reading import table


@pytest.fixture
def td(serving: Any) -> Any:
    with serving("tf1"):
        import tensorflow_fold  # type: ignore[import-not-found]

        yield tensorflow_fold


@pytest.fixture
def tf(td: Any) -> Any:
    import tensorflow  # type: ignore[import-not-found]

    return tensorflow


@pytest.mark.parametrize(
    ("block", "example", "expected"),
    [
        ("td.Scalar()", 3, 3.0),
        ("td.Vector(3)", [1, 2, 3], [1.0, 2.0, 3.0]),
        ("td.OneHot(4)", 2, [0.0, 0.0, 1.0, 0.0]),
        ("td.OneHot(3, 6)", 4, [0.0, 1.0, 0.0]),
        ("td.OneHotFromList(['a', 'b'])", "b", [0.0, 1.0]),
        ("td.Map(td.Scalar())", [1, 2], [1.0, 2.0]),
        ("td.Map(td.Scalar()) >> td.Sum()", [1, 2, 3, 4, 5], 15.0),
        ("td.Map(td.Scalar()) >> td.Max()", [1, 5, 3], 5.0),
        ("td.Map(td.Scalar()) >> td.Mean()", [1, 5, 3], 3.0),
        ("td.Map(td.Scalar()) >> td.Sum()", [], 0.0),
        ("td.Map(td.Scalar()) >> td.Fold(td.Function(tf.subtract), td.FromTensor(tf.ones([])))", [1, 2], -2.0),
        ("td.Map(td.Scalar()) >> td.Reduce(td.Function(tf.multiply))", [2, 3, 4], 24.0),
        ("td.Map(td.Scalar()) >> td.NGrams(2) >> td.Map(td.Function(tf.subtract))", [5, 3, 4], [2.0, -1.0]),
        ("td.Record({'a': td.Scalar(), 'b': td.Vector(2)})", {"a": 1, "b": [2, 3]}, (1.0, [2.0, 3.0])),
        ("td.AllOf(td.Scalar(), td.Scalar()) >> td.Function(tf.add)", 4, 8.0),
        ("td.AllOf(td.Scalar() >> td.Function(lambda x: x[:, None]), td.Vector(1)) >> td.Concat()", [7], None),
        ("td.GetItem('v') >> td.Scalar() >> td.Function(tf.negative)", {"v": 5}, -5.0),
        ("td.InputTransform(len) >> td.Scalar()", "abc", 3.0),
        ("td.OneOf(lambda x: x > 0, {True: td.Scalar(), False: td.Scalar() >> td.Function(tf.abs)})", -2, 2.0),
        ("td.Optional(td.Scalar())", None, 0.0),
        ("td.Map(td.Scalar()) >> td.Length()", [4, 4, 4], 3.0),
    ],
)
def test_blocks(td: Any, tf: Any, block: str, example: Any, expected: Any) -> None:
    if expected is None:
        with pytest.raises(TypeError):
            eval(block).eval(example)
    else:
        assert eval(block).eval(example, tolist=True) == expected


def test_a_batch_of_trees_equals_plain_recursion_and_trains(td: Any, tf: Any) -> None:
    vector = td.ForwardDeclaration(td.PyObjectType(), td.TensorType([4]))
    word = td.Scalar("int32") >> td.Embedding(10, 4, name="words")
    pair = td.AllOf(td.GetItem(0) >> vector(), td.GetItem(1) >> vector())
    tree = pair >> td.Concat() >> td.FC(4, activation=tf.nn.tanh, name="pair")
    vector.resolve_to(td.OneOf(lambda x: isinstance(x, tuple), {True: tree, False: word}))
    compiler = td.Compiler.create(td.Record([("tree", vector()), ("wanted", td.Scalar())]))
    found, wanted = compiler.output_tensors
    loss = tf.reduce_mean(tf.square(tf.reduce_sum(found, 1) - wanted))
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    examples: list[dict[str, Any]] = [
        {"tree": ((1, 2), (3, 4)), "wanted": 1.0},
        {"tree": 5, "wanted": -1.0},
        {"tree": ((1, (2, (3, 4))), 5), "wanted": 0.5},
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feeds = compiler.build_feed_dict(examples)
        before = session.run(loss, feeds)
        for _ in range(40):
            session.run(step, feeds)
        assert session.run(loss, feeds) < before / 4
        weights, bias, words = (session.run(name + ":0") for name in ("pair/weights", "pair/bias", "words/weights"))

        def recursive(node: Any) -> Any:
            if not isinstance(node, tuple):
                return words[node]
            return np.tanh(np.concatenate([recursive(node[0]), recursive(node[1])]) @ weights + bias)

        expected = [recursive(example["tree"]) for example in examples]
        np.testing.assert_allclose(session.run(found, feeds), expected, rtol=1e-4, atol=1e-5)


def test_a_recording_shows_the_groups_by_depth() -> None:
    trace = record(
        "import tensorflow as tf\nimport tensorflow_fold as td\n"
        "expr = td.ForwardDeclaration(td.PyObjectType(), td.TensorType([]))\n"
        "plus = td.AllOf(td.GetItem(0) >> expr(), td.GetItem(1) >> expr()) >> td.Function(tf.add, name='plus')\n"
        "expr.resolve_to(td.OneOf(lambda x: isinstance(x, tuple), {True: plus, False: td.Scalar()}))\n"
        "c = td.Compiler.create(expr())\n"
        "feeds = c.build_feed_dict([((1, 2), 3), (4, 5), 6, ((7, 8), (9, 10))])\n"
        "with tf.Session() as s:\n    print(s.run(c.output_tensors[0], feeds))\n"
    )
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert trace["stdout"] == "[ 6.  9.  6. 34.]\n"
    groups = [(row["depth"], trace["strings"][row["function"]], row["rows"]) for row in table(trace, "events.batched")]
    assert groups == [(1, "plus", 4), (2, "plus", 2)]


@pytest.mark.parametrize(
    ("lines", "kind", "message"),
    [
        (
            "td.Compiler.create(td.ForwardDeclaration(td.PyObjectType(), 3, name='z')())",
            ValueError,
            r"^Forward declaration z was never resolved\.$",
        ),
        (
            "c = td.Composition()\nx, z = td.Function(tf.abs), td.Function(tf.abs)\n"
            "with c.scope():\n    x.reads(z)\n    z.reads(x)",
            ValueError,
            r"^Composition cannot have cycles\.$",
        ),
        ("td.Scalar().eval([1, 2])", TypeError, "expected a tensor of shape"),
        ("td.Compiler.create(td.Map(td.Scalar()))", TypeError, "root block output must be tensors"),
        ("td.OneHot(3).eval(5)", ValueError, "value out of range: 5"),
    ],
)
def test_mistakes(td: Any, tf: Any, lines: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        exec(lines, {"td": td, "tf": tf})


def test_a_composition_and_a_network_along_a_sequence(td: Any, tf: Any) -> None:
    both = td.Composition()
    with both.scope():
        minus = td.Function(tf.negative).reads(both.input)
        both.output.reads(td.Function(tf.add).reads(minus, both.input))
    assert (td.Scalar() >> both).eval(3) == 0.0
    cell = td.ScopedLayer(tf.contrib.rnn.BasicLSTMCell(3), "lstm")
    compiler = td.Compiler.create(td.Map(td.Vector(2)) >> td.RNN(cell) >> td.Nth(1))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feeds = compiler.build_feed_dict([[[1, 2], [3, 4]], [[1, 2]], []])
        c, h = session.run(compiler.output_tensors, feeds)
        assert (c.shape, h.shape) == ((3, 3), (3, 3))

        assert not h[2].any()
