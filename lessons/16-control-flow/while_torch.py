import torch

def squares(n):
    k, total = torch.tensor(0), torch.tensor(0)
    while k < n:
        total = total + k * k
        k = k + 1
    return total

print(squares(3))
print(squares(5))
