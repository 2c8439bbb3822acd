/*
 * Text edits: replace a byte range of one text by another text. Insertion: start == end. Deletion:
 * empty text.
 *
 *     struct edit_set set = {0};
 *     edit_add(&set, arena, start, end, STR("x.detach()"), group);
 *     struct edit_result r = edit_apply(&set, text, arena);     // r.text, r.n_groups_applied
 *
 * Edits of one group belong together: all of them are applied or none. A group that overlaps one
 * accepted before it (in order of first offset, then of group) is left for a later round. Two
 * insertions at one place conflict unless their texts are equal; then one is made. Deterministic.
 */
#ifndef PYTHON_EDIT_H
#define PYTHON_EDIT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct text_edit {
    uint32_t start, end, group;
    struct str text; /* borrowed: lives as long as the set */
};

struct edit_set {
    VEC(struct text_edit) edits;
};

struct edit_result {
    struct str text;
    uint32_t n_applied, n_skipped; /* groups */
    const bool *applied;           /* by group number; n_groups long */
    uint32_t n_groups;
    const struct text_edit *edits; /* the accepted ones, ascending, for a diff */
    uint32_t n_edits;
};

void edit_add(struct edit_set *set, struct arena *a, uint32_t start, uint32_t end, struct str text,
              uint32_t group);
bool edit_groups_conflict(const struct text_edit *a, uint32_t n_a, const struct text_edit *b,
                          uint32_t n_b);
struct edit_result edit_apply(const struct edit_set *set, struct str text, struct arena *a);

/* The new place of an old offset; an offset inside a replaced range goes to its beginning. */
uint32_t edit_map(const struct edit_result *r, uint32_t offset);

#endif
