/*
 * Compares documented parameter names with those that a call accepts: "div(value) -> Tensor"
 * documents `value`, the schemas have only `other`, and div(value=2) raises. Only symbols without a
 * Python signature are checked, whose schemas list all names; `self` and `input` count as equal.
 */
#ifndef DOCUMENTS_NAMES_H
#define DOCUMENTS_NAMES_H

#include "documents/record.h"

struct name_finding {
    const struct api_record *record;
    struct str parameter, line; /* the documented signature */
    struct str instead;         /* the first schema's name at its position; "": none */
};

struct name_findings {
    struct name_finding *at;
    size_t n, cap;
};

/* *n_compared: names that were looked up. */
void names_check(const struct api_record *r, struct arena *a, struct name_findings *out,
                 size_t *n_compared);

#endif
