# expect: 0 optimised calls compared
import torch


@torch.compile(backend="aot_eager")
def f(x, scale):
    return {"y": x * scale, "n": int(x.sum()), "name": "a", "all": [x.argmax(), None, (x > 0)]}


torch.manual_seed(0)
for i in range(3):
    f(torch.randn(7), 0.5 + i)
