# prints=mean.2.0
import numpy as np
from helper import double
data = np.loadtxt("numbers.csv", delimiter=",", skiprows=1)
print("mean", data[:, 1].mean(), double(4))
