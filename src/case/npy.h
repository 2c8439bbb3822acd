/*
 * Tensors on disk: .npy (NumPy format 1.0) for the dtypes that it has, raw little-endian for
 * others, with dtype, shape and SHA-256 in the JSON beside them. Elements are never written as JSON
 * text.
 */
#ifndef CASE_NPY_H
#define CASE_NPY_H

#include "base/err.h"
#include "base/json.h"
#include "onnx/tensor.h"

bool npy_knows(enum dtype t);
bool npy_write(const char *path, const struct tensor *t, struct err *e);
bool npy_read(const char *path, struct arena *a, struct tensor *out, struct err *e);
/* Decodes a file that is in memory already; the tensor is an aligned copy in the arena. */
bool npy_decode(struct str bytes, const char *name, struct arena *a, struct tensor *out,
                struct err *e);
void npy_encode(const struct tensor *t, struct strbuf *out); /* npy_knows(t->dtype) */

/* Write and read a list in a folder: NAME.npy or NAME.raw (names percent-encoded), described by a
 * JSON array. */
bool tensors_write_dir(const char *dir, const struct tensors *t, struct json_out *w, struct err *e);
bool tensors_read_dir(const char *dir, const struct json *list, struct arena *a,
                      struct tensors *out, struct err *e);
/* Reads a folder of NAME.npy files without JSON (assay run --input DIR). */
bool tensors_read_loose(const char *dir, struct arena *a, struct tensors *out, struct err *e);

#endif
