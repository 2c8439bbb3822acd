/*
 * Numbers, texts and tensors as Python literals that read back as the same bits: the shortest exact
 * decimals where there are few, raw bytes in base64 where there are many or NaNs with a payload.
 * Shared by emitted programs and by reproducers that build a model.
 */
#ifndef EMIT_LITERAL_H
#define EMIT_LITERAL_H

#include "onnx/tensor.h"

enum { LITERAL_ELEMENTS_MAX = 64 }; /* written as decimals, unless all are equal */

/* A string literal. */
void literal_string(struct str s, struct strbuf *out);

/* The fewest digits that read back as the same number of the dtype: "0.1", "1.0". module has
 * infinities and NaN: "np" gives "-np.inf". */
void literal_real(double x, enum dtype t, const char *module, struct strbuf *out);

/* Element i as a number, True or False, or a string. */
void literal_element(const struct tensor *t, size_t i, const char *module, struct strbuf *out);

/* Is the tensor written by its elements? At most LITERAL_ELEMENTS_MAX of them, or all equal. */
bool literal_is_listed(const struct tensor *t);

/* A flat list of the elements: "[1.0, 0.5]", "[0.0] * 64". */
void literal_list(const struct tensor *t, const char *module, struct strbuf *out);

/* The data as an expression of type bytes: base64.b64decode("..."). */
void literal_bytes(const struct tensor *t, struct strbuf *out);

/* The dims as a list: "[2, 3]". */
void literal_dims(const int64_t *dims, uint32_t rank, struct strbuf *out);

#endif
