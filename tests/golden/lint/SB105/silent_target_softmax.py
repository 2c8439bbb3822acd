import torch
from torch import nn
from torch.nn import functional as F

student = nn.Linear(4, 3)
teacher = nn.Linear(4, 3)
x = torch.zeros(2, 4)
loss = F.kl_div(F.log_softmax(student(x), 1), F.softmax(teacher(x), 1), reduction='batchmean')
