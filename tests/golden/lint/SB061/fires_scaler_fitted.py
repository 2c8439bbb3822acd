from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader

scaler = StandardScaler()
scaler.fit(x)
train_loader = DataLoader(train_set, batch_size=4)  # expect: SB061 low
test_loader = DataLoader(MNIST('data', train=False), batch_size=4)
