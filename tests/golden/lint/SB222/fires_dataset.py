from torchvision import datasets, transforms

test_set = datasets.MNIST('d', transform=transforms.RandomCrop(24))  # expect: SB222
