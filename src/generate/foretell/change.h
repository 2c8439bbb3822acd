/*
 * One-parameter changes of a call (ATOC): each replaces exactly one argument.
 *
 *     struct changes all;
 *     changes_of(&seed, arena, &all);                  // all changes, in the order of change.def
 *     api_call_write(&seed, all.at[i].at, all.at[i].text, &json);
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

/* The changed call, read back; false: not exactly one argument differs from the seed, which no row
 * may cause. */
bool change_apply(const struct api_call *seed, const struct change *by, struct arena *a,
                  struct api_call *out);

#endif
