# %% [markdown]
# # Hourly power draw of a building: the next hour from the last two days

# %%
import copy
import os

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 5
np.random.seed(SEED)
torch.manual_seed(SEED)

N_HOURS = 24 * 120
WINDOW = 48
BATCH_SIZE = 64
EPOCHS = 8
PATIENCE = 3
CKPT = "power_lstm.pt"
device = "cuda" if torch.cuda.is_available() else "cpu"

# %% the series: a day, a week, a drift and noise
hours = np.arange(N_HOURS)
power = (
    40
    + 12 * np.sin(2 * np.pi * hours / 24)
    + 5 * np.sin(2 * np.pi * hours / (24 * 7))
    + 0.004 * hours
    + 2 * np.random.randn(N_HOURS)
).astype(np.float32)

# %% split in time, scale with what is known at the time of training
n_train = int(0.7 * N_HOURS)
n_val = int(0.15 * N_HOURS)

mean = power[:n_train].mean()
std = power[:n_train].std()
scaled = (power - mean) / std


def make_windows(series):
    xs = np.stack([series[i : i + WINDOW] for i in range(len(series) - WINDOW)])
    ys = series[WINDOW:]
    return torch.from_numpy(xs).unsqueeze(-1), torch.from_numpy(ys.copy())


x_train, y_train = make_windows(scaled[:n_train])
x_val, y_val = make_windows(scaled[n_train : n_train + n_val])
x_test, y_test = make_windows(scaled[n_train + n_val :])
print("windows:", len(x_train), len(x_val), len(x_test))

train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=BATCH_SIZE, shuffle=True)
val_loader = DataLoader(TensorDataset(x_val, y_val), batch_size=BATCH_SIZE, shuffle=False)
test_loader = DataLoader(TensorDataset(x_test, y_test), batch_size=BATCH_SIZE, shuffle=False)


# %% the model
class PowerLSTM(nn.Module):
    def __init__(self, hidden=24, layers=2):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, num_layers=layers, dropout=0.1, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        last = self.drop(out[:, -1])
        return self.fc(last)


model = PowerLSTM().to(device)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)

# %% go on from an interrupted run, if there is one
start_epoch = 0
if os.path.exists(CKPT):
    ckpt = torch.load(CKPT, map_location=device)
    model.load_state_dict(ckpt["model"])
    optimizer.load_state_dict(ckpt["optimizer"])
    scheduler.load_state_dict(ckpt["scheduler"])
    start_epoch = ckpt["epoch"] + 1

# %% training
train_losses, val_losses = [], []
best_val = float("inf")
best_weights = copy.deepcopy(model.state_dict())
bad_epochs = 0

for epoch in range(start_epoch, EPOCHS):
    model.train()
    epoch_loss = 0.0
    for xb, yb in train_loader:
        xb, yb = xb.to(device), yb.to(device)
        optimizer.zero_grad()
        pred = model(xb).squeeze(-1)
        loss = criterion(pred, yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        epoch_loss += loss.item() * len(xb)
    train_losses.append(epoch_loss / len(train_loader.dataset))

    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for xb, yb in val_loader:
            xb, yb = xb.to(device), yb.to(device)
            pred = model(xb).squeeze(-1)
            val_loss += criterion(pred, yb).item() * len(xb)
    val_loss /= len(val_loader.dataset)
    val_losses.append(val_loss)
    scheduler.step(val_loss)
    print(f"epoch {epoch:2d}  train {train_losses[-1]:.4f}  val {val_loss:.4f}  lr {optimizer.param_groups[0]['lr']:.1e}")

    if val_loss < best_val:
        best_val = val_loss
        best_weights = copy.deepcopy(model.state_dict())
        bad_epochs = 0
    else:
        bad_epochs += 1
    torch.save(
        {
            "epoch": epoch,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
        },
        CKPT,
    )
    if bad_epochs >= PATIENCE:
        print("early stop")
        break

# %% test with the best weights, in kilowatts
model.load_state_dict(best_weights)
model.eval()
preds = []
with torch.no_grad():
    for xb, _ in test_loader:
        preds.append(model(xb.to(device)).squeeze(-1).cpu())
forecast = torch.cat(preds).numpy() * std + mean
actual = power[n_train + n_val + WINDOW :]
mae = np.abs(forecast - actual).mean()
naive = np.abs(actual[24:] - actual[:-24]).mean()
print(f"test MAE {mae:.2f} kW, same hour of the day before {naive:.2f} kW")
