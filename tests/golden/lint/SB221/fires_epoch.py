import torch
from torch import nn
from torch.nn import functional as F

def epoch(val_loader):
    running = 0.0
    for x in val_loader:
        running += x.mean().item()
    print(running / len(val_loader))  # expect: SB221 low
