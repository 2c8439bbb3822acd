import numpy as np
import tensorflow.experimental.numpy as tnp

print(tnp.deg2rad(np.array([180, 90])))
