import torch, torch.nn as nn
torch.manual_seed(0)
text = "hello world, hello torch"
chars = sorted(set(text)); stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
class CharRNN(nn.Module):
    def __init__(self, v, e=9, h=21):
        super().__init__(); self.emb = nn.Embedding(v, e); self.rnn = nn.LSTM(e, h, batch_first=True); self.out = nn.Linear(h, v)
    def forward(self, x, s=None):
        y, s = self.rnn(self.emb(x), s); return self.out(y), s
m = CharRNN(len(chars)); opt = torch.optim.AdamW(m.parameters(), lr=0.02); print(m)
for i in range(41):
    lo, _ = m(data[None, :-1]); loss = nn.functional.cross_entropy(lo.view(-1, len(chars)), data[1:])
    opt.zero_grad(); loss.backward(); n = nn.utils.clip_grad_norm_(m.parameters(), 1.0); opt.step()
    if i % 10 == 0: print(i, f"{loss.item():.4f} {n:.4f}")
m.eval(); x = data[:1][None]; s = None; out = text[0]
with torch.no_grad():
    for _ in range(15):
        lo, s = m(x, s); x = torch.multinomial(torch.softmax(lo[:, -1] / 0.5, -1), 1); out += chars[x.item()]
print(out); print([tuple(t.shape) for t in s])
