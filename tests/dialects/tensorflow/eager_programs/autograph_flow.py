# Control flow on tensors: loops, jumps, decisions, arrays, datasets
import tensorflow as tf
@tf.function
def f(x):
    total = tf.constant(0)
    for i in tf.range(10):
        if i == 7:
            break
        if i % 2 == 0:
            continue
        total += i * x
    return total
print(f(tf.constant(2)))
@tf.function
def logic(a, b):
    if a > 0 and b > 0:
        r = 'both'
    elif a > 0 or b > 0:
        r = 'one'
    elif not a < 0:
        r = 'zero'
    else:
        r = 'none'
    return r
for a, b in ((1, 1), (1, -1), (0, -1), (-1, -1)):
    print(logic(tf.constant(a), tf.constant(b)).numpy())
@tf.function
def ta(n):
    arr = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(n):
        arr = arr.write(i, tf.cast(i, tf.float32) ** 2)
    return arr.stack()
print(ta(tf.constant(5)))
@tf.function
def rows(x):
    s = tf.zeros([2])
    for row in x:
        s = s + row
    return s
print(rows(tf.constant([[1.0, 2.0], [3.0, 4.0]])))
@tf.function
def unroll(n):
    xs = []
    for i in range(3):
        print('py', i)
        xs.append(n + i)
    return tf.stack(xs)
print(unroll(tf.constant(10)))
@tf.function
def wh(x):
    n = 0
    while tf.reduce_sum(x) > 1:
        x = x / 2
        n += 1
    return n, x
print(wh(tf.constant([4.0, 4.0])))
@tf.function
def cond(x):
    return tf.cond(x > 0, lambda: x + 1, lambda: x - 1)
print(cond(tf.constant(3)), cond(tf.constant(-3)))
@tf.function
def wl(n):
    i, s = tf.while_loop(lambda i, s: i < n, lambda i, s: [i + 1, s + i], [tf.constant(0), tf.constant(0)])
    return s
print(wl(tf.constant(5)))
print(tf.while_loop(lambda i: i < 10, lambda i: [i + 3], [tf.constant(0)]))
print(tf.cond(tf.constant(True), lambda: 1, lambda: 2))
def helper(x):
    if x > 0:
        return x * 2
    return x * 3
@tf.function
def callsh(x):
    return helper(x) + helper(-x)
print(callsh(tf.constant(2)))
@tf.function
def nested(n):
    c = 0
    for i in tf.range(n):
        for j in tf.range(i):
            c += j
    return c
print(nested(tf.constant(5)))
@tf.function
def ds(d):
    s = tf.constant(0, tf.int64)
    for x in d:
        s += x
    return s
print(ds(tf.data.Dataset.range(5)))
@tf.function
def tern(x):
    return 1.0 if tf.reduce_all(x > 0) else -1.0
print(tern(tf.constant([1, 2])), tern(tf.constant([1, -2])))
@tf.function
def chain(x):
    if 0 < x < 10:
        return 'digit'
    return 'no'
print(chain(tf.constant(3)).numpy(), chain(tf.constant(30)).numpy())
@tf.function
def ln(x):
    return len(x), x.shape[0]
print(ln(tf.constant([1, 2, 3])))
@tf.function
def lists(n):
    l = []
    for i in range(n):
        l.append(tf.constant(i))
    d = {'a': l[0]}
    d['b'] = l[-1]
    return d
print(lists(3))
f2 = tf.function(lambda x: x + 1)
print(f2(tf.constant(1)))
@tf.function
def opt(x, training=False):
    if training:
        x = x * 10
    return x
print(opt(tf.constant(1)), opt(tf.constant(1), training=True))
