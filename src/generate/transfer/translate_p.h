/* What is translated at the moment, for the files of this folder. */
#ifndef GENERATE_TRANSFER_TRANSLATE_P_H
#define GENERATE_TRANSFER_TRANSLATE_P_H

#include "generate/transfer/translate.h"

enum { ARGS_MAX = 32 };

/* Arguments of a call, already translated. */
struct texts {
    struct str positional[ARGS_MAX], names[ARGS_MAX], values[ARGS_MAX];
    size_t n_positional, n_named;
    bool has_splat; /* * or **: what is given is not known */
};

struct translating {
    const struct translator *t;
    struct reader *reader;
    const struct reading *read;
    struct arena *a;
    struct translation *out;
    unsigned depth;
};

/* Once: later reasons are left out. Returns an empty text. */
struct str translate__fail(struct translating *w, const char *what, struct str name);
/* The new call by a pair's adapter; empty: it does not apply. */
struct str translate__by_pair(struct translating *w, const struct pair_row *pair,
                              const struct texts *args);
/* "$0", "$*", "$shape", "$name|default" of a row of the table. */
struct str translate__by_row(struct translating *w, struct str row, const struct texts *args);

#endif
