import torch


def train_one_epoch(model, criterion, optimizer, data_loader, device, epoch, print_freq=5):
    model.train()
    running_loss, running_corrects, seen = 0.0, 0, 0
    for i, (images, targets) in enumerate(data_loader):
        images, targets = images.to(device), targets.to(device)
        outputs = model(images)
        loss = criterion(outputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, preds = torch.max(outputs, 1)
        running_loss += loss.item() * images.size(0)
        running_corrects += torch.sum(preds == targets).item()
        seen += images.size(0)
        if i % print_freq == 0:
            print(f"Epoch {epoch} [{i}/{len(data_loader)}] loss {running_loss / seen:.4f}")
    return running_loss / seen, running_corrects / seen


def evaluate(model, criterion, data_loader, device):
    model.eval()
    loss_sum, corrects, seen = 0.0, 0, 0
    with torch.inference_mode():
        for images, targets in data_loader:
            images = images.to(device)
            targets = targets.to(device)
            outputs = model(images)
            loss_sum += criterion(outputs, targets).item() * images.size(0)
            corrects += (outputs.argmax(1) == targets).sum().item()
            seen += images.size(0)
    return loss_sum / seen, corrects / seen
