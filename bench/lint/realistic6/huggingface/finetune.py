"""A small BERT trained with a hand-written loop: warm-up, clipping, evaluation after each epoch."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from transformers import BertConfig, BertModel, get_linear_schedule_with_warmup

from data import Rising, collate


class SentenceClassifier(nn.Module):
    def __init__(self, encoder, n_classes=2, p=0.1):
        super().__init__()
        self.encoder = encoder
        self.p = p
        self.classifier = nn.Linear(encoder.config.hidden_size, n_classes)

    def forward(self, input_ids, attention_mask):
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weight = attention_mask.unsqueeze(-1).float()
        pooled = (states * weight).sum(1) / weight.sum(1)
        return self.classifier(F.dropout(pooled, p=self.p, training=self.training))


def evaluate(model, loader, device):
    model.eval()
    right, seen = 0, 0
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.inference_mode():
            logits = model(batch["input_ids"], batch["attention_mask"])
        right += (logits.argmax(-1) == batch["labels"]).sum().item()
        seen += len(batch["labels"])
    return right / seen


def train(model, train_loader, eval_loader, device, epochs=1, lr=3e-4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    n_steps = epochs * len(train_loader)
    scheduler = get_linear_schedule_with_warmup(optimizer, n_steps // 10, n_steps)
    for epoch in range(epochs):
        model.train()
        for batch in train_loader:
            batch = {k: v.to(device) for k, v in batch.items()}
            logits = model(batch["input_ids"], batch["attention_mask"])
            loss = F.cross_entropy(logits, batch["labels"])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad(set_to_none=True)
        print(epoch, loss.item(), evaluate(model, eval_loader, device))


def main():
    torch.manual_seed(5)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    config = BertConfig(vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
    model = SentenceClassifier(BertModel(config)).to(device)
    train_loader = DataLoader(Rising(256, 0), batch_size=16, shuffle=True, collate_fn=collate)
    eval_loader = DataLoader(Rising(64, 1), batch_size=32, collate_fn=collate)
    train(model, train_loader, eval_loader, device)


if __name__ == "__main__":
    main()
