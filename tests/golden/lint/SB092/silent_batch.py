import torch
from torch import nn
from torch.utils.data import DataLoader
from torch.autograd import Variable

model = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 64))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = DataLoader(torch.load("images.pt"), batch_size=16, shuffle=True)

for image, _ in batches:
    image = image.cuda(0)
    image = image.view(image.shape[0], -1)
    image = Variable(image)
    loss = criterion(model(image), image)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
