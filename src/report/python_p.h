/*
 * Python source from models and tensors: literals that read back as the same bits.
 */
#ifndef REPORT_PYTHON_P_H
#define REPORT_PYTHON_P_H

#include "onnx/model.h"

enum { PYTHON_LITERALS_MAX = 64 };

/* A string literal. */
void python__string(struct str s, struct strbuf *out);

/* Elements as a list, or b"..." in base64 behind the name of a decoding function:
 *     values([1.0, nan], "float32", [2])      at most 64 elements, or all equal
 *     packed("AAAA...", "float32", [1000])    else, zlib and base64
 * dims follow, so the expression is an array of the script's own prelude. */
void python__tensor(const struct tensor *t, struct strbuf *out);

/* The dtype's name in TensorProto: "FLOAT". */
const char *python__type(enum dtype t);

/* NumPy's name of the dtype; NULL: it has none. */
const char *python__numpy(enum dtype t);

/* def build_model(): ... */
bool python__model(const struct model *m, struct strbuf *out, struct err *e);

#endif
