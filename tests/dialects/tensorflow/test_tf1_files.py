"""Checkpoints, ``tf.gfile``, flags and logging of 1.x."""

from __future__ import annotations

import pytest

from engine.recording.inprocess import record


def run(source: str, *argv: str) -> list[str]:
    trace = record(
        "# stepgraph: tf1\nimport os\nimport numpy as np\nimport tensorflow as tf\n" + source,
        "m.py",
        argv=argv,
        files={},
    )
    assert trace["end"]["kind"] in ("ok", "exit"), trace["end"]["error"]
    return str(trace["stdout"]).splitlines()


TRAINED = """
w = tf.get_variable("layer/w", initializer=np.float32([[1, 2], [3, 4]]))
b = tf.Variable(tf.random_normal([2]), name="b")
step = tf.Variable(0, trainable=False, name="step")
train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w * b), global_step=step)
saver = tf.train.Saver(max_to_keep=2)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    sess.run(train)
    path = saver.save(sess, "/tmp/run/model" if os.path.isdir("/tmp/run") else "./model", global_step=step)
kept = sess.run([w, b])
"""


def test_checkpoints_by_step_and_folder() -> None:
    source = """
print(path, sorted(os.listdir()))
print(open("checkpoint").read())
print(tf.train.latest_checkpoint("."), tf.train.latest_checkpoint("/tmp"))
print(tf.train.list_variables(path))
"""
    assert run(TRAINED + source) == [
        "./model-3 ['checkpoint', 'm.py', 'model-2.data-00000-of-00001', 'model-2.index', 'model-2.meta', "
        "'model-3.data-00000-of-00001', 'model-3.index', 'model-3.meta']",
        'model_checkpoint_path: "model-3"',
        'all_model_checkpoint_paths: "model-2"',
        'all_model_checkpoint_paths: "model-3"',
        "",
        "./model-3 None",
        "[('b', [2]), ('b/Momentum', [2]), ('layer/w', [2, 2]), ('layer/w/Momentum', [2, 2]), ('step', [])]",
    ]


def test_a_whole_graph_comes_back_and_trains_on() -> None:
    source = """
names = [op.name for op in tf.get_default_graph().get_operations()]
again = sess.run([train, w])[1]
tf.reset_default_graph()
loaded = tf.train.import_meta_graph("model-3.meta")
graph = tf.get_default_graph()
print([op.name for op in graph.get_operations()] == names, [v.name for v in tf.trainable_variables()])
with tf.Session() as fresh:
    loaded.restore(fresh, "./model-3")
    print(np.array_equal(fresh.run("layer/w:0"), kept[0]), fresh.run("step:0"))
    fresh.run("Momentum")
    print(np.array_equal(fresh.run("layer/w:0"), sess.run(w)), fresh.run("step:0"))
    with tf.variable_scope("layer", reuse=True):
        print(tf.get_variable("w") is tf.global_variables()[0])
    fresh.run(tf.global_variables_initializer())
    print(fresh.run("b:0").shape)
"""
    assert run(TRAINED + source) == [
        "True ['layer/w:0', 'b:0']", "True 3", "True 4", "True", "(2,)",
    ]  # fmt: skip


def test_what_does_not_fit_is_said_and_changes_nothing() -> None:
    source = """
def attempt(function, *args):
    try:
        function(*args)
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[-2 if "Key" in str(error) else -1])
with tf.Graph().as_default(), tf.Session() as other:
    w = tf.get_variable("layer/w", [2, 2], initializer=tf.ones_initializer())
    x = tf.get_variable("x", [1])
    y = tf.get_variable("y", [5], initializer=tf.zeros_initializer())
    other.run(tf.global_variables_initializer())
    attempt(tf.train.Saver().restore, other, path)
    attempt(tf.train.Saver({"layer/w": w, "b": y}).restore, other, path)
    print(other.run(w).tolist())
    attempt(tf.train.Saver().restore, other, "nowhere")
    attempt(tf.train.Saver().restore, other, None)
    attempt(tf.train.Saver().save, other, "no/such/place")
    attempt(tf.train.import_meta_graph, "nothing.meta")
    attempt(tf.train.import_meta_graph, "model-3.meta")
with tf.Graph().as_default():
    attempt(tf.train.Saver)
    a = tf.Variable(1.0)
    with tf.Session() as s:
        attempt(tf.train.Saver().save, s, "unset")
open("broken.index", "w").write("{}x")
attempt(tf.train.NewCheckpointReader, "broken")
"""
    assert run(TRAINED + source) == [
        "NotFoundError Key x not found in checkpoint",
        "InvalidArgumentError Assign requires shapes of both tensors to match. lhs shape= [5] rhs shape= [2]",
        "[[1.0, 1.0], [1.0, 1.0]]",
        "ValueError The passed save_path is not a valid checkpoint: nowhere",
        "ValueError Can't load save_path when it is None.",
        "ValueError Parent directory of no/such/place doesn't exist, can't save.",
        "OSError File does not exist. Received: nothing.meta.",
        "ValueError At least two variables have the same name: layer/w",
        "ValueError No variables to save",
        "FailedPreconditionError \t [[{{node Variable/read}}]]",
        "DataLossError broken is no checkpoint of this teaching engine, which reads those that it has written",
    ]


def test_gfile() -> None:
    source = """
tf.gfile.MakeDirs("a/b")
with tf.gfile.GFile("a/b/x.txt", "w") as f:
    f.write("one\\ntwo\\n")
print(tf.gfile.Exists("a/b/x.txt"), tf.gfile.IsDirectory("a"), tf.gfile.ListDirectory("a"), tf.gfile.Glob("a/*/*"))
print(list(tf.gfile.FastGFile("a/b/x.txt", "rb")), tf.gfile.Open("a/b/x.txt").size(),
      tf.io.gfile.stat("a/b/x.txt").length)
tf.gfile.Copy("a/b/x.txt", "y.txt")
tf.gfile.Rename("y.txt", "z.txt")
print(tf.io.gfile.exists("y.txt"), tf.gfile.GFile("z.txt").readline())
for act in (lambda: tf.gfile.GFile("none").read(), lambda: tf.gfile.Remove("none"), lambda: tf.gfile.MkDir("a"),
            lambda: tf.gfile.Copy("z.txt", "a/b/x.txt"), lambda: tf.gfile.ListDirectory("none")):
    try:
        act()
    except tf.errors.OpError as error:
        print(type(error).__name__, error)
tf.gfile.DeleteRecursively("a")
print(tf.gfile.Exists("a"))
"""
    assert run(source) == [
        "True True ['b'] ['a/b/x.txt']",
        "[b'one\\n', b'two\\n'] 8 8",
        "False one",
        "",
        "NotFoundError none; No such file or directory",
        "NotFoundError none; No such file or directory",
        "AlreadyExistsError a; File exists",
        "AlreadyExistsError file already exists",
        "NotFoundError Could not find directory none",
        "False",
    ]


FLAGS = """
tf.app.flags.DEFINE_integer("steps", 3, "how many")
tf.flags.DEFINE_boolean("fast", False, "")
tf.flags.DEFINE_float("rate", 0.5, "")
tf.flags.DEFINE_string("dir", "/tmp/x", "")
FLAGS = tf.app.flags.FLAGS
def main(rest):
    print(FLAGS.steps, FLAGS.fast, FLAGS.rate, FLAGS.dir, rest)
    tf.logging.info("not shown")
    tf.logging.warning("shown %d", 3)
    return 4
if __name__ == "__main__":
    tf.app.run()
"""


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ((), "3 False 0.5 /tmp/x ['m.py']"),
        (("--steps=5", "--fast", "word", "--other=1"), "5 True 0.5 /tmp/x ['m.py', 'word', '--other=1']"),
        (("--rate", "2", "--nofast", "-dir=y"), "3 False 2.0 y ['m.py']"),
    ],
)
def test_flags_and_logging(argv: tuple[str, ...], expected: str) -> None:
    found = run(FLAGS, *argv)
    assert found[0] == expected
    assert found[1:] == ["WARNING:tensorflow:shown 3"]
