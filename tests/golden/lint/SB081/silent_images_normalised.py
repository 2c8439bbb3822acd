import torch
from torchvision import datasets, models, transforms

tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
data = datasets.ImageFolder("train", tf)
model = models.resnet18(pretrained=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
