/* Decides what the numbers of the screen are: queries over rows, and the state of the pilot slots.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "hunt/campaign/campaign_p.h"

void statistics__choose_top(const struct hunt *h, const struct store_bugs *bugs, struct arena *a,
                            struct hunt_statistics *st)
{
    struct store_bug *top = arena_new_array(a, struct store_bug, HUNT_TOP);
    st->top = top;
    st->n_top = 0;
    for (size_t i = 0; i < bugs->n && st->n_top < HUNT_TOP; i++)
        if (bugs->at[i].campaign == h->campaign.id && !str_is(bugs->at[i].state, "ignored") &&
            !store_bug_is_known(&bugs->at[i]) && !store_bug_needs_opinion(&bugs->at[i]))
            top[st->n_top++] = bugs->at[i];
}

static void refresh_bugs(struct hunt *h)
{
    struct hunt_statistics *st = &h->statistics;
    struct store_bugs bugs;
    struct err ignored;
    if (!h->bugs_changed)
        return;
    arena_reset(&h->bugs_arena);
    st->top = NULL;
    st->n_top = 0;
    if (!store_bugs(h->store, STR(""), &h->bugs_arena, &bugs, &ignored))
        return;
    known_mark(h->options.known, &bugs);
    st->n_bugs_new = st->n_bugs_flaky = st->n_bugs_ignored = st->n_bugs_in_doubt = 0;
    st->n_bugs_named = 0;
    for (size_t i = 0; i < bugs.n; i++) {
        bool ours = bugs.at[i].campaign == h->campaign.id;
        bool ignored_one = str_is(bugs.at[i].state, "ignored");
        bool flaky = str_is(bugs.at[i].state, "flaky");
        bool in_doubt = store_bug_needs_opinion(&bugs.at[i]);
        bool named = store_bug_is_known(&bugs.at[i]);
        st->n_bugs_ignored += ignored_one;
        st->n_bugs_flaky += ours && flaky;
        st->n_bugs_in_doubt += ours && in_doubt;
        st->n_bugs_named += ours && named;
        st->n_bugs_new += ours && !flaky && !in_doubt && !ignored_one && !named;
    }
    statistics__choose_top(h, &bugs, &h->bugs_arena, st);
    h->bugs_changed = false;
}

static void refresh_rates(struct hunt *h)
{
    struct hunt_statistics *st = &h->statistics;
    const size_t n = COUNT_OF(h->rates);
    struct rate_point now = {clock_now_ns(), h->schedule.n_done};
    memmove(h->rates + 1, h->rates, (n - 1) * sizeof *h->rates);
    h->rates[0] = now;
    size_t oldest = n - 1;
    while (oldest > 0 && h->rates[oldest].at_ns == 0)
        oldest--;
    double seconds = (double)(now.at_ns - h->rates[oldest].at_ns) / 1e9;
    st->rate_now = seconds > 0 ? (double)(now.n_done - h->rates[oldest].n_done) / seconds : 0;
}

void statistics__tick(struct hunt *h)
{
    struct hunt_statistics *st = &h->statistics;
    struct err ignored;
    int64_t stretch_ms = (clock_now_ns() - h->begun_ns) / 1000000;
    refresh_bugs(h);
    refresh_rates(h);
    store_totals(h->store, h->campaign.id, &st->totals, &ignored);
    st->campaign = h->campaign;
    st->sandbox = h->sandbox ? h->sandbox : "";
    st->elapsed_ms = h->used_before_ms + stretch_ms;
    st->limit_ms = h->limit_ms;
    st->limit_cases = (uint64_t)h->campaign.n_cases;
    st->rate_mean =
        st->elapsed_ms > 0 ? 1e3 * (double)st->totals.n_cases / (double)st->elapsed_ms : 0;
    st->last_new_ms = h->last_new_ms;
    st->n_pilots = h->n_slots;
    st->n_pilot_restarts = h->n_restarts;
    st->n_pilots_alive = st->n_reducing = st->n_worker_restarts = 0;
    for (uint32_t i = 0; i < h->n_slots; i++) {
        st->n_pilots_alive += h->slots[i].state != SLOT_DOWN;
        st->n_reducing += h->slots[i].has_triage;
        st->n_worker_restarts += (uint32_t)h->slots[i].n_worker_restarts;
    }
    st->n_bugs_known = st->n_bugs_named;
    for (size_t i = 0; i < h->bugs.n; i++)
        st->n_bugs_known += h->bugs.at[i].seen;
    st->n_queue = h->schedule.n_out;
    struct triage_counts counts = triage__count(&h->triage);
    st->remains = (struct hunt_remains){.n_lost = (size_t)st->totals.n_lost,
                                        .n_waiting = counts.n_waiting,
                                        .n_given_up = counts.n_dead,
                                        .n_unproved = counts.n_unproved};
    st->n_op_types = (uint32_t)h->schedule.seen_ops.entries.n;
    st->n_op_dtypes = (uint32_t)h->schedule.seen_op_dtypes.entries.n;
    st->n_cells = (uint32_t)h->schedule.seen_cells.entries.n;
    st->n_rewrites = (uint32_t)h->schedule.seen_rewrites.entries.n;
    st->draining = h->draining;
    if (h->listener.on_tick)
        h->listener.on_tick(h->listener.ctx, st);
}
