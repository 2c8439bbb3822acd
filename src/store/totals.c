/* Decides how results add up to the numbers of the screen, and in which order bugs are shown, for
 * all back ends alike. */
#include "base/compiler.h"
#include "store/backend_p.h"

void store__add_to_totals(struct store_totals *t, const struct store_result *r)
{
    const struct {
        struct str is;
        const char *word;
        int64_t *sum;
    } rows[] = {
        {r->kind, "valid", &t->n_valid},
        {r->kind, "illegal", &t->n_illegal},
        {r->kind, "none", &t->n_none},
        {r->kind, "unsupported", &t->n_unsupported},
        {r->kind, "lost", &t->n_lost},
        {r->decision, "fail", &t->n_failing},
        {r->decision, "reference-suspect", &t->n_suspect},
        {r->decision, "needs-second-opinion", &t->n_second_opinion},
        {r->decision, "unsure", &t->n_unsure},
    };
    t->n_cases++;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        *rows[i].sum += str_is(rows[i].is, rows[i].word);
    t->n_edits += r->n_edits;
    t->n_discarded += r->n_discarded;
    t->n_noop += r->n_noop;
    if (r->at_ms > t->last_at_ms)
        t->last_at_ms = r->at_ms;
}

int store__compare_bugs(const void *a, const void *b)
{
    const struct store_bug *x = a, *y = b;
    int by = str_cmp(x->severity, y->severity);
    if (by == 0) /* cases with empty tensors or non-finite numbers come after others */
        by = (x->traits.n > 0) - (y->traits.n > 0);
    if (by == 0)
        by = (x->case_at > y->case_at) - (x->case_at < y->case_at);
    return by ? by : str_cmp(x->id, y->id);
}

int store__compare_jobs(const void *a, const void *b)
{
    const struct store_job *x = a, *y = b;
    int by = (x->case_at > y->case_at) - (x->case_at < y->case_at);
    return by ? by : str_cmp(x->name, y->name);
}

bool store__bug_matches(const struct store_bug *bug, struct str prefix)
{
    return str_starts(bug->id, prefix) || str_starts(bug->title, prefix);
}
