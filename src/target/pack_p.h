/*
 * Tensors on their way between pool and worker: a file of their bytes, where each tensor begins at
 * a multiple of 64, and a JSON list that says what they are:
 *
 *     [{"name": "x", "dtype": 1, "dims": [1, 3], "at": 0, "n": 12}, ...]
 *
 * A string is stored as its length (u32le) and its bytes.
 */
#ifndef TARGET_PACK_P_H
#define TARGET_PACK_P_H

#include "base/json.h"
#include "base/vec.h"
#include "onnx/tensor.h"

struct pack {
    VEC(struct str) parts; /* of the file; they borrow the tensors' memory */
    uint64_t n_bytes;
};

/* Adds the tensors to the file and their list to w. */
void pack__tensors(const struct tensors *t, struct pack *pack, struct arena *a, struct json_out *w);

/* Reads the tensors of `list` from the file's bytes. Nothing is trusted: ERR_DATA. */
bool pack__read(const struct json *list, struct str bytes, struct arena *a, struct tensors *out,
                struct err *e);

#endif
