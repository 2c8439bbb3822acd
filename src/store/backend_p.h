/* The back ends of store_open, and what they share. */
#ifndef STORE_BACKEND_P_H
#define STORE_BACKEND_P_H

#include "store/store.h"

bool store__open_sqlite(const char *path, enum store_mode mode, struct store **out, struct err *e);

/* Adds one result to the sums. */
void store__add_to_totals(struct store_totals *t, const struct store_result *r);

/* Order of bugs in lists: severity, case_at, id. For qsort. */
int store__compare_bugs(const void *a, const void *b);

/* Order of jobs: case_at, then name. For qsort. */
int store__compare_jobs(const void *a, const void *b);

/* Does the text name this bug, as the start of its id or title? */
bool store__bug_matches(const struct store_bug *bug, struct str prefix);

#endif
