import torch
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split, Subset, WeightedRandomSampler, SequentialSampler, BatchSampler, ConcatDataset
class Squares(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if i >= self.n: raise IndexError(i)
        return torch.tensor(float(i)), {"sq": i * i, "name": f"n{i}"}
torch.manual_seed(0)
for b, d in DataLoader(Squares(7), batch_size=3, shuffle=True): print(b, d)
print(len(DataLoader(Squares(7), batch_size=3)), len(DataLoader(Squares(7), batch_size=3, drop_last=True)))
tr, va = random_split(Squares(10), [7, 3]); print(tr.indices, va.indices, len(tr))
tr, va = random_split(Squares(10), [0.75, 0.25], generator=torch.Generator().manual_seed(42)); print(list(tr.indices), list(va.indices))
X = torch.randn(11, 3); Y = torch.arange(11)
dl = DataLoader(TensorDataset(X, Y), batch_size=4, shuffle=True, generator=torch.Generator().manual_seed(5))
for e in range(2): print([yb.tolist() for xb, yb in dl])
def collate(items):
    xs, ys = zip(*items); return torch.stack(xs), len(ys)
print(next(iter(DataLoader(Squares(4), batch_size=2, collate_fn=collate))))
s = WeightedRandomSampler([0.1, 0.9, 3.0], 8, replacement=True); print(list(s))
print(list(BatchSampler(SequentialSampler(range(7)), 3, False)))
c = ConcatDataset([Squares(2), Squares(3)]); print(len(c), c[3])
try: next(iter(DataLoader([torch.zeros(2), torch.zeros(3)], batch_size=2)))
except RuntimeError as e: print(str(e).splitlines()[0])
try: DataLoader(Squares(3), batch_size=0)
except ValueError as e: print(e)
try: DataLoader(Squares(3), shuffle=True, sampler=s)
except ValueError as e: print(e)
print(list(DataLoader([1, 2, 3, 4, 5], batch_size=2)), list(DataLoader(["a", "b"], batch_size=2)))
print(list(DataLoader([(1, 2.5), (3, 4.5)], batch_size=2)))
