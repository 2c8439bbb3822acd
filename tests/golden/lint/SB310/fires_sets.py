def seen(pairs, n):
    users = [set()] * n  # expect: SB310
    for u, i in pairs:
        users[u].add(i)
    return users
