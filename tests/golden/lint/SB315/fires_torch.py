import torch


def batches(images, labels, size):
    images = images[torch.randperm(images.size(0))]
    labels = labels[torch.randperm(labels.size(0))]  # expect: SB315
    for i in range(0, len(images), size):
        yield images[i : i + size], labels[i : i + size]
