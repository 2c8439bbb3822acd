from torch import nn


def update(student, teacher, decay):
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.data.mul_(decay).add_(s.data, alpha=1 - decay)


model = nn.Linear(4, 2)
teacher = model  # expect: SB234
for step in range(10):
    update(model, teacher, 0.99)
