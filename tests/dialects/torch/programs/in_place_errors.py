import torch


def attempt(change):
    x = torch.ones(3, requires_grad=True)
    try:
        change(x).sum().backward()
        print("no error")
    except RuntimeError as error:
        print(error)


def overwritten(result, change):
    change(result)
    return result


def matmul(x):
    w = torch.ones(3, 3, requires_grad=True)
    h = (w * 1) @ w
    k = h @ w
    h.zero_()
    return k


def set_item(x):
    y = (x + 1).tanh()
    y[0] = 5
    return y


def power(x):
    y = x * 1
    z = y**2
    y.mul_(2)
    return z


attempt(lambda x: overwritten(x.exp(), lambda y: y.add_(1)))
attempt(lambda x: overwritten(x.sigmoid(), lambda y: y.mul_(2)))
attempt(lambda x: overwritten((x * 1).relu(), lambda y: y.add_(1)))
attempt(lambda x: overwritten(x.sqrt(), lambda y: y.sub_(1)))
attempt(lambda x: overwritten(torch.softmax(x, 0), lambda y: y.mul_(2)))
attempt(lambda x: overwritten(1 / (x * 1), lambda y: y.add_(1)))
attempt(lambda x: overwritten(x.exp(), lambda y: y.detach().zero_()))
attempt(lambda x: overwritten(x + 1, lambda y: y.add_(1)))
attempt(lambda x: x.add_(1))
attempt(lambda x: x.view(3).add_(1))
attempt(matmul)
attempt(set_item)
attempt(power)
