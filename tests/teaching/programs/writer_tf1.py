# charts=1
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
tf.summary.scalar("double", 2 * x)
merged = tf.summary.merge_all()
with tf.Session() as session:
    writer = tf.summary.FileWriter("log", session.graph)
    for step in range(5):
        writer.add_summary(session.run(merged, {x: step}), step)
    writer.close()
