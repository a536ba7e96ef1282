# pictures=1 prints=<Figure
import matplotlib.pyplot as plt
from IPython.display import display, clear_output
fig = plt.figure()
plt.plot([1, 2, 4])
clear_output(wait=True)
display(fig)
