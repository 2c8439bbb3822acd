from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def make_loader(dataset, batch_size, train):
    sampler = DistributedSampler(dataset, shuffle=train)
    return DataLoader(dataset, batch_size=batch_size, shuffle=train), sampler  # expect: SB236
