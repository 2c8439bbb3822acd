from torch import nn

usual = nn.NLLLoss()
usual = nn.MSELoss()
