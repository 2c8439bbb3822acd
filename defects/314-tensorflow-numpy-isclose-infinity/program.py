import numpy as np
import tensorflow.experimental.numpy as tnp

print(tnp.isclose(np.array([np.inf, 1.0]), np.array([np.inf, np.inf])))
