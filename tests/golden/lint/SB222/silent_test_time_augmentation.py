from torchvision import transforms

test_tta = transforms.RandomHorizontalFlip()
