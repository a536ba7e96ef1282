# ends: error RuntimeError
import torch

W1 = torch.ones(2, 3)
W2 = torch.ones(2, 1)

def model(x):
    h = torch.relu(x @ W1)
    return h @ W2

for x in [torch.ones(4, 2), torch.ones(1, 2)]:
    print("batch of", len(x))
    y = model(x)
    print(y.sum())
