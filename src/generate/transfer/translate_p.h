/* The state of a translation, for the files of this folder. */
#ifndef GENERATE_TRANSFER_TRANSLATE_P_H
#define GENERATE_TRANSFER_TRANSLATE_P_H

#include "generate/transfer/translate.h"

enum { ARGS_MAX = 32 };

/* Arguments of a call, already translated. */
struct texts {
    struct str positional[ARGS_MAX], names[ARGS_MAX], values[ARGS_MAX];
    size_t n_positional, n_named;
    bool has_splat; /* with * or **: not all arguments are known */
};

struct translating {
    const struct translator *t;
    struct reader *reader;
    const struct reading *read;
    struct arena *a;
    struct translation *out;
    unsigned depth;
};

/* Keeps the first reason why the program is not translated. Returns an empty text. */
struct str translate__fail(struct translating *w, const char *what, struct str name);
/* The new call by a pair's adapter; empty: the adapter does not apply. */
struct str translate__by_pair(struct translating *w, const struct pair_row *pair,
                              const struct texts *args);
/* The new call by a row of the table, with "$0", "$*", "$shape", "$name|default" filled in. */
struct str translate__by_row(struct translating *w, struct str row, const struct texts *args);

#endif
