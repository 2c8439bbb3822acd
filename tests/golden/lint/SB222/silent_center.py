from torchvision import transforms

val_transform = transforms.Compose([transforms.CenterCrop(24), transforms.ToTensor()])
