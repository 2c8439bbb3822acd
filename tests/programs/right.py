"""Right programs that optimise a model, for the oracle shadow: none of them may be blamed.

Each kind is a training or inference script; a kind times an optimiser's way of use ("model": the
model is compiled; "step": the training step) times a seed is one program. Printed as files:

    python tests/programs/right.py DIR [KIND...]
"""

import sys
from pathlib import Path

HEAD = """import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed({seed})
"""

# name: (model, batch, loss of `out` and `y`, optimiser)
IMAGE = "x = torch.randn(4, 3, 8, 8); y = torch.randint(0, 5, (4,))"
ROWS = "x = torch.randn(8, 6); y = torch.randn(8, 3)"
TOKENS = "x = torch.randint(0, 20, (4, 7)); y = torch.randint(0, 5, (4,))"
SERIES = "x = torch.randn(4, 7, 6); y = torch.randn(4, 3)"
CE, MSE = "F.cross_entropy(out, y)", "F.mse_loss(out, y)"

MODELS = {
    "conv_bn": ("nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(512, 5))", IMAGE, CE),
    "conv_group_norm": ("nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.SiLU(), nn.Flatten(), nn.Linear(288, 5))", IMAGE, CE),
    "conv_pool": ("nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(2), nn.Tanh(), nn.Flatten(), nn.Linear(72, 5))", IMAGE, CE),
    "conv_average": ("nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))", IMAGE, CE),
    "depthwise": ("nn.Sequential(nn.Conv2d(3, 6, 3, groups=3), nn.Conv2d(6, 4, 1), nn.Hardswish(), nn.Flatten(), nn.Linear(144, 5))", IMAGE, CE),
    "conv_transpose": ("nn.Sequential(nn.ConvTranspose2d(3, 4, 2, stride=2), nn.ELU(), nn.Flatten(), nn.Linear(1024, 5))", IMAGE, CE),
    "conv_dropout": ("nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Dropout2d(0.3), nn.Flatten(), nn.Linear(288, 5))", IMAGE, CE),
    "instance_norm": ("nn.Sequential(nn.Conv2d(3, 4, 3), nn.InstanceNorm2d(4, affine=True), nn.Flatten(), nn.Linear(144, 5))", IMAGE, CE),
    "upsample": ("nn.Sequential(nn.Upsample(scale_factor=2, mode='bilinear'), nn.Conv2d(3, 2, 3, stride=2), nn.Flatten(), nn.Linear(98, 5))", IMAGE, CE),
    "pixel_shuffle": ("nn.Sequential(nn.Conv2d(3, 8, 1), nn.PixelShuffle(2), nn.Flatten(), nn.Linear(512, 5))", IMAGE, CE),
    "mlp": ("nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_gelu": ("nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_dropout": ("nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.5), nn.ReLU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_layer_norm": ("nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.Mish(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_rms_norm": ("nn.Sequential(nn.Linear(6, 16), nn.RMSNorm(16), nn.SELU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_bn": ("nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_bn_momentum": ("nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16, momentum=None), nn.Softplus(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_prelu": ("nn.Sequential(nn.Linear(6, 16), nn.PReLU(), nn.Linear(16, 3))", ROWS, "F.smooth_l1_loss(out, y)"),
    "mlp_huber": ("nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2), nn.Linear(16, 3))", ROWS, "F.huber_loss(out, y)"),
    "mlp_weight_norm": ("nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(6, 16)), nn.ReLU(), nn.Linear(16, 3))", ROWS, MSE),
    "mlp_spectral": ("nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(6, 16)), nn.Linear(16, 3))", ROWS, MSE),
    "bilinear": ("nn.Sequential(nn.Linear(6, 4), nn.Sigmoid(), nn.Unflatten(1, (2, 2)), nn.Flatten(), nn.Linear(4, 3))", ROWS, MSE),
    "kl": ("nn.Sequential(nn.Linear(6, 3), nn.LogSoftmax(1))", ROWS, "F.kl_div(out, y.softmax(1), reduction='batchmean')"),
    "bce": ("nn.Sequential(nn.Linear(6, 3))", ROWS, "F.binary_cross_entropy_with_logits(out, (y > 0).float())"),
    "embedding": ("nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(56, 5))", TOKENS, CE),
    "embedding_bag": ("nn.Sequential(nn.EmbeddingBag(20, 8), nn.Linear(8, 5))", TOKENS, CE),
    "conv1d": ("nn.Sequential(nn.Conv1d(7, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3))", SERIES, MSE),
}

CLASSES = {
    "attention": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(6, 18)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.head(F.scaled_dot_product_attention(q, k, v).mean(1))
""", SERIES, MSE),
    "multihead": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.attention(x, x, x, need_weights=False)[0].mean(1))
""", SERIES, MSE),
    "encoder_layer": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(6, 2, 12, dropout=0.1, batch_first=True)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.layer(x)[:, 0])
""", SERIES, MSE),
    "vae": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.log, self.out = nn.Linear(6, 2), nn.Linear(6, 2), nn.Linear(2, 3)

    def forward(self, x):
        mean, log = self.mean(x), self.log(x)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * log)
        return self.out(z)
""", ROWS, MSE),
    "lstm": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(6, 8, batch_first=True), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])
""", SERIES, MSE),
    "gru": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(6, 8), nn.Linear(8, 3)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], 8)
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return self.head(h)
""", SERIES, MSE),
    "ema_buffer": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 3)
        self.register_buffer("mean", torch.zeros(6))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        with torch.no_grad():
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
            self.count += 1
        return self.layer(x - self.mean)
""", ROWS, MSE),
    "residual": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.head = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x):
        x = x + F.relu(self.a(x))
        x = x + F.relu(self.b(x))
        return self.head(x)
""", ROWS, MSE),
    "data_dependent_loop": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.head = nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x):
        for _ in range(4):
            x = torch.tanh(self.layer(x))
            if x.abs().sum() < 5:
                break
        return self.head(x)
""", ROWS, MSE),
    "autocast": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 16), nn.Linear(16, 3)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.b(F.relu(self.a(x))).float()
""", ROWS, MSE),
    "mixture": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 4)
        self.experts = nn.ModuleList(nn.Linear(6, 3) for _ in range(4))

    def forward(self, x):
        w = self.gate(x).softmax(-1)
        return sum(w[:, i : i + 1] * e(x) for i, e in enumerate(self.experts))
""", ROWS, MSE),
    "top_k": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 8), nn.Linear(3, 3)

    def forward(self, x):
        return self.b(self.a(x).topk(3, dim=-1).values)
""", ROWS, MSE),
    "counter": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.calls = nn.Linear(6, 3), 0

    def forward(self, x):
        self.calls += 1
        return self.layer(x) / self.calls
""", ROWS, MSE),
    "dict_input": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 3)

    def forward(self, x):
        batch = {"x": x, "scale": 2.0}
        return self.layer(batch["x"] * batch["scale"])
""", ROWS, MSE),
    "fft": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 3)

    def forward(self, x):
        return self.layer(torch.fft.rfft(x).abs())
""", ROWS, MSE),
    "einsum": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(6, 3) / 3)

    def forward(self, x):
        return torch.einsum("bi,io->bo", x, self.w)
""", ROWS, MSE),
    "tied": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.head = nn.Linear(6, 6), nn.Linear(6, 3)
        self.b = nn.Linear(6, 6)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.head(torch.relu(self.b(torch.relu(self.a(x)))))
""", ROWS, MSE),
    "gumbel": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 4), nn.Linear(4, 3)

    def forward(self, x):
        return self.b(F.gumbel_softmax(self.a(x), tau=0.7))
""", ROWS, MSE),
    "scan": ("""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 3)

    def forward(self, x):
        return self.layer(torch.cumsum(x, 1).clamp(-2, 2))
""", ROWS, MSE),
}

OPTIMIZERS = {
    "adam": "torch.optim.Adam(net.parameters(), 1e-2)",
    "adamw": "torch.optim.AdamW(net.parameters(), 1e-2)",
    "momentum": "torch.optim.SGD(net.parameters(), 1e-2, momentum=0.9)",
    "nesterov": "torch.optim.SGD(net.parameters(), 1e-2, momentum=0.9, nesterov=True, weight_decay=1e-3)",
    "rmsprop": "torch.optim.RMSprop(net.parameters(), 1e-3)",
    "adagrad": "torch.optim.Adagrad(net.parameters(), 1e-2)",
}

LOOP_MODEL = """
net = {model}
opt = {optimizer}
schedule = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
fast = torch.compile(net, backend="{backend}")
for i in range({steps}):
    {batch}
    opt.zero_grad()
    out = fast(x)
    loss = {loss}
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    schedule.step()
    print(i, loss.item())
net.eval()
with torch.no_grad():
    {batch}
    print(fast(x).sum().item())
"""

LOOP_STEP = """
net = {model}
opt = {optimizer}


@torch.compile(backend="{backend}")
def step(x, y):
    opt.zero_grad()
    out = net(x)
    loss = {loss}
    loss.backward()
    opt.step()
    return loss


for i in range({steps}):
    {batch}
    print(i, step(x, y).item())
"""

KINDS = {**MODELS, **CLASSES}


def program(kind: str, way: str, optimizer: str, seed: int, backend: str = "aot_eager", steps: int = 5) -> str:
    """The text of one program."""
    model, batch, loss = KINDS[kind]
    text = HEAD.format(seed=seed)
    if kind in CLASSES:
        text += "\n\n" + model + "\n"
        model = "Net()"
    loop = LOOP_MODEL if way == "model" else LOOP_STEP
    return text + loop.format(model=model, batch=batch, loss=loss, backend=backend, steps=steps,
                              optimizer=OPTIMIZERS[optimizer])


def programs(n: int, kinds: list[str] | None = None, backend: str = "aot_eager") -> list[tuple[str, str]]:
    """The first n programs: kinds by turns, then the other ways, optimisers and seeds."""
    names = kinds or sorted(KINDS)
    rules = sorted(OPTIMIZERS)
    made = []
    for i in range(n):
        kind, round_ = names[i % len(names)], i // len(names)
        way = ("model", "step")[round_ % 2]
        optimizer = rules[(i + round_) % len(rules)]
        made.append((f"{kind}-{way}-{optimizer}-{round_}", program(kind, way, optimizer, i, backend)))
    return made


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    chosen = sys.argv[2:] or None
    for name, text in programs(2 * len(chosen or KINDS), chosen):
        (folder / f"{name}.py").write_text(text)
