# Datasets, loaders, shuffling, splits, collate functions
import numpy as np
import torch
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split, Subset, ConcatDataset, WeightedRandomSampler

class Squares(Dataset):
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n
    def __getitem__(self, i):
        return {"x": torch.tensor([float(i)]), "y": i * i, "name": f"n{i}"}

torch.manual_seed(19)
ds = Squares(7)
for batch in DataLoader(ds, batch_size=3):
    print(batch)
for epoch in range(2):
    print([b["y"].tolist() for b in DataLoader(ds, batch_size=2, shuffle=True, drop_last=True)])
a, b = random_split(ds, [5, 2])
print(a.indices, b.indices, len(a), type(a).__name__)
tr, va = random_split(range(10), [0.7, 0.3], generator=torch.Generator().manual_seed(42))
print(list(tr), list(va))
td = TensorDataset(torch.arange(6).view(3, 2), torch.tensor([0, 1, 0]))
x, y = next(iter(DataLoader(td, batch_size=3)))
print(x, y, td[1])
def pad(batch):
    return torch.nn.utils.rnn.pad_sequence(batch, batch_first=True), [len(b) for b in batch]
seqs = [torch.ones(n) * n for n in (1, 3, 2)]
for p, l in DataLoader(seqs, batch_size=2, collate_fn=pad):
    print(p, l)
loader = DataLoader(np.arange(5, dtype=np.float32), batch_size=2)
print(len(loader), [b for b in loader])
print(list(DataLoader([1.5, 2.5, 3.5], batch_size=2)), list(DataLoader([(1, "a"), (2, "b")], batch_size=2)))
print(len(ConcatDataset([ds, ds])), ConcatDataset([ds, ds])[8]["y"], Subset(ds, [6, 5])[0]["y"])
s = WeightedRandomSampler([0.1, 0.9], 6)
print(list(s))
print([b.tolist() for b in DataLoader(torch.arange(6), batch_size=3, sampler=s)])
for bad in [dict(batch_size=0), dict(shuffle=True, sampler=s)]:
    try:
        DataLoader(ds, **bad)
    except ValueError as e:
        print("ValueError:", e)
try:
    TensorDataset(torch.ones(2), torch.ones(3))
except AssertionError as e:
    print("AssertionError:", e)
try:
    next(iter(DataLoader([torch.ones(2), torch.ones(3)], batch_size=2)))
except RuntimeError as e:
    print("RuntimeError:", e)
try:
    random_split(ds, [3, 3])
except ValueError as e:
    print("ValueError:", e)
