import tensorflow as tf

@tf.function
def double(x):
    print("tracing for", x)
    return x * 2

double(tf.constant(1.0))
double(tf.constant(5.0))
double(tf.constant([1.0, 2.0]))
double(3)
double(4)
