"""Mutation tests: a clean training script gives no finding; each mutant of it gives the one that tells of it.

Mutants that default settings are known not to tell stand in SILENT: they count in the share that --share prints, not
as tests.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile

ASSAY = sys.argv[1]
CLASSIFY = """import torch
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
SEGMENT = """import time

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 3, 16, 16)
        self.y = (self.x.mean(1, keepdim=True) > 0).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Segmenter(nn.Module):
    def __init__(self, width=8, depth=2, rate=0.1):
        super().__init__()
        self.rate = rate
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.blocks = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])
        self.head = nn.Conv2d(width, 1, 1)
        for p in self.stem.parameters():
            p.requires_grad = False

    def forward(self, x):
        x = F.relu(self.norm(self.stem(x)))
        for block in self.blocks:
            x = x + F.relu(block(x))
        x = F.dropout(x, p=0.1, training=self.training)
        return self.head(x)


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")
        self.model = Segmenter().cuda()
        self.loss_fn = nn.BCEWithLogitsLoss()
        self.optimizer = optim.AdamW(filter(lambda p: p.requires_grad, self.model.parameters()), lr=1e-3)
        self.scaler = torch.amp.GradScaler("cuda")
        self.train_loader = DataLoader(Pairs(64), batch_size=8, shuffle=True)
        self.val_loader = DataLoader(Pairs(16), batch_size=8)

    def train_epoch(self):
        self.model.train()
        running = 0.0
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda"):
                logits = self.model(x)
                loss = self.loss_fn(logits, y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            running += loss.item()
        return running / len(self.train_loader)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        good = total = 0
        for x, y in self.val_loader:
            x, y = x.to(self.device), y.to(self.device)
            guess = torch.sigmoid(self.model(x)) > 0.5
            good += (guess == y.bool()).sum().item()
            total += y.numel()
        return good / total


def speed(n=10):
    model = Segmenter().cuda().eval()
    x = torch.randn(1, 3, 16, 16, device="cuda")
    with torch.no_grad():
        model(x)
        torch.cuda.synchronize()
        start = time.perf_counter()
        model(x)
        torch.cuda.synchronize()
        took = time.perf_counter() - start
    print(took)


def main():
    torch.manual_seed(0)
    trainer = Trainer()
    for epoch in range(2):
        print(epoch, trainer.train_epoch(), trainer.validate())
    torch.save({"model": trainer.model.state_dict(), "optimizer": trainer.optimizer.state_dict()}, "last.pt")
    speed()


if __name__ == "__main__":
    main()
"""
DISTIL = """import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
teacher = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))
student = nn.Sequential(nn.Linear(12, 4))
weights = torch.load("teacher.pt", weights_only=True)
teacher.load_state_dict(weights)
teacher.eval()
data = TensorDataset(torch.randn(96, 12), torch.randint(0, 4, (96,)))
train_loader = DataLoader(data, batch_size=16, shuffle=True)
test_loader = DataLoader(data, batch_size=16)
kl = nn.KLDivLoss(reduction="batchmean")
optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
history = []
for epoch in range(5):
    student.train()
    for x, y in train_loader:
        with torch.no_grad():
            soft = torch.softmax(teacher(x), dim=1)
        output = student(x)
        log_prob = F.log_softmax(output, dim=1)
        loss = F.nll_loss(log_prob, y) + kl(log_prob, soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    scheduler.step()
    student.eval()
    right = 0
    with torch.no_grad():
        for x, y in test_loader:
            guess = student(x).argmax(dim=1)
            right += (guess == y).sum().item()
    print(epoch, right)
torch.save(student.state_dict(), "student.pt")
"""
SEQUENCE = """import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / (c // self.heads) ** 0.5
        weights = torch.softmax(scores, dim=-1)
        mixed = torch.matmul(weights, v).transpose(1, 2).reshape(b, n, c)
        return self.out(mixed)


class Tagger(nn.Module):
    def __init__(self, words=50, tags=5, width=16):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.attention = Attention(width, 4)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, tags)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x + self.drop(self.attention(x))
        return self.head(x)


def evaluate(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for tokens, tags in loader:
            guess = model(tokens).argmax(dim=-1)
            right += (guess == tags).sum().item()
            total += tags.numel()
    return right / total


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    for tokens, tags in loader:
        optimizer.zero_grad()
        logits = model(tokens)
        x = logits.permute(0, 2, 1)
        loss = criterion(x, tags)
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(2)
    data = TensorDataset(torch.randint(0, 50, (64, 10)), torch.randint(0, 5, (64, 10)))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    val_loader = DataLoader(data, batch_size=8)
    model = Tagger()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        train_epoch(model, train_loader, optimizer, criterion)
        print(epoch, evaluate(model, val_loader))
    torch.save(model.state_dict(), "tagger.pt")


main()
"""
SCRIPTS = {"classify": CLASSIFY, "segment": SEGMENT, "distil": DISTIL, "sequence": SEQUENCE}
# script, name, text taken out, text put in, the code that must be told
MUTANTS = [
    ("classify", "zero_grad deleted", "            optimizer.zero_grad()\n", "", "SB032"),
    ("classify", "zero_grad behind backward", "            optimizer.zero_grad()\n            output = model(x)\n            loss = criterion(output, y)\n            loss.backward()\n", "            output = model(x)\n            loss = criterion(output, y)\n            loss.backward()\n            optimizer.zero_grad()\n", "SB031"),
    ("classify", "softmax inserted", "return self.head(x)", "return torch.softmax(self.head(x), dim=1)", "SB101"),
    ("classify", "sigmoid inserted", "return self.head(x)", "return torch.sigmoid(self.head(x))", "SB101"),
    ("classify", "eval dropped", "        model.eval()\n", "", "SB022"),
    ("classify", "train dropped", "        model.train()\n", "", "SB025"),
    ("classify", "shuffle dropped", ", shuffle=True", "", "SB061"),
    ("classify", "loss summed with its graph", "total += loss.item()", "total += loss", "SB204"),
    ("classify", "loss wrapped", "            loss.backward()\n", "            loss = torch.tensor(loss, requires_grad=True)\n            loss.backward()\n", "SB035"),
    ("classify", "scheduler first", "        total = 0.0\n", "        total = 0.0\n        scheduler.step()\n", "SB205"),
    ("classify", "clipped before backward", "            loss.backward()\n            nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", "            nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n            loss.backward()\n", "SB207"),
    ("classify", "whole model saved", "model.state_dict()", "model", "SB041"),
    ("classify", "result of to discarded", "x, y = x.to(device), y.to(device)", "x = torch.zeros(8, 16)\n            x.to(device)", "SB201"),
    ("classify", "loss arguments swapped", "criterion(output, y)", "criterion(y, output)", "SB108"),
    ("segment", "zero_grad behind backward", "            self.scaler.unscale_(self.optimizer)\n", "            self.optimizer.zero_grad()\n            self.scaler.unscale_(self.optimizer)\n", "SB031"),
    ("segment", "sigmoid inserted", "return self.head(x)", "return torch.sigmoid(self.head(x))", "SB102"),
    ("segment", "sigmoid at the loss", "self.loss_fn(logits, y)", "self.loss_fn(logits.sigmoid(), y)", "SB102"),
    ("segment", "softmax into BCE", "loss = self.loss_fn(logits, y)", "loss = F.binary_cross_entropy(torch.softmax(logits, dim=1), y)", "SB103"),
    ("segment", "loss summed with its graph", "running += loss.item()", "running += loss", "SB204"),
    ("segment", "whole model saved", "torch.save({\"model\": trainer.model.state_dict(), \"optimizer\": trainer.optimizer.state_dict()}, \"last.pt\")", "torch.save(trainer.model, \"last.pt\")", "SB041"),
    ("segment", "unscale_ dropped", "            self.scaler.unscale_(self.optimizer)\n", "", "SB207"),
    ("segment", "clipped after the step", "            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)\n            self.scaler.step(self.optimizer)\n", "            self.scaler.step(self.optimizer)\n            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)\n", "SB207"),
    ("segment", "training= dropped", "x, p=0.1, training=self.training", "x, p=0.1", "SB202"),
    ("segment", "plain list of layers", "nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])", "[nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)]", "SB203"),
    ("segment", "requires_grad misspelt", "p.requires_grad = False", "p.require_grad = False", "SB208"),
    ("segment", "second wait dropped", "        model(x)\n        torch.cuda.synchronize()\n        took", "        model(x)\n        took", "SB131"),
    ("segment", "tensor of a tensor", "running += loss.item()", "running += torch.tensor(loss).item()", "SB217"),
    ("segment", "Variable around the input", "logits = self.model(x)", "logits = self.model(torch.autograd.Variable(x))", "SB091"),
    ("distil", "zero_grad deleted", "        optimizer.zero_grad()\n", "", "SB032"),
    ("distil", "zero_grad behind backward", "        optimizer.zero_grad()\n        loss.backward()\n", "        loss.backward()\n        optimizer.zero_grad()\n", "SB031"),
    ("distil", "weights never loaded", "teacher.load_state_dict(weights)\n", "print(len(weights))\n", "SB011"),
    ("distil", "softmax into NLL", "F.log_softmax(output, dim=1)", "F.softmax(output, dim=1)", "SB104"),
    ("distil", "softmax into KL", "kl(log_prob, soft)", "kl(torch.softmax(output, dim=1), soft)", "SB105"),
    ("distil", "log-softmax into cross-entropy", "F.nll_loss(log_prob, y)", "F.cross_entropy(torch.softmax(output, dim=1), y)", "SB101"),
    ("distil", "log of a log-probability", "F.log_softmax(output, dim=1)", "torch.log(F.log_softmax(output, dim=1))", "SB106"),
    ("distil", "dim dropped", "torch.softmax(teacher(x), dim=1)", "F.softmax(teacher(x))", "SB214"),
    ("distil", "loss class called with tensors", "kl(log_prob, soft)", "nn.KLDivLoss(log_prob, soft)", "SB107"),
    ("distil", "target and prediction swapped", "F.nll_loss(log_prob, y)", "F.nll_loss(y, log_prob)", "SB108"),
    ("distil", "scheduler first", "    student.train()\n", "    scheduler.step()\n    student.train()\n", "SB205"),
    ("distil", "eval dropped", "    student.eval()\n", "", "SB022"),
    ("distil", "train dropped", "    student.train()\n", "", "SB025"),
    ("distil", "shuffle dropped", ", shuffle=True", "", "SB061"),
    ("distil", "whole student saved", "student.state_dict()", "student", "SB041"),
    ("distil", "loss wrapped in Variable", "        loss.backward()\n", "        loss = torch.autograd.Variable(loss, requires_grad=True)\n        loss.backward()\n", "SB092"),
    ("distil", "loss made anew", "        loss.backward()\n", "        loss = torch.tensor(loss.item(), requires_grad=True)\n        loss.backward()\n", "SB035"),
    ("distil", "output cut and made a leaf", "        log_prob = F.log", "        output = output.detach().requires_grad_()\n        log_prob = F.log", "SB051"),
    ("sequence", "zero_grad deleted", "        optimizer.zero_grad()\n", "", "SB032"),
    ("sequence", "zero_grad behind backward", "        optimizer.zero_grad()\n        logits = model(tokens)\n        x = logits.permute(0, 2, 1)\n        loss = criterion(x, tags)\n        loss.backward()\n", "        logits = model(tokens)\n        x = logits.permute(0, 2, 1)\n        loss = criterion(x, tags)\n        loss.backward()\n        optimizer.zero_grad()\n", "SB031"),
    ("sequence", "view for permute", "x = logits.permute(0, 2, 1)", "b, n, c = logits.shape\n        x = logits.view(b, c, n)", "SB111"),
    ("sequence", "view for transpose", "        x = self.embed(tokens)\n", "        x = self.embed(tokens)\n        b, n, c = x.shape\n        x = x.view(n, b, c)\n", "SB111"),
    ("sequence", "softmax inserted, loss beside the model", "criterion(x, tags)", "criterion(torch.softmax(x, dim=1), tags)", "SB101"),
    ("sequence", "permute discarded", "x = logits.permute(0, 2, 1)", "logits.permute(0, 2, 1)\n        x = logits.reshape(-1, logits.shape[-1], 1).squeeze(-1)", "SB201"),
    ("sequence", "softmax without dim", "torch.softmax(scores, dim=-1)", "nn.functional.softmax(scores)", "SB214"),
    ("sequence", "whole model saved", "model.state_dict()", "model", "SB041"),
    ("sequence", "loss wrapped", "        loss.backward()\n", "        loss = torch.tensor(loss, requires_grad=True)\n        loss.backward()\n", "SB035"),
    ("distil", ".data into the loss", "kl(log_prob, soft)", "kl(log_prob.data, soft)", "SB121"),
    ("distil", "student trained in eval mode", "    student.train()\n", "    student.eval()\n", "SB025"),
    ("distil", "eval before the forward of training", "        output = student(x)\n", "        student.eval()\n        output = student(x)\n", "SB024"),
    ("classify", "eval before the forward of training", "            output = model(x)\n", "            model.eval()\n            output = model(x)\n", "SB024"),
    ("classify", "plain list of layers", "        self.head = nn.Linear(16, 3)\n", "        self.head = nn.Linear(16, 3)\n        self.more = [nn.Linear(3, 3), nn.Linear(3, 3)]\n", "SB203"),
    ("distil", "softmax into cross-entropy behind a name", "        loss = F.nll_loss(log_prob, y)", "        prob = F.softmax(output, dim=-1)\n        loss = nn.CrossEntropyLoss()(prob, y)", "SB101"),
]
SILENT = [
    ("segment", "zero_grad deleted", "            self.optimizer.zero_grad(set_to_none=True)\n", "", "SB032"),
    ("segment", "shuffle dropped", ", shuffle=True", "", "SB061"),
    ("segment", "training= dropped, rate a field", "x, p=0.1, training=self.training", "x, p=self.rate", "SB202"),
    ("segment", "result of to discarded", "x, y = x.to(self.device), y.to(self.device)", "y.to(self.device)", "SB201"),
    ("segment", "no_grad dropped", "    @torch.no_grad()\n", "", "SB021"),
    ("distil", "softmax over the batch", "torch.softmax(teacher(x), dim=1)", "torch.softmax(teacher(x), dim=0)", "SB109"),
    ("distil", "log-softmax over the batch", "F.log_softmax(output, dim=1)", "F.log_softmax(output, dim=0)", "SB109"),
    ("distil", "no_grad dropped", "    with torch.no_grad():\n        for x, y in test_loader:", "    if right == 0:\n        for x, y in test_loader:", "SB021"),
    ("sequence", "softmax inserted", "return self.head(x)", "return self.head(x).softmax(dim=-1)", "SB101"),
    ("sequence", "no_grad dropped", "    with torch.no_grad():\n", "    if total == 0:\n", "SB021"),
    ("sequence", "shuffle dropped", ", shuffle=True", "", "SB061"),
    ("sequence", "loss arguments swapped", "criterion(x, tags)", "criterion(tags, x)", "SB108"),
    ("sequence", "eval dropped", "    model.eval()\n", "", "SB022"),
    ("sequence", "train dropped", "    model.train()\n", "", "SB025"),
]


def codes(text: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "train.py")
        path.write_text(text, encoding="utf-8")
        run = subprocess.run([ASSAY, "lint", "--isolated", "--no-cache", "--json", str(path)], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            return [run.stderr]
        return sorted({f["code"] for f in json.loads(run.stdout)})


def mutant(script: str, old: str, new: str) -> str:
    assert old in SCRIPTS[script], (script, old)
    return SCRIPTS[script].replace(old, new, 1)


def share() -> None:
    """Told and tried, per rule."""
    rules: dict[str, list[int]] = {}
    for script, name, old, new, code in MUTANTS + SILENT:
        is_told = code in codes(mutant(script, old, new))
        row = rules.setdefault(code, [0, 0])
        row[0] += is_told
        row[1] += 1
        if not is_told:
            print(f"not told: {script}: {name}: {code}")
    for code, (told, tried) in sorted(rules.items()):
        print(f"{code} {told} of {tried}")
    print(f"all {sum(r[0] for r in rules.values())} of {sum(r[1] for r in rules.values())}, {len(rules)} rules")


def main() -> int:
    if "--share" in sys.argv:
        share()
        return 0
    failed = 0
    for script, text in SCRIPTS.items():
        clean = codes(text)
        if clean:
            failed += 1
            print(f"the clean script {script}: {clean}")
    for script, name, old, new, code in MUTANTS:
        found = codes(mutant(script, old, new))
        if code not in found:
            failed += 1
            print(f"{script}: {name}: {code} is expected, got {found}")
    print(f"{len(MUTANTS) + len(SCRIPTS) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
