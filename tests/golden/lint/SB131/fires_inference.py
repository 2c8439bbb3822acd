import torch
from torch import nn
from torch.nn import functional as F

import time

model = nn.Linear(4, 2).cuda()
x = torch.zeros(1, 4).cuda()
start = time.perf_counter()
y = model(x)
elapsed = time.perf_counter() - start  # expect: SB131
print(elapsed)
