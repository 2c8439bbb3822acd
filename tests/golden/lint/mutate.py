"""Mutation tests: a clean training script gives no finding; each mutant of it gives the one that tells of it."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile

ASSAY = sys.argv[1]
SCRIPT = """import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 16)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        x = self.drop(torch.relu(self.body(x)))
        return self.head(x)


def run(device="cpu"):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 16), torch.randint(0, 3, (64,)))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    val_loader = DataLoader(data, batch_size=8)
    model = Net().to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    for epoch in range(3):
        model.train()
        total = 0.0
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            output = model(x)
            loss = criterion(output, y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        scheduler.step()
        model.eval()
        hits = 0
        with torch.no_grad():
            for x, y in val_loader:
                output = model(x.to(device))
                hits += (output.argmax(1) == y).sum().item()
        print(epoch, total / len(train_loader), hits)
    torch.save(model.state_dict(), "model.pt")


run()
"""
# name, text taken out, text put in, the code that must be told
MUTANTS = [
    ("zero_grad deleted", "            optimizer.zero_grad()\n", "", "SB032"),
    ("zero_grad behind backward", "            optimizer.zero_grad()\n            output = model(x)\n            loss = criterion(output, y)\n            loss.backward()\n", "            output = model(x)\n            loss = criterion(output, y)\n            loss.backward()\n            optimizer.zero_grad()\n", "SB031"),
    ("softmax inserted", "return self.head(x)", "return torch.softmax(self.head(x), dim=1)", "SB101"),
    ("sigmoid inserted", "return self.head(x)", "return torch.sigmoid(self.head(x))", "SB101"),
    ("eval dropped", "        model.eval()\n", "", "SB022"),
    ("train dropped", "        model.train()\n", "", "SB025"),
    ("shuffle dropped", ", shuffle=True", "", "SB061"),
    ("loss summed with its graph", "total += loss.item()", "total += loss", "SB204"),
    ("loss wrapped", "            loss.backward()\n", "            loss = torch.tensor(loss, requires_grad=True)\n            loss.backward()\n", "SB035"),
    ("scheduler first", "        total = 0.0\n", "        total = 0.0\n        scheduler.step()\n", "SB205"),
    ("clipped before backward", "            loss.backward()\n            nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", "            nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n            loss.backward()\n", "SB207"),
    ("whole model saved", "model.state_dict()", "model", "SB041"),
    ("result of to discarded", "x, y = x.to(device), y.to(device)", "x = torch.zeros(8, 16)\n            x.to(device)", "SB201"),
    ("loss arguments swapped", "criterion(output, y)", "criterion(y, output)", "SB108"),
]


def codes(text: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "train.py")
        path.write_text(text, encoding="utf-8")
        run = subprocess.run([ASSAY, "lint", "--isolated", "--no-cache", "--json", str(path)], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            return [run.stderr]
        return sorted({f["code"] for f in json.loads(run.stdout)})


def main() -> int:
    failed = 0
    clean = codes(SCRIPT)
    if clean:
        failed += 1
        print(f"the clean script: {clean}")
    for name, old, new, code in MUTANTS:
        assert old in SCRIPT, name
        found = codes(SCRIPT.replace(old, new, 1))
        if (code and code not in found) or (not code and found):
            failed += 1
            print(f"{name}: {code} is expected, got {found}")
    print(f"{len(MUTANTS) + 1 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
