import torch

torch.manual_seed(5)
print(torch.rand(3), torch.randn(3), torch.randn(2), torch.randn(16)[:4], torch.randn(21)[-5:])
print(torch.randint(0, 100, (6,)), torch.randint(5, (3,)), torch.randperm(10))
print(torch.rand(2, dtype=torch.float64), torch.randn(3, dtype=torch.float64))
print(torch.normal(2.0, 0.5, (3,)), torch.empty(4).uniform_(-1, 1), torch.empty(3).normal_(1, 2))
print(torch.bernoulli(torch.tensor([0.2, 0.5, 0.9])))
g = torch.Generator().manual_seed(9)
print(torch.rand(2, generator=g), torch.randperm(4, generator=g), g.initial_seed())
print(torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 4, replacement=True))
torch.manual_seed(5)
print(torch.rand(3))
print(torch.nn.Linear(3, 2).weight)
