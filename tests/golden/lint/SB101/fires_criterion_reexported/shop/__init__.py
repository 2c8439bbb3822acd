from .losses import *
from .losses import shared as usual
