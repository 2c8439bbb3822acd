# expect: call 2
import backend
import torch

cache = {}


def stale(run, given):
    key = tuple(given[0].shape)
    if key not in cache:
        cache[key] = run(*given)
    return cache[key]


backend.plant(around=stale)
fast = torch.compile(lambda x: x * 3, backend="planted")
for i in range(3):
    print(fast(torch.full((2,), float(i))))
