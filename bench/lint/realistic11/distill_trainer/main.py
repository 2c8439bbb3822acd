import torch
from torch.utils.data import DataLoader, TensorDataset

from nets import Student, Teacher
from trainers import DistillTrainer, SupervisedTrainer

N_FEATURES, N_CLASSES, N_ROWS = 20, 6, 4000
TEACHER_EPOCHS, STUDENT_EPOCHS = 6, 8


def spirals(n, generator):
    """Six noisy arms, lifted by a fixed random projection."""
    y = torch.randint(0, N_CLASSES, (n,), generator=generator)
    r = torch.rand(n, generator=generator)
    angle = 2.5 * r + y * (2 * torch.pi / N_CLASSES) + 0.15 * torch.randn(n, generator=generator)
    plane = torch.stack([r * angle.cos(), r * angle.sin()], dim=1)
    lift = torch.randn(2, N_FEATURES, generator=torch.Generator().manual_seed(99))
    return plane @ lift + 0.05 * torch.randn(n, N_FEATURES, generator=generator), y


def make_loaders():
    generator = torch.Generator().manual_seed(3)
    x, y = spirals(N_ROWS, generator)
    cut = int(0.8 * N_ROWS)
    train = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=64, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(x[cut:], y[cut:]), batch_size=256)
    return train, val


def train_teacher(train, val):
    teacher = Teacher(N_FEATURES, N_CLASSES)
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=3e-3, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=TEACHER_EPOCHS)
    trainer = SupervisedTrainer(teacher, optimizer, scheduler, max_norm=1.0)
    print("teacher:", trainer.fit(train, val, TEACHER_EPOCHS))
    return teacher


def main():
    torch.manual_seed(0)
    train, val = make_loaders()
    teacher = train_teacher(train, val)

    student = Student(N_FEATURES, N_CLASSES)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STUDENT_EPOCHS)
    trainer = DistillTrainer(student, teacher, optimizer, scheduler, temperature=3.0, alpha=0.7, max_norm=5.0)
    print("student:", trainer.fit(train, val, STUDENT_EPOCHS))
    torch.save({"student": student.state_dict(), "history": trainer.history}, "student.pt")


if __name__ == "__main__":
    main()
