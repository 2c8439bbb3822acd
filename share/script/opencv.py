import cv2


def load(model):
    data = np.frombuffer(model.SerializeToString(), np.uint8)
    net = cv2.dnn.readNetFromONNX(data, cv2.dnn.$ENGINE)
    declared = [helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type) for o in model.graph.output]

    def run(feeds):
        for name, value in feeds.items():
            net.setInput(value, name)
        made = [np.array(y) for y in net.forward([o.name for o in model.graph.output])]
        return [y.astype(t) if y.dtype.kind == t.kind else y for y, t in zip(made, declared)]

    return run


print("opencv", cv2.__version__, "engine $ENGINE")
