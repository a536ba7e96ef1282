import torch
a = torch.arange(6.).view(2, 3)
print(a.untyped_storage().data_ptr() == a[1].untyped_storage().data_ptr(), a.untyped_storage().nbytes(), len(a.untyped_storage()), a.untyped_storage().size())
print(a.t().storage()); print(a[1].storage().size(), a.storage()[4], a.storage().tolist(), a.storage().data_ptr() == a[1].storage().data_ptr())
print(torch.tensor([1, 2], dtype=torch.uint8).untyped_storage())
print(type(a.storage()), type(a.untyped_storage()))
