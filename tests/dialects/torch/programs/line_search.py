import torch, torch.nn as nn
torch.manual_seed(0)
def rosen(x): return ((1-x[:-1])**2+100*(x[1:]-x[:-1]**2)**2).sum()
x=torch.tensor([-1.2,1.,0.5],requires_grad=True)
o=torch.optim.LBFGS([x],line_search_fn="strong_wolfe",max_iter=5)
n=0
def cl():
    global n; n+=1
    o.zero_grad(); l=rosen(x); l.backward(); return l
for i in range(2): print(i, o.step(cl).item(), x.detach(), n)
net=nn.Sequential(nn.Linear(3,8),nn.Tanh(),nn.Linear(8,1)); X=torch.randn(20,3); y=X.prod(1,keepdim=True)
o2=torch.optim.LBFGS(net.parameters(),lr=0.5,line_search_fn="strong_wolfe",history_size=5)
def c2():
    o2.zero_grad(); l=((net(X)-y)**2).mean(); l.backward(); return l
for i in range(2): print("%.3f"%o2.step(c2).item())
try:
    torch.optim.LBFGS([x],line_search_fn="armijo").step(cl)
except RuntimeError as e: print(e)
