import torch
import torch.nn as nn


def say(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, "|", str(error).splitlines()[0])


say(lambda: torch.ones(4, 3) @ torch.ones(4, 1))
say(lambda: torch.ones(3) + torch.ones(4))
say(lambda: torch.ones(2, 3) * torch.ones(3, 2))
say(lambda: torch.ones(2, 3).view(4))
say(lambda: torch.ones(6).reshape(4, -1))
say(lambda: torch.cat([torch.ones(2, 2), torch.ones(2, 3)]))
say(lambda: torch.stack([torch.ones(2), torch.ones(3)]))
say(lambda: torch.ones(3)[5])
say(lambda: torch.ones(3, 2)[0, 0, 0])
say(lambda: torch.ones(2, 2).sum(dim=2))
say(lambda: torch.ones(2, 2).transpose(0, 3))
say(lambda: torch.ones(3).expand(2, 4))
say(lambda: nn.Linear(3, 2)(torch.ones(4, 5)))
say(lambda: torch.dot(torch.ones(2), torch.ones(3)))
say(lambda: torch.mm(torch.ones(2), torch.ones(2, 2)))
say(lambda: torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 2, 3)))
say(lambda: torch.ones(2, 3).t() @ torch.ones(5))
say(lambda: torch.ones(3).add_(torch.ones(2, 3)))
say(lambda: torch.ones(2, 3, 4).t())
say(lambda: torch.ones(2).unsqueeze(3))
say(lambda: torch.zeros(2, 3).squeeze(7))
say(lambda: torch.ones(2, 2).split([1, 2]))
say(lambda: torch.tensor([[1, 2], [3]]))
say(lambda: torch.zeros(2, -1))
say(lambda: torch.ones(2, 3).permute(0, 0))
say(lambda: torch.ones(4)[torch.tensor([True, False])])
say(lambda: torch.ones(4)[torch.tensor([9])])
say(lambda: torch.ones(2, 3).masked_fill(torch.ones(2, 3), 0.0))
say(lambda: torch.zeros(3).copy_(torch.ones(4)))
say(lambda: torch.ones(3).backward())
say(lambda: torch.ones(3, requires_grad=True).mul(2).backward())
