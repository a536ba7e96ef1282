# Embeddings: lookup, padding index, frozen tables, bag of words, word2vec
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(23)
emb = nn.Embedding(5, 3, padding_idx=0)
print(emb.weight)
idx = torch.LongTensor([[1, 2, 0], [4, 4, 1]])
out = emb(idx)
print(out.shape, out[0, 2])
out.sum().backward()
print(emb.weight.grad)
pre = nn.Embedding.from_pretrained(torch.eye(3))
print(pre(torch.tensor([2, 0])), pre.weight.requires_grad)
words = "we are about to study the idea of a computational process".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(words))}
data = [([words[i - 1], words[i + 1]], words[i]) for i in range(1, len(words) - 1)]

class CBOW(nn.Module):
    def __init__(self, v, d):
        super().__init__()
        self.e = nn.Embedding(v, d)
        self.l = nn.Linear(d, v)
    def forward(self, x):
        return F.log_softmax(self.l(self.e(x).sum(dim=0)).view(1, -1), dim=1)

model = CBOW(len(vocab), 6)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(30):
    total = 0
    for ctx, tgt in data:
        x = torch.tensor([vocab[w] for w in ctx], dtype=torch.long)
        opt.zero_grad()
        loss = F.nll_loss(model(x), torch.tensor([vocab[tgt]]))
        loss.backward()
        opt.step()
        total += loss.item()
    if epoch % 10 == 9:
        print(epoch, f"{total:.4f}")
w = model.e.weight.detach()
sim = F.cosine_similarity(w[vocab["the"]].unsqueeze(0), w)
print(sim.topk(3))
for bad in [torch.tensor([7]), torch.tensor([1.0]), torch.tensor([-1])]:
    try:
        emb(bad)
    except Exception as e:
        print(type(e).__name__, e)
print(F.one_hot(torch.tensor([1, 3]), 5) @ torch.arange(10).view(5, 2))
