import torch.nn.functional as F


def patches(images, patch):
    columns = F.unfold(images, patch, stride=patch)
    return columns.transpose(1, 2).reshape(len(images), -1, patch ** 2)


def places(images, kernel, height, width):
    return F.unfold(images, kernel, padding=kernel // 2).view(len(images), -1, height * width)
