import tensorflow as tf
import tensorflow_fold as td

word = td.Scalar("int32") >> td.Embedding(5, 8, name="words")
vector = td.ForwardDeclaration(td.PyObjectType(), td.TensorType([8]))
pair = td.AllOf(td.GetItem(0) >> vector(), td.GetItem(1) >> vector())
joint = pair >> td.Concat() >> td.FC(8, activation=tf.nn.tanh, name="pair")
vector.resolve_to(td.OneOf(lambda tree: isinstance(tree, tuple), {True: joint, False: word}))

compiler = td.Compiler.create(vector())
(encoded,) = compiler.output_tensors
score = tf.reduce_sum(encoded, axis=1)

trees = [((0, 1), (2, 3)), ((1, 2), 4), (0, (1, (2, 3))), ((3, 4), (0, 1))]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(score, compiler.build_feed_dict(trees)).shape)
