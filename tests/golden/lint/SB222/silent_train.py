from torchvision import transforms

train_transform = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
