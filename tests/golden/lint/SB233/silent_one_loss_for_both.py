import torch


def mutual_information(generator, discriminator, optimizer_g, optimizer_d, information, size):
    optimizer_d.zero_grad()
    optimizer_g.zero_grad()
    fake = generator(torch.randn(size, 8))
    loss = information(discriminator(fake))
    loss.backward()
    optimizer_d.step()
    optimizer_g.step()
    return loss.item()
