import torch
from torch import nn
from torchvision.utils import save_image


def show(model: nn.Module, images):
    with torch.no_grad():
        save_image(model(images), "out.png")  # expect: SB022 low
