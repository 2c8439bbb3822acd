import argparse

import torch
from torch import optim
from torch.utils.data import DataLoader, TensorDataset

from nets import VAE
from objective import elbo


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--log-interval", type=int, default=4)
    return parser.parse_args()


def get_loaders(args):
    images = (torch.rand(320, 64) > 0.7).float()
    train_set, test_set = TensorDataset(images[:256]), TensorDataset(images[256:])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=args.batch_size)
    return train_loader, test_loader


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    train_loss = 0
    for batch_idx, (data,) in enumerate(loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = elbo(recon, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            print(f"epoch {epoch} [{batch_idx}/{len(loader)}] loss {loss.item():.4f}")
    print(f"====> epoch {epoch} average loss {train_loss / len(loader):.4f}")


def test(model, device, loader):
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for (data,) in loader:
            data = data.to(device)
            recon, mu, logvar = model(data)
            test_loss += elbo(recon, data, mu, logvar).item()
    test_loss /= len(loader)
    print(f"====> test loss {test_loss:.4f}")
    return test_loss


def main():
    args = get_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, test_loader = get_loaders(args)
    model = VAE().to(device)
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    best = float("inf")
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, train_loader, optimizer, epoch)
        score = test(model, device, test_loader)
        if score < best:
            best = score
            torch.save(model.state_dict(), "vae.pt")


if __name__ == "__main__":
    main()
