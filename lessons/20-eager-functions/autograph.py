import tensorflow as tf

@tf.function
def halve(x):
    count = 0
    while x > 1.0:
        x = x / 2.0
        count += 1
    return count

print(halve(tf.constant(8.0)).numpy())
print(halve(tf.constant(100.0)).numpy())
