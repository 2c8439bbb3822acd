/* The back ends that store_open picks from. */
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

/* Whether the text means this bug: it is the start of its id or of its title. */
bool store__bug_matches(const struct store_bug *bug, struct str prefix);

#endif
