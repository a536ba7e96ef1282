import torch

w = torch.tensor(0.5)
lengths = [1, 2, 20, 1, 3]

states = []
for length in lengths:
    state = torch.zeros(1)
    for t in range(length):
        state = torch.tanh(w * state + 1.0)
    states.append(state)
print("cells:", sum(lengths))
