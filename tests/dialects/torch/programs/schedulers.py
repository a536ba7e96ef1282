# Learning-rate schedules side by side
import torch
import torch.nn as nn
from torch.optim import SGD, Adam
from torch.optim.lr_scheduler import StepLR, MultiStepLR, ExponentialLR, CosineAnnealingLR, LambdaLR, ReduceLROnPlateau, OneCycleLR, LinearLR, SequentialLR, CyclicLR, CosineAnnealingWarmRestarts

def show(name, make, n=8):
    p = nn.Parameter(torch.zeros(1))
    opt = SGD([p], lr=0.1, momentum=0.9)
    sch = make(opt)
    lrs = []
    for _ in range(n):
        lrs.append(round(opt.param_groups[0]["lr"], 5))
        opt.step()
        sch.step()
    print(f"{name:12s}", lrs)

show("step", lambda o: StepLR(o, step_size=3, gamma=0.5))
show("multi", lambda o: MultiStepLR(o, milestones=[2, 5]))
show("exp", lambda o: ExponentialLR(o, 0.8))
show("cosine", lambda o: CosineAnnealingLR(o, T_max=6, eta_min=0.001))
show("lambda", lambda o: LambdaLR(o, lambda e: 1 / (1 + e)))
show("onecycle", lambda o: OneCycleLR(o, max_lr=0.5, total_steps=9))
show("linear", lambda o: LinearLR(o, 0.25, total_iters=4))
show("warm+exp", lambda o: SequentialLR(o, [LinearLR(o, 0.1, total_iters=3), ExponentialLR(o, 0.9)], milestones=[3]))
show("cyclic", lambda o: CyclicLR(o, 0.01, 0.1, step_size_up=2))
show("restarts", lambda o: CosineAnnealingWarmRestarts(o, 3))
p = nn.Parameter(torch.tensor([5.0]))
opt = Adam([p], lr=0.5)
sch = ReduceLROnPlateau(opt, mode="min", factor=0.1, patience=2, min_lr=1e-4)
for e in range(12):
    opt.zero_grad()
    loss = (p ** 2).sum() + 1
    loss.backward()
    opt.step()
    sch.step(max(loss.item(), 3.0))
    print(e, f"{loss.item():.4f}", opt.param_groups[0]["lr"])
print(sch.state_dict()["num_bad_epochs"], sch.get_last_lr())
opt = SGD([{"params": [p], "lr": 0.3}, {"params": [nn.Parameter(torch.ones(1))]}], lr=0.1)
s = StepLR(opt, 1)
s.step()
print(s.get_last_lr(), s.last_epoch)
print(opt)
