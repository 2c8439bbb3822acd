import os

import torch

env = dict(os.environ, PYTHONHASHSEED='0')
