import torch
import torch.nn.functional as F


def train_one_epoch(model, criterion, loader, optimizer, cfg, logger):
    model.train()
    total = torch.zeros(1)
    for x, tags, count in loader:
        logits, n_hat = model(x)
        loss = criterion(logits, tags) + cfg["count_weight"] * F.l1_loss(n_hat, count)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach() * len(x)
    logger.info("train loss %.4f", total.item() / len(loader.dataset))


def evaluate(model, loader):
    model.eval()
    all_logits, all_tags, err = [], [], 0.0
    with torch.inference_mode():
        for x, tags, count in loader:
            logits, n_hat = model(x)
            all_logits.append(logits)
            all_tags.append(tags)
            err += (n_hat - count).abs().sum().item()
    f1 = macro_f1(torch.cat(all_logits), torch.cat(all_tags))
    return {"f1": f1, "mae": err / len(loader.dataset)}


def macro_f1(logits, tags, threshold=0.5):
    pred = (torch.sigmoid(logits) > threshold).float()
    tp = (pred * tags).sum(dim=0)
    f1 = 2 * tp / (pred.sum(dim=0) + tags.sum(dim=0)).clamp(min=1)
    return f1.mean().item()
