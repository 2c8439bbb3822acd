from torchvision import datasets, models, transforms

tf = transforms.Compose([transforms.Resize(224), transforms.ToTensor()])
data = datasets.ImageFolder("train", tf)
model = models.resnet18(pretrained=False)
print(model(data[0][0].unsqueeze(0)).shape)
