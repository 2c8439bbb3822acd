/*
 * struct batch: changes that wait for a common transaction, until there are 64 results or 200 ms
 * have passed since the first.
 *
 *     batch_init(&b, store);
 *     batch_add(&b, (struct store_change){.kind = STORE_RESULT, .result = &row});  // row is copied
 *     if (!batch_flush_due(&b, now_ns, e)) ...          // on each turn of the loop
 *     if (!batch_flush(&b, e)) ...                      // before waiting, and at the end
 *     batch_done(&b);
 *
 * A flush that fails keeps all changes, and the next flush tries again.
 */
#ifndef STORE_BATCH_H
#define STORE_BATCH_H

#include "base/vec.h"
#include "store/store.h"

enum { BATCH_RESULTS = 64, BATCH_MS = 200 };

struct batch {
    struct store *store;
    struct arena arena;
    VEC(struct store_change) changes;
    size_t n_results;
    int64_t since_ns; /* when the oldest change came */
};

void batch_init(struct batch *b, struct store *s);
void batch_done(struct batch *b); /* drops changes that were not flushed */

/* The row is copied; changes are applied in the order of adding. */
void batch_add(struct batch *b, struct store_change change);

bool batch_is_due(const struct batch *b, int64_t now_ns);
bool batch_flush(struct batch *b, struct err *e);

#endif
