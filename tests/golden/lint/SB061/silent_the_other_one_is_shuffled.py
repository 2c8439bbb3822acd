from torch.utils.data import DataLoader, IterableDataset, RandomSampler, Subset, TensorDataset


class Lines(IterableDataset):
    def __iter__(self):
        yield from range(10)


def both_shuffled(data, cut):
    train_loader = DataLoader(Subset(data, range(cut)), batch_size=4, shuffle=True)
    valid_loader = DataLoader(Subset(data, range(cut, len(data))), batch_size=4, shuffle=True)
    return train_loader, valid_loader


def sampled(data, cut):
    train_set = Subset(data, range(cut))
    train_loader = DataLoader(train_set, batch_size=4, sampler=RandomSampler(train_set))
    valid_loader = DataLoader(Subset(data, range(cut, len(data))), batch_size=4, shuffle=True)
    return train_loader, valid_loader


def streamed(x):
    train_loader = DataLoader(Lines(), batch_size=4)
    valid_loader = DataLoader(TensorDataset(x), batch_size=4, shuffle=True)
    return train_loader, valid_loader


def in_order_for_features(data):
    train_loader = DataLoader(data, batch_size=4)
    return train_loader


def shuffled_elsewhere(data):
    valid_loader = DataLoader(data, batch_size=4, shuffle=True)
    return valid_loader
