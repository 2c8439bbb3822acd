class AverageMeter:
    def __init__(self):
        self.value, self.sum, self.count = 0.0, 0.0, 0

    def update(self, value, n=1):
        value = float(value)
        self.value = value
        self.sum += value * n
        self.count += n
