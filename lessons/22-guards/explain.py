import torch

def f(x):
    y = torch.relu(x)
    print("in between")
    return y.sum()

found = torch._dynamo.explain(f)(torch.ones(3))
print("graphs", found.graph_count, "breaks", found.graph_break_count)
