import pandas as pd
import torch

table = pd.read_csv('t.csv')  # expect: SB081 low
x = torch.tensor(table.values)
