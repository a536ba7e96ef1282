import torch

torch.manual_seed(0)
X = torch.linspace(-1.0, 1.0, 8).reshape(8, 1)
Y = 2.0 * X + 1.0

model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
target = Y.squeeze()

for step in range(20):
    loss = ((model(X) - target) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
