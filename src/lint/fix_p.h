/* Applying accepted edits to a text or to a notebook's cells. */
#ifndef LINT_FIX_P_H
#define LINT_FIX_P_H

#include "python/edit.h"
#include "python/source.h"

/* Edits are offsets into the joined text; what follows a cell's end is cut off. */
bool fix__notebook(const struct source *s, const struct edit_set *set, struct arena *a,
                   struct str *out, uint32_t *n_applied, struct err *e);

#endif
