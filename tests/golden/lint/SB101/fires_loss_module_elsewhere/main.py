import torch
from engine import MyLoss, run
from model import Net
def main(loader):
    model = Net()
    criterion = MyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, loader, criterion, optimizer)
