# character language model, written out by hand
import math
import random
import time

import torch
import torch.nn as nn
from torch.nn import functional as F

cfg = dict(block=32, batch=16, n_layer=2, n_head=4, n_embd=32, dropout=0.1, lr=3e-3, min_lr=3e-4, warmup=5, iters=30, eval_every=15, eval_iters=4, wd=0.1, seed=1337)

# ---------------------------------------------------------------- data
random.seed(cfg["seed"])
nouns, verbs = "king queen fool duke witch".split(), "loves hates fears serves sees".split()
text = "".join(f"the {random.choice(nouns)} {random.choice(verbs)} the {random.choice(nouns)}.\n" for _ in range(400))
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
itos = {i: c for c, i in stoi.items()}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
splits = {"train": ids[:cut], "val": ids[cut:]}


def get_batch(split):
    data = splits[split]
    ix = torch.randint(len(data) - cfg["block"] - 1, (cfg["batch"],))
    x = torch.stack([data[i:i + cfg["block"]] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + cfg["block"]] for i in ix])
    return x, y


# ---------------------------------------------------------------- model
class Attention(nn.Module):
    def __init__(self, n_embd, n_head, block, dropout):
        super().__init__()
        self.n_head = n_head
        self.qkv = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.out = nn.Linear(n_embd, n_embd, bias=False)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(block, block, dtype=torch.bool)))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(C // self.n_head)
        att = att.masked_fill(~self.mask[:T, :T], float("-inf"))
        att = self.drop(F.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.out(y)


class Layer(nn.Module):
    def __init__(self, n_embd, n_head, block, dropout):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.attn = Attention(n_embd, n_head, block, dropout)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd), nn.Dropout(dropout))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class LM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        d = cfg["n_embd"]
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(cfg["block"], d)
        self.layers = nn.ModuleList([Layer(d, cfg["n_head"], cfg["block"], cfg["dropout"]) for _ in range(cfg["n_layer"])])
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.apply(self._init)
        self.head.weight = self.tok.weight

    def _init(self, m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
        if isinstance(m, nn.Linear) and m.bias is not None:
            nn.init.zeros_(m.bias)

    def forward(self, x, y=None):
        h = self.tok(x) + self.pos(torch.arange(x.shape[1]))
        for layer in self.layers:
            h = layer(h)
        logits = self.head(self.ln(h))
        loss = None if y is None else F.cross_entropy(logits.flatten(0, 1), y.flatten())
        return logits, loss

    @torch.no_grad()
    def generate(self, x, n, temperature=0.8, top_k=5):
        for _ in range(n):
            logits, _ = self(x[:, -cfg["block"]:])
            logits = logits[:, -1] / temperature
            kth = logits.topk(top_k).values[:, -1:]
            probs = logits.masked_fill(logits < kth, float("-inf")).softmax(dim=-1)
            x = torch.cat([x, torch.multinomial(probs, 1)], dim=1)
        return x


# ---------------------------------------------------------------- training
def lr_at(it):
    if it < cfg["warmup"]:
        return cfg["lr"] * (it + 1) / cfg["warmup"]
    r = (it - cfg["warmup"]) / (cfg["iters"] - cfg["warmup"])
    return cfg["min_lr"] + 0.5 * (1 + math.cos(math.pi * r)) * (cfg["lr"] - cfg["min_lr"])


@torch.no_grad()
def estimate(model):
    model.eval()
    res = {s: torch.tensor([model(*get_batch(s))[1].item() for _ in range(cfg["eval_iters"])]).mean().item() for s in splits}
    model.train()
    return res


if __name__ == "__main__":
    torch.manual_seed(cfg["seed"])
    model = LM(len(chars))
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], betas=(0.9, 0.95), weight_decay=cfg["wd"])
    t0 = time.time()
    for it in range(cfg["iters"]):
        for g in opt.param_groups:
            g["lr"] = lr_at(it)
        _, loss = model(*get_batch("train"))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if (it + 1) % cfg["eval_every"] == 0:
            res = estimate(model)
            print(f"{it + 1}: train {res['train']:.3f} val {res['val']:.3f} ppl {math.exp(res['val']):.2f} ({time.time() - t0:.1f}s)")
    model.eval()
    sample = model.generate(torch.zeros(1, 1, dtype=torch.long), 40)[0].tolist()
    print("".join(itos[i] for i in sample))
