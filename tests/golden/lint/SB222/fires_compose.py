from torchvision import transforms

val_transform = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])  # expect: SB222
