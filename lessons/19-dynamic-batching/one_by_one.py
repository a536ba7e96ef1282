import torch

torch.manual_seed(0)
table = torch.randn(5, 4)
W = torch.randn(4, 8)

def encode(tree):
    if isinstance(tree, int):
        return table[tree]
    left, right = tree
    return torch.tanh(W @ torch.cat([encode(left), encode(right)]))

trees = [((0, 1), (2, 3)), ((1, 2), 4), (0, (1, (2, 3))), ((3, 4), (0, 1))]
for tree in trees:
    print("%.3f" % encode(tree).sum().item())
