from average import Average, blend
from torch import nn


def main():
    net = nn.Linear(4, 2)
    average = Average(net)
    for epoch in range(3):
        average.update(net)


def teach():
    student = nn.Linear(4, 2)
    teacher = nn.Linear(4, 2)
    for epoch in range(3):
        blend(teacher, student, 0.9)
