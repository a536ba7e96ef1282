# pictures=1 prints=30
import torch
import matplotlib.pyplot as plt
w = torch.tensor(5.0, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.5)
history = []
for _ in range(30):
    loss = (w - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
plt.plot(history)
plt.yscale("log")
plt.xlabel("step")
plt.ylabel("loss")
plt.grid(True)
plt.show()
print(len(history))
