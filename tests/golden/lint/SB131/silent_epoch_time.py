import torch
from torch import nn
from torch.nn import functional as F

import time


def run(model, loader):
    for epoch in range(3):
        epoch_start = time.time()
        for x in loader:
            model(x.cuda()).sum().backward()
        print(epoch, time.time() - epoch_start)
