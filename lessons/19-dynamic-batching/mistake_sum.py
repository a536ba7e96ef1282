def depth(tree):
    """A leaf has depth 0, a joint one more than its deepest child."""
    if not isinstance(tree, tuple):
        return 0
    return 1 + depth(tree[0]) + depth(tree[1])

def groups(trees):
    """How many joints there are at each depth, over all trees: {1: 5, 2: 3}."""
    found = {}

    def visit(tree):
        if isinstance(tree, tuple):
            visit(tree[0])
            visit(tree[1])
            found[depth(tree)] = found.get(depth(tree), 0) + 1

    for tree in trees:
        visit(tree)
    return found

rows = groups([((0, 1), (2, 3)), ((1, 2), 4), (0, (1, (2, 3)))])
calls = len(rows)
joints = sum(rows.values())
print(rows, "calls:", calls, "joints:", joints)
