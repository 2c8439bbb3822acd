"""Node classification on a random graph with two communities, full batch."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)
N, D, C = 120, 16, 3

labels = torch.randint(0, C, (N,))
features = F.one_hot(labels, D).float() + 0.5 * torch.randn(N, D)
same = labels[:, None] == labels[None, :]
adjacency = ((torch.rand(N, N) < 0.05) | (same & (torch.rand(N, N) < 0.2))).float()
adjacency = ((adjacency + adjacency.t() + torch.eye(N)) > 0).float()
degree = adjacency.sum(1)
norm_adj = adjacency / torch.sqrt(degree[:, None] * degree[None, :])
order = torch.randperm(N)
train_mask, val_mask, test_mask = order[:60], order[60:90], order[90:]


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, hidden=16, dropout=0.5):
        super().__init__()
        self.conv1 = GraphConv(D, hidden)
        self.conv2 = GraphConv(hidden, C)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.relu(self.conv1(x, adj))
        x = F.dropout(x, self.dropout, training=self.training)
        return self.conv2(x, adj)


def accuracy(logits, mask):
    return (logits[mask].argmax(dim=-1) == labels[mask]).float().mean().item()


model = GCN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=5)

for epoch in range(20):
    model.train()
    optimizer.zero_grad()
    out = model(features, norm_adj)
    loss = F.cross_entropy(out[train_mask], labels[train_mask])
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        out = model(features, norm_adj)
        val_loss = F.cross_entropy(out[val_mask], labels[val_mask])
    scheduler.step(val_loss)
    if epoch % 5 == 0:
        print(epoch, loss.item(), val_loss.item(), accuracy(out, val_mask))

model.eval()
with torch.no_grad():
    print("test", accuracy(model(features, norm_adj), test_mask))
