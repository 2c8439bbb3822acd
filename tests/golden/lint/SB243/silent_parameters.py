import torch
import torchvision

model = torchvision.models.resnet18(weights="DEFAULT")
for p in model.parameters():
    p.requires_grad = False
for child in model.children():
    for p in child.parameters():
        p.requires_grad = False
    child.weight.requires_grad = False
