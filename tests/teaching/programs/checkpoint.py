# files=best.pt prints=same.True
import copy
import os
import torch
net = torch.nn.Linear(3, 2)
best = copy.deepcopy(net.state_dict())
torch.save({"epoch": 3, "model": best}, "best.pt")
again = torch.nn.Linear(3, 2)
again.load_state_dict(torch.load("best.pt")["model"])
print("same", torch.equal(again.weight, net.weight), os.path.getsize("best.pt") > 100)
