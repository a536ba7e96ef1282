import torch, torch.nn as nn
from torch.fx import Tracer
class LeafTracer(Tracer):
    def is_leaf_module(self, m, q): return False
for n in [nn.Linear(4,3), nn.ReLU(), nn.Dropout(0.1).eval(), nn.Sequential(nn.Linear(4,3)), nn.Embedding(3,4), nn.Tanh(), nn.Sigmoid(), nn.LayerNorm(4), nn.Flatten(), nn.GELU(), nn.LeakyReLU(), nn.MSELoss(), nn.CrossEntropyLoss(), nn.ELU(), nn.Conv2d(1,2,3), nn.MaxPool2d(2), nn.AvgPool2d(2), nn.Identity(), nn.SiLU(), nn.Softplus(), nn.Unflatten(1,(2,2)), nn.AdaptiveAvgPool2d(1)]:
    try: print(LeafTracer().trace(n))
    except Exception as e: print(type(n).__name__, type(e).__name__, str(e)[:100])
