"""A variational autoencoder on synthetic strokes; one file, functions around module-level objects."""
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, n_in=64, n_hidden=32, n_latent=4):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.mu = nn.Linear(n_hidden, n_latent)
        self.logvar = nn.Linear(n_hidden, n_latent)
        self.fc3 = nn.Linear(n_latent, n_hidden)
        self.drop = nn.Dropout(0.1)
        self.fc4 = nn.Linear(n_hidden, n_in)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.mu(h), self.logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(self.drop(F.relu(self.fc3(z)))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def strokes(n, seed):
    g = torch.Generator().manual_seed(seed)
    rows = torch.randint(0, 8, (n,), generator=g)
    images = torch.zeros(n, 8, 8)
    images[torch.arange(n), rows] = 1.0
    return TensorDataset(images.view(n, 64))


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


torch.manual_seed(0)
train_loader = DataLoader(strokes(256, 0), batch_size=32, shuffle=True)
test_loader = DataLoader(strokes(64, 1), batch_size=32)
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1)


def train(epoch):
    model.train()
    train_loss = 0
    for (data,) in train_loader:
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = loss_function(recon, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    print(f"epoch {epoch} loss {train_loss / len(train_loader.dataset):.3f}")


def test():
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for (data,) in test_loader:
            recon, mu, logvar = model(data)
            test_loss += loss_function(recon, data, mu, logvar).item()
    print(f"test {test_loss / len(test_loader.dataset):.3f}")


if __name__ == "__main__":
    for epoch in range(1):
        train(epoch)
        test()
        scheduler.step()
