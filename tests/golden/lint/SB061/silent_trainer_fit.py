import lightning
from torch.utils.data import DataLoader

train_loader = DataLoader(train_set, batch_size=4)
lightning.Trainer().fit(model, train_loader)
