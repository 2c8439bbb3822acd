import torch
import torchvision


model = torchvision.models.resnet18(weights="DEFAULT")
for child in model.children():
    child.requires_grad = False  # expect: SB243
