import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from bilstm import BiLSTMTagger
from reader import PAD_TAG, TAGS, Collate, build_vocab, read_corpus


def evaluate(model, loader, device):
    model.eval()
    right, tokens, whole, sentences = 0, 0, 0, 0
    with torch.no_grad():
        for x, y, lengths in loader:
            x, y, lengths = x.to(device), y.to(device), lengths.to(device)
            pred = model(x, lengths).argmax(dim=-1)
            real = y != PAD_TAG
            right += ((pred == y) & real).sum().item()
            tokens += real.sum().item()
            whole += ((pred == y) | ~real).all(dim=1).sum().item()
            sentences += y.size(0)
    return right / tokens, whole / sentences


def main():
    parser = argparse.ArgumentParser(description="BiLSTM tagger")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--warmup", type=int, default=10)
    args = parser.parse_args()

    torch.manual_seed(31)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train, dev = read_corpus(700, seed=1), read_corpus(150, seed=2)
    vocab = build_vocab(train)
    collate = Collate(vocab)
    train_loader = DataLoader(train, batch_size=args.batch, shuffle=True, collate_fn=collate)
    dev_loader = DataLoader(dev, batch_size=50, collate_fn=collate)

    model = BiLSTMTagger(len(vocab), len(TAGS)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=args.warmup)
    loss_fn = nn.CrossEntropyLoss(ignore_index=PAD_TAG)

    for epoch in range(1, args.epochs + 1):
        model.train()
        loss_sum, n_tokens = 0.0, 0
        for x, y, lengths in train_loader:
            x, y, lengths = x.to(device), y.to(device), lengths.to(device)
            logits = model(x, lengths)
            loss = loss_fn(logits.flatten(0, 1), y.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            warmup.step()
            k = int(lengths.sum())
            loss_sum += loss.item() * k
            n_tokens += k
        acc, whole = evaluate(model, dev_loader, device)
        print("epoch %d | loss %.4f | dev tokens %.4f | dev sentences %.4f" % (epoch, loss_sum / n_tokens, acc, whole))


if __name__ == "__main__":
    main()
