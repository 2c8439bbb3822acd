def test(model, test_loader):
    correct = 0
    for data, target in test_loader:
        pred = model(data).argmax(dim=1, keepdim=True)
        correct += pred.eq(target.view_as(pred)).sum().item()
    acc = correct / len(test_loader)  # expect: SB313
    return acc
