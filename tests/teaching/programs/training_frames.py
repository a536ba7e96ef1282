# pictures=6
import torch
import matplotlib.pyplot as plt
torch.manual_seed(0)
x = torch.linspace(-1, 1, 40).unsqueeze(1)
y = x ** 3
net = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
plt.ion()
for step in range(10):
    loss = torch.nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 0:
        plt.cla()
        plt.scatter(x.numpy(), y.numpy())
        plt.plot(x.numpy(), net(x).detach().numpy(), "r-")
        plt.title(f"loss {loss.item():.3f}")
        plt.pause(0.05)
plt.ioff()
plt.show()
