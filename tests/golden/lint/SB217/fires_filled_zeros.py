import torch


def empty_images(found, names):
    hit = torch.zeros(len(names))
    for i, name in enumerate(names):
        if name in found:
            hit[i] = 1
    hit = torch.tensor(hit)  # expect: SB217
    return hit.mean()
