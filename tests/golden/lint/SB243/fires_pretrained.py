import torch
import torchvision

model = torchvision.models.resnet18(weights="DEFAULT")
model.requires_grad = False  # expect: SB243
model.fc = torch.nn.Linear(512, 10)
