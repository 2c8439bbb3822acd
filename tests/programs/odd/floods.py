# expect: 0 optimised calls compared
import torch

torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(2))
for i in range(20000):
    print("x" * 60)
