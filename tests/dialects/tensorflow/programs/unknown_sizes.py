import tensorflow as tf
x=tf.placeholder(tf.float32,name='x')
for f in (tf.reduce_sum,tf.reduce_mean,tf.reduce_max,tf.size,tf.rank):
    with tf.Graph().as_default() as g:
        x=tf.placeholder(tf.float32,name='x'); r=f(x); print(r)
        if f not in (tf.size,tf.rank): d=tf.gradients(r*2.0,x); print(d)
        for op in g.get_operations(): print('  ',op.name,op.type,[t.name for t in op.inputs])
        with tf.Session() as s: print(s.run(r,{x:[[1.,2.],[3.,5.]]}),)
        if f not in (tf.size,tf.rank):
            with tf.Session() as s: print(s.run(d,{x:[[1.,2.],[3.,5.]]}),)
