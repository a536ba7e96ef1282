import torch

w = torch.tensor(0.5)
lengths = torch.tensor([5, 1, 3])
batch = torch.tensor([[1.0, 1, 1, 1, 1], [1, 0, 0, 0, 0], [1, 1, 1, 0, 0]])

state = torch.zeros(3)
for t in range(5):
    new = torch.tanh(w * state + batch[:, t])
    state = torch.where(t < lengths, new, torch.zeros(3))

print([round(value, 4) for value in state.tolist()])
