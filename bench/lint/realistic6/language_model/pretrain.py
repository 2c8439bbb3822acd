"""Characters of a made-up text, next-token loss."""

import torch
import torch.nn.functional as F

from lm import LanguageModel

CONTEXT = 32


def corpus(n=6000):
    words = ["anna", "otto", "level", "noon", "kayak", "radar"]
    g = torch.Generator().manual_seed(0)
    text = " ".join(words[int(i)] for i in torch.randint(0, len(words), (n // 5,), generator=g))
    letters = sorted(set(text))
    return torch.tensor([letters.index(c) for c in text]), len(letters)


def batch_of(data, size, device):
    starts = torch.randint(0, len(data) - CONTEXT - 1, (size,))
    x = torch.stack([data[s : s + CONTEXT] for s in starts])
    y = torch.stack([data[s + 1 : s + CONTEXT + 1] for s in starts])
    return x.to(device), y.to(device)


def next_token_loss(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits.view(-1, logits.size(-1)), y.reshape(-1))


@torch.no_grad()
def estimate(model, data, device, rounds=5):
    model.eval()
    values = [next_token_loss(model, *batch_of(data, 16, device)).item() for _ in range(rounds)]
    model.train()
    return sum(values) / rounds


def main(steps=60):
    torch.manual_seed(6)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data, n_tokens = corpus()
    cut = int(0.9 * len(data))
    train_data, val_data = data[:cut], data[cut:]
    model = LanguageModel(n_tokens, CONTEXT).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    stats = {"loss": 0.0, "steps": 0}
    model.train()
    for step in range(steps):
        x, y = batch_of(train_data, 16, device)
        loss = next_token_loss(model, x, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        stats["loss"] += loss.item()
        stats["steps"] += 1
        if step % 20 == 19:
            print(step, float(stats["loss"]) / stats["steps"], estimate(model, val_data, device))


if __name__ == "__main__":
    main()
