import torch
import torch.nn.functional as F
from torch import nn


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher, self.student = teacher, student
        for mine, theirs in enumerate((0, 3)):
            self.student.layers[mine] = teacher.layers[theirs].requires_grad_(False)

    def loss(self, x):
        with torch.no_grad():
            t = self.teacher(x)
        return F.mse_loss(self.student(x), t)
