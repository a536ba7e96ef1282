# title: The same small model
# group: PyTorch
# note: Graph and values come together, and again with each of six calls. TensorFlow 1 has the same model.

import torch

X = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
W1 = torch.nn.Parameter(torch.tensor([[0.6, -0.4, 0.2], [0.3, 0.5, -0.7]]))
b1 = torch.nn.Parameter(torch.tensor([0.1, 0.0, 0.2]))

with torch.no_grad():
    for call in range(6):
        h = torch.relu(X @ W1 + b1)
        loss = h.mean()
print(loss)
