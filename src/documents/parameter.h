/*
 * What a docstring says about each parameter, mined from its "Args:" section: which kinds of values
 * it takes, element types, a range, a rank, and which other parameter must have the same type or
 * shape. Facts are only what the text states; a caller drops those that a working call contradicts.
 *
 *     struct documented_parameters all;
 *     documented_parameters_of(record, arena, &all);
 *     const struct documented_parameter *p = documented_parameter_find(&all, STR("axis"));
 *
 * Immutable; texts are borrowed from the record or live in the arena.
 */
#ifndef DOCUMENTS_PARAMETER_H
#define DOCUMENTS_PARAMETER_H

#include "documents/record.h"

enum documented_kind {
    DOCUMENTED_TENSOR = 1,
    DOCUMENTED_INT = 2,
    DOCUMENTED_FLOAT = 4,
    DOCUMENTED_BOOL = 8,
    DOCUMENTED_TEXT = 16,
    DOCUMENTED_LIST = 32,
    DOCUMENTED_NONE = 64,
    DOCUMENTED_DTYPE = 128,
};

enum { DOCUMENTED_DTYPES_MAX = 24 };

struct documented_parameter {
    struct str name, text; /* text: without markup, one line */
    unsigned kinds;        /* set of enum documented_kind; 0: not said */
    struct str dtypes[DOCUMENTED_DTYPES_MAX];
    size_t n_dtypes;       /* 0: not said */
    struct str same_type;  /* as this parameter; "": not said */
    struct str same_shape; /* likewise */
    bool has_low, has_high, excludes_low, excludes_high;
    double low, high;
    int rank; /* -1: not said */
};

struct documented_parameters {
    struct documented_parameter *at;
    size_t n, cap;
};

void documented_parameters_of(const struct api_record *r, struct arena *a,
                              struct documented_parameters *out);

/* NULL: the document does not describe it. */
const struct documented_parameter *
documented_parameter_find(const struct documented_parameters *all, struct str name);

bool documented_range_has(const struct documented_parameter *p, double v);
bool documented_dtypes_have(const struct documented_parameter *p, struct str dtype);

#endif
