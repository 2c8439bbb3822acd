# expect: 0 eager, written, double  agrees
import keras
import numpy as np

keras.utils.set_random_seed(2)
tokens = keras.Input((5,), dtype="int32")
h = keras.layers.Embedding(10, 8)(tokens)
h = keras.layers.LayerNormalization()(h + keras.layers.MultiHeadAttention(2, 4)(h, h))
h = keras.layers.GRU(6)(h)
model = keras.Model(tokens, keras.layers.Dense(1)(h))
model.compile(keras.optimizers.AdamW(1e-2, clipnorm=1.0), "huber")
x, y = np.random.randint(0, 10, (32, 5)), np.random.rand(32, 1)
print(model.fit(x, y, epochs=2, batch_size=8, verbose=0).history["loss"])
