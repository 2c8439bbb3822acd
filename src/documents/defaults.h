/*
 * Compares documented defaults with actual ones: those in the text of a parameter ("Default:
 * ``0.1``") or in the signature on top of a docstring with those of Python or the schemas.
 *
 *     defaults_check(record, arena, &findings, &tally);
 *
 * Only literals are compared: None, True, False, numbers, strings, tuples of them. A signature's
 * None is not compared with another documented value, for None often means "choose it later". With
 * overloads a document is right if one of them agrees.
 */
#ifndef DOCUMENTS_DEFAULTS_H
#define DOCUMENTS_DEFAULTS_H

#include "documents/record.h"

struct default_finding {
    const struct api_record *record;
    struct str parameter, documented, actual;
    struct str sentence; /* the documented text, to quote */
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

/* Gives a literal its standard spelling: "1e-05" for "0.00001", "mean" for ``'mean'``; false: no
 * literal. */
bool default_literal(struct str text, struct arena *a, struct str *out);

#endif
