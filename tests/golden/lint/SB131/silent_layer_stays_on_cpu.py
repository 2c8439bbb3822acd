import time

import torch
from filters import BilateralFilter

device = torch.device("cuda:0")
layer = BilateralFilter(3, use_gpu=True)
x = torch.randn(1, 1, 8, 8, 8).to(device)
start = time.time()
y = layer(x)
end = time.time()
print("forward pass: {} s".format(end - start))
