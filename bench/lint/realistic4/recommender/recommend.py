"""Matrix factorisation with biases on ratings from one to five."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Factorisation(nn.Module):
    def __init__(self, n_users, n_items, k=8):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        self.dropout = nn.Dropout(0.1)

    def forward(self, users, items):
        dot = (self.dropout(self.user(users)) * self.item(items)).sum(dim=1)
        bias = self.user_bias(users) + self.item_bias(items)
        return dot + bias.squeeze(1) + self.mean


def ratings(n_users=40, n_items=60, n=2000):
    g = torch.Generator().manual_seed(11)
    u, v = torch.randn(n_users, 3, generator=g), torch.randn(n_items, 3, generator=g)
    users = torch.randint(n_users, (n,), generator=g)
    items = torch.randint(n_items, (n,), generator=g)
    stars = ((u[users] * v[items]).sum(1) + 3).clamp(1, 5).round()
    return users, items, stars


def fit(model, train_dl, val_dl, epochs, lr, patience=3):
    opt = optim.Adagrad(model.parameters(), lr=lr)
    sched = optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)
    loss_func = nn.MSELoss()
    best, wait = float("inf"), 0
    for epoch in range(epochs):
        model.train()
        train_loss = 0.0
        for xb_user, xb_item, yb in train_dl:
            pred = model(xb_user, xb_item)
            loss = loss_func(pred, yb)
            loss.backward()
            opt.step()
            opt.zero_grad()
            train_loss += loss.item() * len(yb)
        model.eval()
        with torch.no_grad():
            losses, nums = zip(*[(loss_func(model(u, i), y).item(), len(y)) for u, i, y in val_dl])
        val_loss = sum(l * n for l, n in zip(losses, nums)) / sum(nums)
        sched.step(val_loss)
        print(epoch, train_loss / len(train_dl.dataset), val_loss)
        if val_loss < best:
            best, wait = val_loss, 0
            torch.save(model.state_dict(), "mf.pt")
        else:
            wait += 1
            if wait == patience:
                break
    return best


if __name__ == "__main__":
    torch.manual_seed(0)
    users, items, stars = ratings()
    train_ds = TensorDataset(users[:1600], items[:1600], stars[:1600])
    val_ds = TensorDataset(users[1600:], items[1600:], stars[1600:])
    train_dl = DataLoader(train_ds, batch_size=100, shuffle=True)
    val_dl = DataLoader(val_ds, batch_size=200)
    print("best", fit(Factorisation(40, 60), train_dl, val_dl, epochs=2, lr=0.05))
