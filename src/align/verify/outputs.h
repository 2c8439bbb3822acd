/*
 * Outputs of calls, in one store per framework: a folder of chunks results-N.jsonl and values-N.bin
 * as the worker wrote them (py/assay_worker/calls.py). A call is found by its key, so that none is
 * run twice.
 *
 *     struct outputs o = {0};
 *     if (!outputs_open(&o, folder, arena, e)) ...
 *     const struct output *out = outputs_find(&o, key);      // NULL: has not run
 *
 * Two outputs are compared leaf by leaf (a leaf: a tensor or a number). Values are equal within
 * tolerances of the narrower dtype; a NaN equals a NaN. Stores only grow.
 */
#ifndef ALIGN_VERIFY_OUTPUTS_H
#define ALIGN_VERIFY_OUTPUTS_H

#include "align/adapter.h"
#include "base/map.h"
#include "base/vec.h"

enum output_kind {
    OUTPUT_OK,
    OUTPUT_RAISED,
    OUTPUT_DIED,
    OUTPUT_HANGS,
    OUTPUT_NO_SYMBOL,
    OUTPUT_UNREADABLE
};

struct leaf {
    struct str dtype, stored; /* the framework's dtype; NumPy's name of the dtype of `bytes` */
    size_t rank;
    int64_t dims[ARG_RANK_MAX];
    struct str bytes;
    struct str hash; /* of a large leaf, instead of bytes */
};

struct output {
    enum output_kind kind;
    struct str form; /* "t", "(tt)" */
    const struct leaf *leaves;
    size_t n;
    struct str type, message; /* OUTPUT_RAISED */
    uint64_t digest;          /* of rounded values: equal for most outputs that are equal */
    uint64_t typed;           /* digest of rounded values and dtypes */
};

struct outputs {
    struct arena *a;
    const char *folder;
    struct map by_key;
    VEC(struct output) list;
    size_t n_chunks;
};

bool outputs_open(struct outputs *o, const char *folder, struct arena *a, struct err *e);
bool outputs_add(struct outputs *o, struct str results, struct str values, struct err *e);
const struct output *outputs_find(const struct outputs *o, struct str key);

const char *output_kind_name(enum output_kind kind);

enum agreement { AGREE_EQUAL, AGREE_DTYPE, AGREE_VALUE, AGREE_SHAPE, AGREE_KIND, AGREE_FORM };

/* AGREE_DTYPE: equal but for the width of a dtype. `x` says which results are compared; NULL: all.
 */
enum agreement outputs_compare(const struct output *a, const struct output *b,
                               const struct adapter *x, struct arena *scratch);

/* One element as a number (the real part of a complex one). */
double leaf_value(const struct leaf *l, size_t at);
size_t leaf_n(const struct leaf *l);
bool output_is_fill(const struct output *o); /* all elements are 0, or all are 1 */
void output_print(const struct output *o, struct strbuf *out);

#endif
