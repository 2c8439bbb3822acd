import torch
import torch.nn.functional as F
from torch import nn


def feature_loss(s, t, project):
    return F.mse_loss(project(s), t)


def train(student, teacher, loader):
    project = nn.Conv2d(8, 16, 1)
    optimizer = torch.optim.Adam([*student.parameters(), *project.parameters()])
    for x, y in loader:
        loss = feature_loss(student(x), teacher(x).detach(), project)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
