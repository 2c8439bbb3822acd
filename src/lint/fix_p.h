/* Applying accepted edits to a text or to a notebook's cells. */
#ifndef LINT_FIX_P_H
#define LINT_FIX_P_H

#include "python/edit.h"
#include "python/source.h"

/* The edits' offsets are in the joined text. out->text gets the notebook's bytes; the other fields
 * are those of the joined text. */
bool fix__notebook(const struct source *s, const struct edit_set *set, struct arena *a,
                   struct edit_result *out, struct err *e);

#endif
