# expect: 0 optimised calls compared
import os

import torch

torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(2))
os._exit(3)
