import argparse

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from tqdm.auto import tqdm

from backbone import Classifier, pretrain
from corpus import source_task, target_task


def evaluate(accelerator, model, loader):
    model.eval()
    predictions, references = [], []
    for x, y in loader:
        with torch.no_grad():
            logits = model(x)
        pred, ref = accelerator.gather_for_metrics((logits.argmax(dim=-1), y))
        predictions.append(pred)
        references.append(ref)
    return (torch.cat(predictions) == torch.cat(references)).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--num_train_epochs", type=int, default=1)
    ap.add_argument("--per_device_batch_size", type=int, default=16)
    ap.add_argument("--gradient_accumulation_steps", type=int, default=2)
    ap.add_argument("--backbone_lr", type=float, default=3e-4)
    ap.add_argument("--head_lr", type=float, default=3e-3)
    ap.add_argument("--output", default="finetuned.pt")
    args = ap.parse_args()

    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    set_seed(17)
    pretrain(source_task(32), "backbone.pt")

    train_loader, val_loader = target_task(args.per_device_batch_size)
    model = Classifier(n_classes=4)
    model.backbone.load_state_dict(torch.load("backbone.pt", weights_only=True))
    model.freeze_stem()

    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in model.backbone.parameters() if p.requires_grad], "lr": args.backbone_lr},
            {"params": model.head.parameters(), "lr": args.head_lr},
        ]
    )
    scheduler = CosineAnnealingLR(optimizer, T_max=args.num_train_epochs)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    model, optimizer, train_loader, val_loader = accelerator.prepare(model, optimizer, train_loader, val_loader)

    for epoch in range(args.num_train_epochs):
        model.train()
        bar = tqdm(train_loader, disable=not accelerator.is_local_main_process)
        for x, y in bar:
            with accelerator.accumulate(model):
                loss = criterion(model(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            bar.set_postfix(loss=f"{loss.item():.3f}")
        scheduler.step()
        accelerator.print(f"epoch {epoch}: accuracy {evaluate(accelerator, model, val_loader):.3f}")

    accelerator.wait_for_everyone()
    accelerator.save(accelerator.unwrap_model(model).state_dict(), args.output)


if __name__ == "__main__":
    main()
