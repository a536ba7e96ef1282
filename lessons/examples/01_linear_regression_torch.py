# title: Linear regression
# group: PyTorch
# note: Every pass of the loop builds a new graph, walks it backwards, and lets it go.

import torch

x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
y = torch.tensor([[3.1], [4.9], [7.2], [8.8]])

weight = torch.zeros(1, 1, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)

for step in range(4):
    prediction = x @ weight + bias
    error = prediction - y
    loss = (error * error).mean()
    loss.backward()
    print(f"step {step}  loss {loss.item():.4f}")
    with torch.no_grad():
        weight -= 0.05 * weight.grad
        bias -= 0.05 * bias.grad
    weight.grad = None
    bias.grad = None

print(f"y = {weight.item():.2f} x + {bias.item():.2f}")
