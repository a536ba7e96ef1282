import torch

for t in (
    torch.tensor([[1.0, 2.5], [-3.25, 1000.0]]),
    torch.tensor([1e-6, 1.0]),
    torch.tensor([float("inf"), 1.0, float("nan")]),
    torch.arange(12).reshape(3, 4),
    torch.tensor([]),
    torch.zeros(0, 2),
    torch.tensor(3),
    torch.tensor(2.0, dtype=torch.float64),
    torch.tensor([True, False]),
    torch.ones(2, 1, 3),
    torch.full((30,), 0.1),
    torch.arange(2000).reshape(40, 50),
    torch.rand(3, 3).gt(2),
    torch.tensor([1.0, 2.0]).half(),
    torch.tensor([12345678.0, 1.0]),
    torch.tensor([[0.0, -0.0], [1.0, 10.0]]),
    torch.tensor([1 + 2j, -0.5j]),
    torch.linspace(0, 1, 11, requires_grad=True) * 2,
    torch.tensor([1, -2, 3], dtype=torch.int8),
    torch.zeros(3, 4).t()[1:],
):
    print(t)
print(torch.Size([2, 3]), torch.float32, torch.device("cpu"), torch.zeros(2).shape[0])
print(torch.nn.Parameter(torch.ones(2)))
print(f"{torch.tensor(1.23456):.3f}", torch.tensor([1.5]).item(), torch.tensor([[1, 2]]).tolist())
print(torch.max(torch.tensor([[1.0, 5.0], [7.0, 2.0]]), 1))
