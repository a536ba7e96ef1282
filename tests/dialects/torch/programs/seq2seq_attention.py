import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(2)
class Enc(nn.Module):
    def __init__(s, v, d): super().__init__(); s.e = nn.Embedding(v, d, padding_idx=0); s.g = nn.GRU(d, d, batch_first=True, bidirectional=True); s.p = nn.Linear(2 * d, d)
    def forward(s, x): o, h = s.g(s.e(x)); return s.p(o), torch.tanh(s.p(torch.cat([h[0], h[1]], 1)))
class Dec(nn.Module):
    def __init__(s, v, d): super().__init__(); s.e = nn.Embedding(v, d); s.c = nn.GRUCell(2 * d, d); s.o = nn.Linear(2 * d, v)
    def forward(s, tok, h, enc, mask):
        sc = torch.bmm(enc, h.unsqueeze(2)).squeeze(2).masked_fill(mask, float("-inf")); a = F.softmax(sc, 1)
        ctx = torch.bmm(a.unsqueeze(1), enc).squeeze(1); h = s.c(torch.cat([s.e(tok), ctx], 1), h); return s.o(torch.cat([h, ctx], 1)), h, a
V, D = 9, 10; enc, dec = Enc(V, D), Dec(V, D)
src = torch.randint(1, V, (6, 5)); src[0, 3:] = 0; src[3, 4:] = 0; mask = src == 0; tgt = src.flip(1)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.02)
for it in range(15):
    e, h = enc(src); tok = torch.zeros(6, dtype=torch.long); loss = 0; att = []
    for t in range(5):
        lo, h, a = dec(tok, h, e, mask); att.append(a); loss = loss + F.cross_entropy(lo, tgt[:, t], ignore_index=0); tok = tgt[:, t]
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 5 == 0: print(it, f"{loss.item():.4f}")
print(torch.stack(att, 1)[0].sum(-1)); print(att[0][0])
print(enc.e.weight.grad[0]); 
m = nn.MultiheadAttention(8, 2, batch_first=True); x = torch.randn(2, 3, 8); o, w = m(x, x, x); print(o, w, m)
print(F.scaled_dot_product_attention(x, x, x)); print(F.scaled_dot_product_attention(x, x, x, is_causal=True)[0])
