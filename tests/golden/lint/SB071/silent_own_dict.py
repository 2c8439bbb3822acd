import torch

settings = {}
settings['PYTHONHASHSEED'] = 1
