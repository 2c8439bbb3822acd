import pandas as pd
import torch
from sklearn.preprocessing import StandardScaler

x = torch.tensor(StandardScaler().fit_transform(pd.read_csv('t.csv').values))
