import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

sequences = [torch.ones(5, 1), torch.ones(2, 1), torch.ones(1, 1)]
padded = pad_sequence(sequences, batch_first=True)
packed = pack_padded_sequence(padded, [5, 2, 1], batch_first=True)

print("cells:", packed.data.shape[0], "in place of", padded.numel())
print("rows at each step:", packed.batch_sizes.tolist())
