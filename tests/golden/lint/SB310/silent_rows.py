def by_class(labels, scores, n):
    rows = [[] for _ in range(n)]
    zeros = [0] * n
    for label, score in zip(labels, scores):
        rows[label].append(score)
        zeros[label] += 1
    return rows


def filled(n, make):
    rows = [[]] * n
    for i in range(n):
        rows[i] = make(i)
        rows[i].append(0)
    return rows


def only_read(n):
    shape = [[1, 2]] * n
    return shape[0][1]
