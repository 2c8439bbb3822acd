from torch import nn


def conv_bn(c_in, c_out, stride=1):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True))


class Net(nn.Module):
    """Returns the logits and the maps of each stage (for hint losses)."""

    def __init__(self, widths, classes, dropout=0.0):
        super().__init__()
        self.stem = conv_bn(1, widths[0])
        self.stages = nn.ModuleList([conv_bn(a, b, 2) for a, b in zip(widths, widths[1:])])
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(widths[-1], classes)

    def forward(self, x):
        maps = []
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        return self.fc(self.drop(x.mean((2, 3)))), maps


def teacher(classes):
    return Net([16, 32, 48], classes, dropout=0.3)


def student(classes):
    return Net([4, 8, 16], classes)


class Hint(nn.Module):
    """1x1 convolution that lifts a student's map to the teacher's width."""

    def __init__(self, c_student, c_teacher):
        super().__init__()
        self.lift = nn.Conv2d(c_student, c_teacher, 1)

    def forward(self, s, t):
        return (self.lift(s) - t).pow(2).mean()
