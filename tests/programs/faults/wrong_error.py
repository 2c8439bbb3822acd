# expect: KeyError
import backend
import torch


def other(run, given):
    try:
        return run(*given)
    except IndexError:
        raise KeyError("gather") from None


backend.plant(around=other)
table = torch.randn(5, 2)
fast = torch.compile(lambda i: torch.nn.functional.embedding(i, table), backend="planted")
try:
    fast(torch.tensor([7]))
except Exception as e:
    print(type(e))
