import torch
from torch import nn
from leaf import Regress
def main(train):
    model = nn.Linear(8, 3)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    t = Regress(model, opt)
    t.run(train, 4)
