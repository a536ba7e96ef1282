import tensorflow as tf

@tf.function
def area(width, height):
    return width * height

total = 0.0
for width in range(1, 7):
    total += float(area(tf.ones([width]), tf.constant(2.0))[0]) * width
print(total)
