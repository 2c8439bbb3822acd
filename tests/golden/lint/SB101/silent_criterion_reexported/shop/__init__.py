from .losses import usual
