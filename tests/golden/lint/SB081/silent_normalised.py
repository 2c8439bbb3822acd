import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

data = datasets.MNIST('d', transform=transforms.Normalize((0.1,), (0.3,)))
loader = DataLoader(data, shuffle=True)
