import torch
from torch import nn
from torch.nn import functional as F

class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)


net = Plain()
net.load_state_dict(torch.load('p.pt'))
