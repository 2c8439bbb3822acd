import torch


class Variable:
    pass


x = Variable()
