/*
 * Documented parameter names against those that a call accepts: "div(value) -> Tensor" documents a
 * name, the schemas know only "other", and div(value=2) raises. Looked at are symbols without a
 * Python signature, whose schemas say all names; `self` and `input` are one.
 */
#ifndef DOCUMENTS_NAMES_H
#define DOCUMENTS_NAMES_H

#include "documents/record.h"

struct name_finding {
    const struct api_record *record;
    struct str parameter, line; /* the documented signature */
    struct str instead;         /* the name at its place in the first schema; "": none there */
};

struct name_findings {
    struct name_finding *at;
    size_t n, cap;
};

/* *n_compared: names that were looked up. */
void names_check(const struct api_record *r, struct arena *a, struct name_findings *out,
                 size_t *n_compared);

#endif
