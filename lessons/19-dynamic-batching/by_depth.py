import torch

torch.manual_seed(0)
table = torch.randn(5, 4)
W = torch.randn(4, 8)

def depth(tree):
    return 0 if isinstance(tree, int) else 1 + max(depth(tree[0]), depth(tree[1]))

def joints(tree, found):
    if not isinstance(tree, int):
        joints(tree[0], found), joints(tree[1], found)
        found.setdefault(depth(tree), []).append(tree)

trees = [((0, 1), (2, 3)), ((1, 2), 4), (0, (1, (2, 3))), ((3, 4), (0, 1))]
levels = {}
for tree in trees:
    joints(tree, levels)

done = {leaf: table[leaf] for leaf in range(5)}
for level in sorted(levels):
    left = torch.stack([done[tree[0]] for tree in levels[level]])
    right = torch.stack([done[tree[1]] for tree in levels[level]])
    rows = torch.tanh(torch.cat([left, right], 1) @ W.T)
    done.update(zip(levels[level], rows))
    print("depth", level, "rows", len(rows))
for tree in trees:
    print("%.3f" % done[tree].sum().item())
