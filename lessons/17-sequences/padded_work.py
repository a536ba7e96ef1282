import torch

w = torch.tensor(0.5)
lengths = [1, 2, 20, 1, 3]

state = torch.zeros(len(lengths))
for t in range(max(lengths)):
    state = torch.tanh(w * state + 1.0)
print("cells:", max(lengths) * len(lengths))
