import tensorflow as tf
x=tf.placeholder(tf.float32,[None],name='x')
c=[tf.assert_positive(x), tf.assert_positive(x,message='must be'), tf.assert_equal(tf.size(x),2,message='need two'), tf.assert_less(x,10.0), tf.assert_non_negative(x), tf.assert_negative(x,message='neg')]
with tf.Session() as s:
    for o,v in zip(c,([0.0],[-1.,2.],[1.],[11.],[-1.],[3.])):
        try: s.run(o,{x:v})
        except tf.errors.InvalidArgumentError as e: print([l for l in e.message.split('\n') if 'assertion' in l])
