import numpy as np
import tensorflow.experimental.numpy as tnp

print(tnp.float_power(np.array([7]), np.array([30])))
