# expect: 0 eager, written, double  agrees
import keras
import numpy as np

keras.utils.set_random_seed(4)
model = keras.Sequential([keras.layers.Dense(8, "gelu"), keras.layers.Dense(3, "softmax")])
x = np.linspace(-2, 2, 24, dtype="float32").reshape(6, 4)
model.compile("sgd", "mse")
model.fit(x, x[:, :3], batch_size=3, verbose=0)
print(model.predict(x, verbose=0).argmax(1), model.predict(x[:2], batch_size=1, verbose=0))
