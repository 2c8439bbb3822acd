import torch
from torch import nn
from torch.nn import functional as F

encoder = nn.Linear(4, 4)
decoder = nn.Linear(4, 4)


def invert(image):
    code = encoder(image).detach().requires_grad_(True)
    optimizer = torch.optim.Adam([code], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = F.mse_loss(decoder(code), image)
        loss.backward()
        optimizer.step()
    return code


def fit_centres(prior, n_centres):
    with torch.no_grad():
        centres = prior.sample((n_centres,))
        centres = centres.reshape(n_centres, -1)
    means = centres.clone().detach().requires_grad_(True)
    weights = torch.ones(n_centres, requires_grad=True)
    optimizer = torch.optim.Adam([weights, means], lr=0.01)
    for _ in range(100):
        optimizer.zero_grad()
        loss = F.mse_loss(weights[:, None] * means, prior.sample((n_centres,)))
        loss.backward()
        optimizer.step()
    return means
