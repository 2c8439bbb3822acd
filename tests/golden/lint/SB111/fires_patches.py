import torch.nn.functional as F


def patches(images, patch):
    columns = F.unfold(images, patch, stride=patch)
    return columns.view(images.size(0), -1, 3 * patch * patch)  # expect: SB111
