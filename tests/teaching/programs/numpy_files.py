# files=a.npy,b.npz,c.txt prints=True
import numpy as np
a = np.arange(6).reshape(2, 3)
np.save("a.npy", a)
np.savez("b.npz", a=a, b=a + 1)
np.savetxt("c.txt", a, fmt="%d")
print((np.load("a.npy") == np.load("b.npz")["a"]).all() and (np.loadtxt("c.txt") == a).all())
