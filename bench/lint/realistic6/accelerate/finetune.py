"""Fine-tuning with accelerate."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

from backbone import Backbone, Classifier


def images(n):
    y = torch.randint(0, 3, (n,))
    x = 0.3 * torch.randn(n, 3, 16, 16)
    x[torch.arange(n), y] += 0.5
    return TensorDataset(x, y)


def evaluate(model, loader, accelerator):
    model.eval()
    right, seen = 0, 0
    with torch.no_grad():
        for x, y in loader:
            guess, truth = accelerator.gather_for_metrics((model(x).argmax(dim=-1), y))
            right += (guess == truth).sum().item()
            seen += truth.numel()
    return right / seen


def main(epochs=1, lr=1e-2):
    accelerator = Accelerator(gradient_accumulation_steps=2)
    torch.manual_seed(11)
    model = Classifier(Backbone(), 3)
    model.freeze()
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=lr)
    train_loader = DataLoader(images(192), batch_size=16, shuffle=True)
    test_loader = DataLoader(images(64), batch_size=32)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=lr, total_steps=epochs * len(train_loader))
    model, optimizer, train_loader, test_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, test_loader, scheduler
    )
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            with accelerator.accumulate(model):
                loss = F.cross_entropy(model(x), y)
                accelerator.backward(loss)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        accelerator.print(epoch, evaluate(model, test_loader, accelerator))
    accelerator.wait_for_everyone()
    accelerator.save(accelerator.unwrap_model(model).state_dict(), "classifier.pt")


if __name__ == "__main__":
    main()
