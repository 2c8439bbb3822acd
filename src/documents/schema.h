/*
 * Signatures in the form of torch's dispatcher: "aten::add.Tensor(Tensor self, Tensor other, *,
 * Scalar alpha=1) -> Tensor".
 */
#ifndef DOCUMENTS_SCHEMA_H
#define DOCUMENTS_SCHEMA_H

#include "base/str.h"

enum { SCHEMA_PARAMETERS_MAX = 48 };

struct schema_parameter {
    struct str type, name; /* type without aliasing marks, "Tensor" of "Tensor(a!)"; "other" */
};

struct schema {
    struct schema_parameter at[SCHEMA_PARAMETERS_MAX];
    size_t n, n_positional; /* n_positional: those before '*' */
    bool writes_out;        /* an overload with a parameter for the result (out=) */
};

/* Parameters beyond SCHEMA_PARAMETERS_MAX are left out. */
void schema_read(struct str text, struct schema *out);

#endif
