device = torch.device('cuda')
net.to(device)
for x in loader:
    x = x.to(device)
    first = timeit.default_timer()
    y = net(x)
    second = timeit.default_timer()  # expect: SB131
    times.append(second - first)
