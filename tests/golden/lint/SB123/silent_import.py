import torch.utils.data

loader = torch.utils.data.DataLoader([])
