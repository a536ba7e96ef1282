# What cannot be scripted, and what is said about it
import torch


def only_one_branch(x):
    if x.sum() > 0:
        y = x
    return y


def undefined(x):
    return undefined_thing(x)


def no_method(x, n: int):
    return n.foo()


def no_tensor_method(x):
    return x.nosuch(1)


def no_function(x):
    return torch.nosuch(x)


def other_result(x: int) -> str:
    return x


def two_results(x):
    if x.sum() > 0:
        return 1
    else:
        return x


def has_lambda(x):
    f = lambda y: y
    return f(x)


def has_global(x):
    global q
    return x


def has_import(x):
    import os
    return x


def has_function(x):
    def inner(y):
        return y
    return inner(x)


for f in (only_one_branch, undefined, no_method, no_tensor_method, no_function, other_result, two_results, has_lambda,
          has_global, has_import, has_function):
    try:
        torch.jit.script(f)
    except Exception as e:
        print(f.__name__, type(e).__name__, [line for line in str(e).splitlines() if line][0])


@torch.jit.script
def checked(x, n: int):
    assert n > 0, "too small"
    if n > 3:
        raise ValueError("too big")
    return x * n


print(checked(torch.ones(2), 2))
for n in (0, 4):
    try:
        checked(torch.ones(2), n)
    except Exception as e:
        print("failed")


def early(x, n: int):
    for i in range(n):
        if i == 2:
            break
        if i == 0:
            continue
        x = x + i
    if n == 1:
        return x * 10
    return x


s = torch.jit.script(early)
print([s(torch.zeros(1), n).item() for n in range(5)], [early(torch.zeros(1), n).item() for n in range(5)])
