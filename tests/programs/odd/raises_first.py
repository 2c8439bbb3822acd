# expect: 2 NameError
import torch

print(undefined)
