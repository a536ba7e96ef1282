import tensorflow as tf

price = tf.placeholder(tf.float32, name="price")
rate = tf.Variable(0.2, name="rate")

total = price + price * rate

# Open a session, give the variable its start value, and print the total for a price of 50.
print(total)
