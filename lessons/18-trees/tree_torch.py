import torch

torch.manual_seed(0)
words = {word: torch.randn(2) for word in ("the", "cat", "sat", "here")}
W = torch.randn(2, 4, requires_grad=True)

def encode(tree):
    if isinstance(tree, str):
        return words[tree]
    left, right = tree
    return torch.tanh(W @ torch.cat([encode(left), encode(right)]))

for tree in [(("the", "cat"), "sat"), ("cat", ("sat", "here"))]:
    score = encode(tree).sum()
    score.backward()
    print(tree, "%.3f" % score.item(), "%.3f" % W.grad.norm().item())
    W.grad = None
