import torch, torch.nn as nn
torch.manual_seed(5)
class Tree:
    def __init__(s, kids=(), w=None): s.kids, s.w = list(kids), w
class TreeLSTM(nn.Module):
    def __init__(s, V, E, H):
        super().__init__(); s.H = H; s.emb = nn.Embedding(V, E); s.iou = nn.Linear(E, 3 * H); s.uiou = nn.Linear(H, 3 * H, bias=False); s.f = nn.Linear(E, H); s.uf = nn.Linear(H, H, bias=False); s.cls = nn.Linear(H, 2)
    def node(s, t):
        kids = [s.node(k) for k in t.kids]
        x = s.emb(torch.tensor(t.w if t.w is not None else 0))
        hs = sum((h for h, _ in kids), torch.zeros(s.H))
        i, o, u = (s.iou(x) + s.uiou(hs)).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(u)
        for h, ck in kids: c = c + torch.sigmoid(s.f(x) + s.uf(h)) * ck
        return torch.sigmoid(o) * torch.tanh(c), c
    def forward(s, t): return s.cls(s.node(t)[0])
L = lambda w: Tree(w=w)
data = [(Tree([L(1), Tree([L(2), L(3)])]), 0), (Tree([Tree([L(4), L(1)]), L(5), L(2)]), 1), (L(3), 0), (Tree([L(5)] * 4), 1)]
m = TreeLSTM(6, 7, 11); opt = torch.optim.Adagrad(m.parameters(), lr=0.05)
for e in range(6):
    tot = 0
    for t, y in data:
        loss = nn.functional.cross_entropy(m(t).unsqueeze(0), torch.tensor([y])); opt.zero_grad(); loss.backward(); opt.step(); tot += loss.item()
    print(e, f"{tot:.6f}")
print(m(data[1][0])); print(m.emb.weight.grad)
