/*
 * Pairs of an alignment, as `assay align list` and `show` and the generator transfer read them. A
 * file of pairs is of two frameworks (share/pairs/A-B.json, made by `assay align`).
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

struct call_list {
    VEC(const struct call *) list;
};

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

/* A symbol (any of its names) of side A: its verified pair in `side` with the most equal calls;
 * NULL: none. */
const struct pair_row *pairs_best(const struct pair_files *f, struct str symbol, struct str side);
/* As pairs_best, but for a symbol of side B and a partner in side A. */
const struct pair_row *pairs_best_of_b(const struct pair_files *f, struct str symbol,
                                       struct str side);
/* Was the pair equal on a call whose tensors have the ranks of this one? Of a pair without evidence
 * nothing is known: true. */
bool pair_knows_ranks(const struct pair_row *r, const struct call *call);
/* Adds calls of side B on which the pair agrees: its evidence's calls behind its adapter. */
void pair_agreed_calls(const struct pair_row *r, struct arena *a, struct call_list *out);
bool pair_has_name(const struct json *names, struct str name);

#endif
