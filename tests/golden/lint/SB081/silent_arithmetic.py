import pandas as pd
import torch

table = pd.read_csv('t.csv')
x = torch.tensor(((table - table.mean()) / table.std()).values)
