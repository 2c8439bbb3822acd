# expect: 0 eager, written, double  agrees
import keras
import numpy as np

keras.utils.set_random_seed(1)
x = np.random.rand(64, 8, 8, 3).astype("float32")
y = (x.mean((1, 2, 3)) > 0.5).astype("int32")
layers = keras.layers
model = keras.Sequential(
    [layers.Conv2D(4, 3), layers.BatchNormalization(), layers.ReLU(), layers.Flatten(), layers.Dropout(0.3), layers.Dense(2)]
)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"], jit_compile=True)
model.fit(x, y, epochs=2, batch_size=16, verbose=0)
print(model.predict(x[:4], verbose=0)[0, 0], model.evaluate(x, y, verbose=0))
