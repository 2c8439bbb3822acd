from torch import nn

criterion = nn.KLDivLoss(size_average=False)
