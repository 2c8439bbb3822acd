/*
 * What an engine takes: the result of `assay targets probe`, which gives it models of one operator
 * for each row of the operator table and each dtype. It is kept in the registration of the probed
 * version (environment.h), under probe.operators:
 *
 *     "Abs": {"accepted": ["float", "int32"], "unsupported": ["float16"], "reason": "..."}
 *
 * The dtypes are those of the graph's input, which is also an input of the operator. A dtype that
 * no row accepts may still work as a weight, and an operator that did not run may work with other
 * attributes. The list is for people; hunts skip nothing because of it.
 */
#ifndef TARGET_ACCEPTED_H
#define TARGET_ACCEPTED_H

#include "base/json.h"
#include "onnx/dtype.h"

struct accepted_operator {
    struct str op_type;
    uint32_t accepted;    /* set of dtype_bit: some model ran */
    uint32_t unsupported; /* every model was refused as unsupported */
    uint32_t failed;      /* neither: an exception of another kind, a crash, a hang */
    struct str reason;    /* of the last model that did not run; "": all did */
};

struct accepted {
    const struct accepted_operator *rows; /* in the order of the operator table */
    size_t n;
};

/* Writes one object, with an operator per key. */
void accepted_write(const struct accepted *all, struct json_out *w);

/* ERR_DATA: what the file holds is not what accepted_write writes. Strings of *out point into `j`.
 */
bool accepted_read(const struct json *j, struct arena *a, struct accepted *out, struct err *e);

/* "165 of 172 operators, 12 of 16 dtypes; not seen to run: Det, Unique" */
void accepted_print(const struct accepted *all, struct strbuf *out);

#endif
