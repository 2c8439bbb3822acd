"""Sentiment on synthetic token sequences with a small BERT made from a configuration."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForSequenceClassification, BertModel, get_linear_schedule_with_warmup


class Reviews(Dataset):
    def __init__(self, n, seed, length=16):
        g = torch.Generator().manual_seed(seed)
        self.ids = torch.randint(5, 100, (n, length), generator=g)
        self.labels = (self.ids[:, :4].float().mean(1) > 52).long()
        self.lengths = torch.randint(8, length + 1, (n,), generator=g)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        mask = (torch.arange(self.ids.size(1)) < self.lengths[i]).long()
        return {"input_ids": self.ids[i] * mask, "attention_mask": mask, "labels": self.labels[i]}


class SentimentHead(nn.Module):
    def __init__(self, encoder, n_labels=2):
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(encoder.config.hidden_size, n_labels)

    def forward(self, input_ids, attention_mask):
        pooled = self.encoder(input_ids=input_ids, attention_mask=attention_mask).pooler_output
        return self.classifier(self.dropout(pooled))


def make_model():
    config = BertConfig(
        vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=32,
    )
    return SentimentHead(BertModel(config))


def make_optimizer(model, lr):
    no_decay = ("bias", "LayerNorm.weight")
    named = list(model.named_parameters())
    groups = [
        {"params": [p for n, p in named if not n.endswith(no_decay)], "weight_decay": 0.01},
        {"params": [p for n, p in named if n.endswith(no_decay)], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr)


def train(model, loader, epochs=1, lr=5e-4):
    optimizer = make_optimizer(model, lr)
    scheduler = get_linear_schedule_with_warmup(optimizer, 2, epochs * len(loader))
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in loader:
            labels = batch.pop("labels")
            logits = model(**batch)
            loss = loss_fn(logits, labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            total += loss.item()
        print(f"{epoch}: {total / len(loader):.4f}")


def evaluate(model, loader):
    model.eval()
    predictions, answers = [], []
    for batch in loader:
        answers.append(batch.pop("labels"))
        with torch.no_grad():
            predictions.append(model(**batch).argmax(-1))
    return (torch.cat(predictions) == torch.cat(answers)).float().mean().item()


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(Reviews(96, 1), batch_size=16, shuffle=True)
    eval_loader = DataLoader(Reviews(32, 2), batch_size=16)
    model = make_model()
    train(model, train_loader)
    print("accuracy", evaluate(model, eval_loader))


if __name__ == "__main__":
    main()
