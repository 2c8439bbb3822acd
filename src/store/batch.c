/* Decides when waiting changes are written, and keeps copies of them until then. */
#include "store/batch.h"

#include "base/clock.h"
#include "store/row_p.h"

void batch_init(struct batch *b, struct store *s)
{
    *b = (struct batch){.store = s};
    arena_init(&b->arena);
}

void batch_done(struct batch *b)
{
    vec_free(&b->changes);
    arena_done(&b->arena);
}

void batch_add(struct batch *b, struct store_change change)
{
    const struct table *t = row__table(change.kind);
    if (t) {
        void *copy = arena_alloc(&b->arena, t->row_size);
        row__copy(t, change.row, &b->arena, copy);
        change.row = copy;
    } else {
        struct store_job_end *end = arena_new(&b->arena, struct store_job_end);
        const struct store_job_end *from = change.job_end;
        *end = *from;
        end->from = (struct str){str_dup(&b->arena, from->from), from->from.n};
        end->name = (struct str){str_dup(&b->arena, from->name), from->name.n};
        end->state = (struct str){str_dup(&b->arena, from->state), from->state.n};
        end->note = (struct str){str_dup(&b->arena, from->note), from->note.n};
        change.job_end = end;
    }
    if (b->changes.n == 0)
        b->since_ns = clock_now_ns();
    b->n_results += change.kind == STORE_RESULT;
    vec_push(&b->changes, NULL, change);
}

bool batch_is_due(const struct batch *b, int64_t now_ns)
{
    return b->changes.n > 0 &&
           (b->n_results >= BATCH_RESULTS || now_ns - b->since_ns >= BATCH_MS * INT64_C(1000000));
}

bool batch_flush(struct batch *b, struct err *e)
{
    if (!store_commit(b->store, b->changes.at, b->changes.n, e))
        return false;
    vec_clear(&b->changes);
    b->n_results = 0;
    arena_reset(&b->arena);
    return true;
}
