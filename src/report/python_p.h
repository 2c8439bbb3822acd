/*
 * Python source from models and tensors: literals that read back as the same bits.
 */
#ifndef REPORT_PYTHON_P_H
#define REPORT_PYTHON_P_H

#include "onnx/model.h"

/* Adds a float of 32 bits: "0.1", "1.0", "np.inf". */
void python__float(double x, struct strbuf *out);

/* Adds an expression that gives t's bits: at most 64 elements, or equal ones, as a list, else as
 * base64:
 *     np.array([1.0, 0.5], "float32")                               of a dtype that NumPy has
 *     numpy_helper.to_array(helper.make_tensor("", TensorProto.INT4, [2], [1, -2]))     of others
 */
void python__array(const struct tensor *t, struct strbuf *out);

/* helper.make_tensor("w", TensorProto.FLOAT, [2], [1.0, 0.5])
 * helper.make_tensor("w", TensorProto.FLOAT, [0], b"", raw=True) */
void python__make_tensor(struct str name, const struct tensor *t, struct strbuf *out);

/* The dtype's name in TensorProto: "FLOAT". */
const char *python__type(enum dtype t);

/* NumPy's name of the dtype; NULL: it has none. */
const char *python__numpy(enum dtype t);

/* Adds model = helper.make_model(...), with subgraphs before it. */
bool python__model(const struct model *m, struct strbuf *out, struct err *e);

#endif
