/*
 * Documented defaults against signatures: what the text of a parameter ("Default: ``0.1``") or the
 * signature on top of a docstring says, and what Python or the framework's schemas say.
 *
 *     defaults_check(record, arena, &findings, &tally);
 *
 * Compared are literals: None, True, False, numbers, strings, tuples of them. Everything else is an
 * abstention, and so is a signature's None beside another documented value, for None often stands
 * for "choose it later". With overloads a document is right if one of them agrees.
 */
#ifndef DOCUMENTS_DEFAULTS_H
#define DOCUMENTS_DEFAULTS_H

#include "documents/record.h"

struct default_finding {
    const struct api_record *record;
    struct str parameter, documented, actual;
    struct str sentence; /* the documented text, for a quote */
};

struct default_findings {
    struct default_finding *at;
    size_t n, cap;
};

struct default_tally {
    size_t n_compared, n_equal, n_abstained;
};

void defaults_check(const struct api_record *r, struct arena *a, struct default_findings *out,
                    struct default_tally *tally);

/* A literal in one spelling: "1e-05" is "0.00001", ``'mean'`` is "mean"; false: no literal. */
bool default_literal(struct str text, struct arena *a, struct str *out);

#endif
