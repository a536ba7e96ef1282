import tensorflow as tf
x = tf.placeholder(tf.float32, [2, 2], name='x'); y = tf.placeholder(tf.int32); z = tf.placeholder(tf.float64, [None, 3]); b = tf.placeholder(tf.bool, [])
t = tf.placeholder(tf.string, [None]); u = tf.placeholder(tf.int64, [None, None])
w = x + 1.0
def attempt(f):
    try: print(f())
    except tf.errors.InvalidArgumentError as e:
        print(type(e).__name__, '|', [l.strip() for l in e.message.split('\n') if 'You must feed' in l][0], '|', e.op.name if e.op else None, e.error_code)
with tf.Session() as s:
    for q in (w, y, z, b, t, u): attempt(lambda: s.run(tf.identity(q)))
    attempt(lambda: s.run([x, y]))
    attempt(lambda: s.run(w, {y: 1}))
    print(s.run(tf.constant(1)))
    attempt(lambda: w.eval())
    try: s.run(tf.cond(b, lambda: 1, lambda: 2))
    except tf.errors.InvalidArgumentError as e: print([l for l in e.message.split('\n') if 'You must feed' in l][0].strip())
    attempt(lambda: s.run(tf.Print(w, [w])))
