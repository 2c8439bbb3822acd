import torch
import torch.nn.functional as F
from torchvision import models


def distil(teacher, student, loader):
    for p in teacher.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
    teacher.eval()
    student.train()
    for x, y in loader:
        with torch.no_grad():
            wanted = teacher(x)
        given = student(x)
        loss = F.kl_div(F.log_softmax(given, dim=1), F.softmax(wanted, dim=1), reduction="batchmean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    from data import loader

    distil(models.resnet50(weights="DEFAULT"), models.resnet18(), loader)
