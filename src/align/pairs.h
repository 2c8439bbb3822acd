/*
 * Pairs of an alignment as they are read back: by `assay align list` and `show`, by the generator
 * transfer. A file of pairs joins two frameworks (share/pairs/A-B.json, made by `assay align`).
 *
 *     struct pair_files all;
 *     if (!pairs_load(folder, arena, &all, e)) ...      // folder NULL: what is compiled in
 *     const struct pair_row *p = pairs_best(&all, STR("torch.sum"), STR("jax"));
 *
 * Immutable; lives in the arena.
 */
#ifndef ALIGN_PAIRS_H
#define ALIGN_PAIRS_H

#include "align/adapter.h"
#include "base/map.h"
#include "base/vec.h"

struct pair_row {
    struct str op, a, b, source, status, reason;
    struct adapter adapter;
    const struct json *names_a, *names_b; /* NULL: not verified */
    const struct json *dtype, *evidence;
    bool is_verified; /* equal, or equal with its adapter */
    const struct pair_file *file;
};

struct pair_file {
    struct str a, b; /* sides: "torch", "jax" */
    struct str version_a, version_b;
    const struct pair_row *rows;
    size_t n;
};

struct pair_files {
    struct pair_file *at;
    size_t n;
};

bool pairs_load(const char *folder, struct arena *a, struct pair_files *out, struct err *e);

/* The verified pair of a symbol, by any of its names, with the side; the most calls agree. NULL. */
const struct pair_row *pairs_best(const struct pair_files *f, struct str symbol, struct str side);
/* The same from side B to A. */
const struct pair_row *pairs_best_of_b(const struct pair_files *f, struct str symbol,
                                       struct str side);
bool pair_has_name(const struct json *names, struct str name);

#endif
