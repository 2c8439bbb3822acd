# expect: 0 optimised calls compared
import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.compile(torch.nn.Linear(3, 2), backend="aot_eager")
for (x,) in DataLoader(TensorDataset(torch.randn(8, 3)), batch_size=4, num_workers=2):
    net(x)
