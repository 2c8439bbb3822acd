import torch
import torch.nn.functional as F
from torch import nn


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher = teacher.requires_grad_(False)
        self.teacher.eval()
        self.student = student

    @torch.no_grad()
    def teach(self, x):
        return self.teacher(x)

    def loss(self, x, y):
        t = self.teach(x)
        s = self.student(x)
        return F.kl_div(F.log_softmax(s, -1), F.softmax(t, -1), reduction="batchmean") + F.cross_entropy(s, y)


def main(loader, make):
    distiller = Distiller(make(4), make(2))
    opt = torch.optim.AdamW(distiller.student.parameters())
    for epoch in range(3):
        distiller.student.train()
        for x, y in loader:
            loss = distiller.loss(x, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
