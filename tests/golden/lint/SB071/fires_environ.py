import os

import torch

os.environ['PYTHONHASHSEED'] = '1'  # expect: SB071
