import torch
from torch import nn
from nets import Net
from trainer import Classifier
def main(train, val):
    model = Net()
    opt = torch.optim.Adam(model.parameters())
    Classifier(model, nn.CrossEntropyLoss(), opt).fit(train, 3)
