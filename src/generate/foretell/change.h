/*
 * One-parameter changes of a call (ATOC): each replaces exactly one argument.
 *
 *     struct changes all;
 *     changes_of(&seed, arena, &all);                  // every change that some row makes, in
 * order api_call_write(&seed, all.at[i].at, all.at[i].text, &json);
 */
#ifndef GENERATE_FORETELL_CHANGE_H
#define GENERATE_FORETELL_CHANGE_H

#include "generate/foretell/api_call.h"

enum change_kind {
#define CHANGE(id, name, of, help) CHANGE_##id,
#include "generate/foretell/change.def"
#undef CHANGE
    CHANGE_COUNT
};

struct change {
    enum change_kind kind;
    size_t at;       /* which argument */
    struct str text; /* its JSON */
};

struct changes {
    struct change *at;
    size_t n, cap;
};

const char *change_name(enum change_kind kind);

void changes_of(const struct api_call *c, struct arena *a, struct changes *out);

/* The changed call, read back; false: it differs from the seed in another number of arguments than
 * one, which no row may do. */
bool change_apply(const struct api_call *seed, const struct change *by, struct arena *a,
                  struct api_call *out);

#endif
