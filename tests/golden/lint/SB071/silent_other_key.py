import os

import torch

os.environ['CUDA_VISIBLE_DEVICES'] = '0'
