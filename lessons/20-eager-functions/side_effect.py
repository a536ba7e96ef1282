import tensorflow as tf

counter = 0
seen = []

@tf.function
def step(x):
    global counter
    counter += 1
    seen.append(x)
    tf.print("in the graph:", x)
    return x + 1.0

for value in (1.0, 2.0, 3.0):
    step(tf.constant(value))

print("counter", counter)
print("in the list", len(seen))
