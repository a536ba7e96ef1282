# Child-sum TreeLSTM over nested tuples
import torch
import torch.nn as nn

torch.manual_seed(30)

class TreeLSTM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.iou = nn.Linear(dim, 3 * dim)
        self.u_iou = nn.Linear(dim, 3 * dim, bias=False)
        self.f, self.u_f = nn.Linear(dim, dim), nn.Linear(dim, dim, bias=False)
        self.calls = 0

    def forward(self, tree):
        self.calls += 1
        word, kids = tree[0], tree[1:]
        x = self.emb(torch.tensor(word))
        states = [self(k) for k in kids]
        h_sum = sum((h for h, _ in states), torch.zeros_like(x))
        i, o, u = (self.iou(x) + self.u_iou(h_sum)).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(u)
        for h, ck in states:
            c = c + torch.sigmoid(self.f(x) + self.u_f(h)) * ck
        return torch.sigmoid(o) * torch.tanh(c), c

net = TreeLSTM(6, 4)
head = nn.Linear(4, 2)
trees = [((0, (1,), (2, (3,)))), ((4, (5,))), ((2,))]
opt = torch.optim.Adagrad(list(net.parameters()) + list(head.parameters()), lr=0.1)
for epoch in range(12):
    opt.zero_grad()
    logits = torch.stack([head(net(t)[0]) for t in trees])
    loss = nn.functional.cross_entropy(logits, torch.tensor([0, 1, 1]))
    loss.backward()
    opt.step()
    if epoch % 4 == 3:
        print(epoch, f"{loss:.4f}", logits.argmax(1).tolist())
print(net.calls, {n: round(p.grad.norm().item(), 4) for n, p in net.named_parameters()})
def depth(fn):
    d = 0
    stack = [(fn, 1)]
    while stack:
        f, k = stack.pop()
        d = max(d, k)
        stack += [(n, k + 1) for n, _ in f.next_functions if n is not None]
    return d
print([depth(net(t)[0].grad_fn) for t in trees])
