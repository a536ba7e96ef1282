"""Queues, readers and summaries of 1.x."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from engine.dialects.event_files.summary_data import HistogramProto, histogram
from engine.dialects.event_files.wire import checksum, fields, message, records
from engine.dialects.event_files.wire import record as entry
from engine.recording.inprocess import record


def run(source: str) -> list[str]:
    trace = record(
        "# stepgraph: tf1\nimport os\nimport numpy as np\nimport tensorflow as tf\n" + source, "m.py", files={}
    )
    assert trace["end"]["kind"] == "ok", trace["end"]["error"]
    return str(trace["stdout"]).splitlines()


def test_queues_hold_their_elements_in_each_session() -> None:
    source = """
q = tf.FIFOQueue(3, tf.float32, shapes=[])
x = tf.placeholder(tf.float32, [None])
fill, add, take, two = q.enqueue_many([x]), q.enqueue(7.0), q.dequeue(), q.dequeue_many(2)
y = take * 10
n, close = q.size(), q.close()
print(take, two.shape, fill.type)
def attempt(sess, what, *feed):
    try:
        print(sess.run(what, *feed))
    except tf.errors.OpError as error:
        print(type(error).__name__, error.message.splitlines()[0])
a, b = tf.Session(), tf.Session()
a.run(fill, {x: [1, 2]})
a.run(add)
print(a.run(n), b.run(n), a.run([take, y]), a.run(two), a.run(n))
attempt(a, take)
attempt(a, fill, {x: [1, 2, 3, 4]})
a.run(add)
a.run(close)
attempt(a, add)
attempt(a, two)
attempt(a, take)
attempt(a, take)
"""
    assert run(source) == [
        'Tensor("fifo_queue_Dequeue:0", shape=(), dtype=float32) (2,) QueueEnqueueManyV2',
        "3 0 [np.float32(1.0), np.float32(10.0)] [2. 7.] 0",
        "DeadlineExceededError queue 'fifo_queue' has 0 of the 1 elements that are asked for, and nothing fills it: "
        "TensorFlow would wait here for ever",
        "DeadlineExceededError queue 'fifo_queue' is full (3): TensorFlow would wait here until something is taken "
        "from it",
        "CancelledError FIFOQueue 'fifo_queue' is closed.",
        "OutOfRangeError FIFOQueue '_0_fifo_queue' is closed and has insufficient elements (requested 2, current size "
        "1)",
        "7.0",
        "OutOfRangeError FIFOQueue '_0_fifo_queue' is closed and has insufficient elements (requested 1, current size "
        "0)",
    ]


def test_runners_fill_a_queue_when_something_is_taken() -> None:
    source = """
count = tf.Variable(0.0)
q = tf.FIFOQueue(10, [tf.float32])
tf.train.add_queue_runner(tf.train.QueueRunner(q, [q.enqueue(tf.assign_add(count, 1.0))] * 2))
out = q.dequeue()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coord)
    with coord.stop_on_exception():
        while not coord.should_stop():
            print(sess.run(out), sess.run(count))
            if sess.run(count) > 3:
                coord.request_stop()
    coord.request_stop(ValueError("lost"))
    coord.join(threads)
    coord.clear_stop()
    coord.request_stop(ValueError("kept"))
    try:
        coord.join(threads)
    except ValueError as error:
        print(error)
"""
    assert run(source) == ["1.0 2.0", "2.0 2.0", "3.0 4.0", "kept"]


def test_files_lines_columns_batches_and_epochs() -> None:
    source = """
for name in "ab":
    with open(name + ".csv", "w") as f:
        f.write("x,n,s\\n" + "".join(f"{i}.5,{i},{name}{i}\\n" for i in range(3)) + ",7,last\\n")
names = tf.train.string_input_producer(["a.csv", "b.csv"], shuffle=False, num_epochs=1)
key, line = tf.TextLineReader(skip_header_lines=1).read(names)
x, n, s = tf.decode_csv(line, [[-1.0], [0], [""]])
xs, ns, ss = tf.train.batch([x, n, s], 3, allow_smaller_final_batch=True)
images, labels = tf.train.slice_input_producer([tf.constant([[1, 2], [3, 4]]), tf.constant([5, 6])], shuffle=False)
both = tf.train.batch({"i": images, "l": labels}, 3)
mixed = tf.train.shuffle_batch([labels], 4, 10, 3, seed=1)
print(xs.shape, ns.dtype, both["i"].shape, x, n.name, mixed.shape)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    tf.train.start_queue_runners(sess)
    try:
        while True:
            print(*[value.tolist() for value in sess.run([xs, ns, ss])])
    except tf.errors.OutOfRangeError as error:
        print(error.message.splitlines()[0])
    found = sess.run(both)
    print(found["i"].tolist(), found["l"].tolist(), sorted(set(sess.run(mixed).tolist())))
with tf.Session() as sess:
    print(sess.run([key, line, n]))
    for text in (b"1,2", b"x,2,3", b"1.5,,q"):
        try:
            print(sess.run([x, n, s], {line: text}))
        except tf.errors.InvalidArgumentError as error:
            print(error.message.splitlines()[0].split("failed: ")[-1])
"""
    assert run(source) == [
        "(?,) <dtype: 'int32'> (3, 2) Tensor(\"DecodeCSV:0\", shape=(), dtype=float32) DecodeCSV:1 (4,)",
        "[0.5, 1.5, 2.5] [0, 1, 2] [b'a0', b'a1', b'a2']",
        "[-1.0, 0.5, 1.5] [7, 0, 1] [b'last', b'b0', b'b1']",
        "[2.5, -1.0] [2, 7] [b'b2', b'last']",
        "FIFOQueue '_1_batch/fifo_queue' is closed and has insufficient elements (requested 3, current size 0)",
        "[[1, 2], [3, 4], [1, 2]] [5, 6, 5] [5, 6]",
        "[b'a.csv:2', b'0.5,0,a0', np.int32(0)]",
        "Expect 3 fields but have 2 in record 0",
        "Field 0 in record 0 is not a valid float32: x",
        "[np.float32(1.5), np.int32(0), b'q']",
    ]


def test_summaries_run_with_the_step_and_stay_in_event_files() -> None:
    source = """
x = tf.placeholder(tf.float32, [None])
noise = tf.random_uniform([], seed=1)
with tf.name_scope("train"):
    s = tf.summary.scalar("loss", tf.reduce_sum(x) + noise)
h = tf.summary.histogram("some values", x)
m = tf.summary.merge_all()
print(s.op.type, s.name, h.name, m.dtype, [t.name for t in s.op.inputs][:1], tf.summary.merge_all("none"))
with tf.Session() as sess, tf.summary.FileWriter("logs", sess.graph) as w:
    for i in range(2):
        text, drawn = sess.run([m, noise], {x: [1, 2, i]})
        w.add_summary(text, i)
        print(abs(tf.Summary.FromString(text).value[0].simple_value - 3 - i - drawn) < 1e-6)
    w.add_summary(tf.Summary(value=[tf.Summary.Value(tag="mine", simple_value=0.5)]), global_step=7)
    try:
        w.add_summary(drawn)
    except TypeError as error:
        print(error)
events = list(tf.train.summary_iterator(os.path.join("logs", os.listdir("logs")[0])))
print(events[0].file_version,
      [(e.step, [(v.tag, v.WhichOneof("value"), v.histo.sum) for v in e.summary.value]) for e in events[2:]])
try:
    tf.summary.scalar("vector", x)
except ValueError as error:
    print("ValueError")
"""
    assert run(source) == [
        "ScalarSummary train/loss:0 some_values:0 <dtype: 'string'> ['train/loss/tags:0'] None",
        "True",
        "True",
        "add_summary wants what a summary op gave in a run, not float32",
        "brain.Event:2 [(1, [('train/loss', 'simple_value', 0.0), ('some_values', 'histo', 4.0)]), (7, [('mine', "
        "'simple_value', 0.0)])]",
        "ValueError",
    ]


def test_wire_formats() -> None:
    assert checksum(b"123456789") == ((0xE3069283 >> 15 | 0xE3069283 << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert list(records(entry(b"a") + entry(b""))) == [b"a", b""]
    assert dict(fields(message([(1, -1)])))[1] == 2**64 - 1
    damaged = bytearray(entry(b"abc"))
    damaged[13] ^= 1
    with pytest.raises(ValueError, match="truncated record"):
        list(records(bytes(damaged)))
    for broken in (b"\x0a\x05ab", b"\xff" * 12, b"\x0b", b"\x0d\0"):
        with pytest.raises((ValueError, struct.error)):
            list(fields(broken))


def test_histograms_count_everything() -> None:
    values = np.random.default_rng(0).normal(size=1000)
    found = HistogramProto(histogram(values))
    assert (found.num, found.min, found.max) == (1000, values.min(), values.max())
    assert sum(found.bucket) == 1000
    assert len(found.bucket) == len(found.bucket_limit)
    below = sum(n for n, limit in zip(found.bucket, found.bucket_limit, strict=True) if limit <= 0)
    assert below == (values < 0).sum()
    with pytest.raises(ValueError, match="Nan in summary histogram"):
        histogram(np.array([np.nan]))
