import torch
import torch.nn.functional as F


def train_one_epoch(state, loader, cfg):
    model, optimizer, scaler = state["model"], state["optimizer"], state["scaler"]
    model.train()
    optimizer.zero_grad(set_to_none=True)
    total = 0.0
    for step, (images, labels) in enumerate(loader):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=cfg.amp):
            loss = F.cross_entropy(model(images), labels, label_smoothing=0.1)
        scaler.scale(loss / cfg.accum_steps).backward()
        if (step + 1) % cfg.accum_steps == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.max_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            state["scheduler"].step()
            state["ema"].update(model)
        total += loss.item()
    return total / len(loader)


@torch.inference_mode()
def validate(net, loader):
    net.eval()
    hits = seen = 0
    for images, labels in loader:
        hits += (net(images).argmax(1) == labels).sum().item()
        seen += labels.numel()
    return hits / seen
