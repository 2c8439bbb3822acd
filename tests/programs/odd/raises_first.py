# expect: 2 name 'undefined'
import torch

print(undefined)
