/* Decides what is kept of the cases that a process ran, so that they can run again: the frame of
 * each, and its ticket, whose files are kept as long. */
#include "target/pool_p.h"

void history__add(struct run_history *history, char *body, size_t n_modes, struct ticket *ticket)
{
    ticket__hold(ticket);
    vec_push(&history->list, NULL, (struct past_run){body, n_modes, ticket});
}

void history__clear(struct run_history *history)
{
    for (size_t i = 0; i < history->list.n; i++) {
        free(history->list.at[i].body);
        ticket__release(history->list.at[i].ticket);
    }
    vec_free(&history->list);
}
