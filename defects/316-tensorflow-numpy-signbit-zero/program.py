import numpy as np
import tensorflow.experimental.numpy as tnp

print(tnp.signbit(np.array([-0.0, 0.0, -1.0])))
