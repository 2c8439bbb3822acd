import numpy as np
import tensorflow.experimental.numpy as tnp

print(tnp.heaviside(np.array([np.nan, 1.0]), np.array([0.5, 0.5])))
