# A character LSTM that learns one sentence
import torch
import torch.nn as nn

torch.manual_seed(26)
text = "hello torch"
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
x, y = ids[:-1], ids[1:]


class CharRNN(nn.Module):
    def __init__(self, v, h):
        super().__init__()
        self.h = h
        self.emb = nn.Embedding(v, 8)
        self.rnn = nn.LSTM(8, h, num_layers=1)
        self.out = nn.Linear(h, v)

    def forward(self, x, state=None):
        o, state = self.rnn(self.emb(x).unsqueeze(1), state)
        return self.out(o.squeeze(1)), state

    def init_hidden(self):
        return torch.zeros(1, 1, self.h), torch.zeros(1, 1, self.h)


net = CharRNN(len(chars), 16)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
crit = nn.CrossEntropyLoss()
for i in range(40):
    logits, _ = net(x, net.init_hidden())
    loss = crit(logits, y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5)
    opt.step()
    if i % 10 == 9:
        print(i, f"{loss.item():.4f}")
with torch.no_grad():
    c, state, s = ids[:1], None, text[0]
    for _ in range(len(text) - 1):
        logits, state = net(c, state)
        c = logits.argmax(1)
        s += chars[c.item()]
print(s)
probs = torch.softmax(logits / 0.8, dim=1)
print(torch.multinomial(probs, 5, replacement=True), probs.max())
hidden = net.init_hidden()
losses = 0
for t in range(3):
    out, hidden = net(x[t:t + 1], hidden)
    losses = losses + crit(out, y[t:t + 1])
losses.backward()
print(losses)
hidden = tuple(h.detach() for h in hidden)
out, hidden = net(x[3:4], hidden)
crit(out, y[3:4]).backward()
print([round(p.grad.abs().sum().item(), 3) for p in net.parameters()])
