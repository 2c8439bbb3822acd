/*
 * The tensors that calls share: a text with its ordinal ("f[2,3]:pos#1") has the same values in
 * every framework and every run.
 *
 *     struct tensors_made p = {0};
 *     uint32_t row = tensors_row(&p, arena, &arg);
 *     tensors_put_json(&p, &text);            // for the worker; p.bytes goes into a second file
 */
#ifndef ALIGN_TENSORS_H
#define ALIGN_TENSORS_H

#include "align/expression.h"
#include "base/map.h"
#include "base/vec.h"

struct tensor_made {
    struct tensor_spec spec;
    uint64_t at, n; /* in bytes */
};

struct tensors_made {
    struct map rows; /* by "f[2,3]:pos#1" */
    VEC(struct tensor_made) list;
    struct strbuf bytes;
};

uint32_t tensors_row(struct tensors_made *p, struct arena *a, const struct arg *tensor);
void tensors_put_json(const struct tensors_made *p, struct strbuf *out);
void tensors_done(struct tensors_made *p);

/* Is there such a way to draw values? */
bool tensors_knows_draw(struct str draw);

#endif
