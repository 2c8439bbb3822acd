import torch
from torchvision import datasets, models, transforms

tf = transforms.Compose([transforms.Resize(224), transforms.ToTensor()])  # expect: SB081 low
data = datasets.ImageFolder("train", tf)
model = models.resnet18(pretrained=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
