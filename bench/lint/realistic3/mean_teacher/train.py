import itertools
import logging

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from models import create_model

logger = logging.getLogger("mean-teacher")


def update_ema(student, teacher, alpha, step):
    alpha = min(1 - 1 / (step + 1), alpha)
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.data.mul_(alpha).add_(s.data, alpha=1 - alpha)


def consistency_loss(student_logits, teacher_logits):
    return F.kl_div(F.log_softmax(student_logits, dim=1), F.softmax(teacher_logits, dim=1), reduction="batchmean")


def train_one_epoch(student, teacher, labelled, unlabelled, optimizer, step, opts):
    student.train()
    teacher.train()
    for (x, y), (u,) in zip(itertools.cycle(labelled), unlabelled):
        logits = student(x)
        class_loss = F.cross_entropy(logits, y)
        noisy = u + 0.1 * torch.randn_like(u)
        with torch.no_grad():
            teacher_logits = teacher(u)
        unsup_loss = consistency_loss(student(noisy), teacher_logits)
        loss = class_loss + opts["weight"] * unsup_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        update_ema(student, teacher, opts["alpha"], step)
    logger.info("step %d loss %.4f", step, loss.item())
    return step


def validate(model, loader):
    model.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for x, y in loader:
            correct += model(x).argmax(1).eq(y).sum().item()
            total += y.size(0)
    return 100.0 * correct / total


def build_loaders(opts):
    x = torch.randn(300, 1, 8, 8)
    y = (x.flatten(1)[:, :5]).argmax(1)
    labelled = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=opts["batch"], shuffle=True, drop_last=True)
    unlabelled = DataLoader(TensorDataset(x[60:240]), batch_size=opts["batch"], shuffle=True, drop_last=True)
    valid = DataLoader(TensorDataset(x[240:], y[240:]), batch_size=60, shuffle=False)
    return labelled, unlabelled, valid


def main(opts):
    logging.basicConfig(level=logging.INFO)
    student = create_model()
    teacher = create_model(ema=True)
    optimizer = torch.optim.SGD(student.parameters(), lr=opts["lr"], momentum=0.9, nesterov=True)
    labelled, unlabelled, valid = build_loaders(opts)
    step = 0
    for epoch in range(opts["epochs"]):
        step = train_one_epoch(student, teacher, labelled, unlabelled, optimizer, step, opts)
        logger.info("student %.1f teacher %.1f", validate(student, valid), validate(teacher, valid))


if __name__ == "__main__":
    torch.manual_seed(0)
    main({"batch": 20, "lr": 0.05, "weight": 1.0, "alpha": 0.99, "epochs": 2})
