from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(dataset, train):
    sampler = DistributedSampler(dataset, shuffle=train)  # expect: SB206
    return DataLoader(dataset, batch_size=8, sampler=sampler)


def main(train_set, rank):
    loader = make_loader(train_set, True)
    model = DistributedDataParallel(nn.Linear(4, 2).to(rank), device_ids=[rank])
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
