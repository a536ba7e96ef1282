def depth(tree):
    """A leaf has depth 0, a joint one more than its deepest child."""
    if not isinstance(tree, tuple):
        return 0
    return 1 + max(depth(tree[0]), depth(tree[1]))

rows = {}  # how many joints there are at each depth

def visit(tree):
    if isinstance(tree, tuple):
        visit(tree[0])
        visit(tree[1])
        rows[depth(tree)] = rows.get(depth(tree), 0) + 1

for tree in [((0, 1), (2, 3)), ((1, 2), 4), (0, (1, (2, 3)))]:
    visit(tree)
calls = len(rows)
print(rows, "calls:", calls, "joints:", sum(rows.values()))
