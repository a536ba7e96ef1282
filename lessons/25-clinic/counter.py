import tensorflow as tf

calls = 0

@tf.function
def step(x):
    global calls
    calls += 1
    return x + 1.0

for k in range(5):
    step(tf.constant(float(k)))
print(calls)
