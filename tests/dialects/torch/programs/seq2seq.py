# Sequence to sequence with GRU cells, teacher forcing, and attention by hand
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(28)
random.seed(28)
V, H, SOS = 8, 12, 0

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, H)
        self.gru = nn.GRU(H, H)
    def forward(self, x, hidden):
        return self.gru(self.embedding(x).view(1, 1, -1), hidden)

class AttnDecoder(nn.Module):
    def __init__(self, max_len=4):
        super().__init__()
        self.embedding = nn.Embedding(V, H)
        self.attn = nn.Linear(H * 2, max_len)
        self.combine = nn.Linear(H * 2, H)
        self.gru = nn.GRU(H, H)
        self.out = nn.Linear(H, V)
    def forward(self, x, hidden, enc):
        e = self.embedding(x).view(1, 1, -1)
        w = F.softmax(self.attn(torch.cat((e[0], hidden[0]), 1)), dim=1)
        ctx = torch.bmm(w.unsqueeze(0), enc.unsqueeze(0))
        o = F.relu(self.combine(torch.cat((e[0], ctx[0]), 1)).unsqueeze(0))
        o, hidden = self.gru(o, hidden)
        return F.log_softmax(self.out(o[0]), dim=1), hidden, w

enc, dec = Encoder(), AttnDecoder()
eo, do = torch.optim.SGD(enc.parameters(), lr=0.1), torch.optim.SGD(dec.parameters(), lr=0.1)
crit = nn.NLLLoss()
pairs = [(torch.tensor(p), torch.tensor(p[::-1])) for p in ([1, 2, 3], [4, 5, 6], [7, 1, 4])]
for epoch in range(25):
    total = 0
    for src, tgt in pairs:
        eo.zero_grad(); do.zero_grad()
        hidden = torch.zeros(1, 1, H)
        outs = torch.zeros(4, H)
        for i in range(len(src)):
            o, hidden = enc(src[i], hidden)
            outs[i] = o[0, 0]
        x, loss = torch.tensor([[SOS]]), 0
        force = random.random() < 0.5
        for t in tgt:
            o, hidden, w = dec(x, hidden, outs)
            loss = loss + crit(o, t.view(1))
            x = t if force else o.topk(1)[1].squeeze().detach()
        loss.backward()
        eo.step(); do.step()
        total += loss.item() / len(tgt)
    if epoch % 8 == 0:
        print(epoch, f"{total:.4f}")
print(w)
print(outs.grad_fn.name(), outs.requires_grad)
