import torch


class Loud(torch.Tensor):
    def __new__(cls, data):
        return torch.Tensor._make_subclass(cls, data)

    def add(self, other):
        print("added", other)
        return super().add(other)


class Louder(Loud):
    pass


x = torch.randn(3)
loud = Loud(x)
loud.add(2)
louder = Louder(x)
louder.add(2)
