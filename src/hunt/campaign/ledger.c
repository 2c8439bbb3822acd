/*
 * Decides what the store learns of bugs and of reduction jobs: which of two reproducers is kept,
 * which events are logged for a change, how a job ends. Must not know pilots or messages.
 * Invariant: h->bugs has the same values as the store in all fields of a bug that later decisions
 * use.
 */
#include "hunt/campaign/campaign_p.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"

void ledger__fail(struct hunt *h, const struct err *why)
{
    if (!h->has_fatal)
        h->fatal = *why;
    h->has_fatal = true;
}

struct known_bug *ledger__find_bug(struct hunt *h, struct str id)
{
    for (size_t i = 0; i < h->bugs.n; i++)
        if (str_eq(h->bugs.at[i].id, id))
            return &h->bugs.at[i];
    return NULL;
}

void ledger__remember_bug(struct hunt *h, const struct store_bug *row)
{
    struct known_bug *bug = ledger__find_bug(h, row->id);
    if (!bug) {
        const struct known_bug fresh = {
            .id = {str_dup(&h->arena, row->id), row->id.n},
            .key = {str_dup(&h->arena, row->key), row->key.n},
            .version = {str_dup(&h->arena, row->version), row->version.n},
            .detail = {str_dup(&h->arena, row->detail), row->detail.n},
            .campaign = row->campaign,
            .case_at = INT64_MAX,
            .round = -1,
        };
        vec_push(&h->bugs, &h->arena, fresh);
        bug = &vec_last(&h->bugs);
    }
    bug->state = (struct str){str_dup(&h->arena, row->state), row->state.n};
    bug->is_of_seed |= str_has_part(row->traits, ' ', STR(STORE_TRAIT_SEED));
    bug->is_bare = row->folder.n && folder__lacks(&h->folder, row->folder);
    bug->nodes = row->nodes;
    bug->case_at = MIN(bug->case_at, row->case_at);
    bug->from_case_at = row->from_case_at;
    bug->from_key = (struct str){str_dup(&h->arena, row->from_key), row->from_key.n};
    h->bugs_changed = true;
}

void ledger__add_job(struct hunt *h, const struct triage_item *item)
{
    struct strbuf subject = {0};
    struct json_out w = json_open(&subject, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_str(&w, "key", item->key);
    json_pair_str(&w, "folder", item->folder);
    json_end_object(&w);
    const struct store_job job = {.campaign = h->campaign.id,
                                  .name = item->name,
                                  .kind = STR("reduce"),
                                  .case_at = item->case_at,
                                  .n_cases = 1,
                                  .subject = strbuf_str(&subject),
                                  .state = STR("ready")};
    batch_add(&h->batch, (struct store_change){.kind = STORE_JOB, .job = &job});
    strbuf_done(&subject);
}

/* For hunts without reduction and confirmation, in measurements: each key counts as a bug. */
void ledger__put_unreduced(struct hunt *h, const struct store_failure *f)
{
    struct store_bug bug = {.id = store_bug_id(f->key, &h->arena),
                            .key = f->key,
                            .campaign = h->campaign.id,
                            .title = f->claim,
                            .state = STR("new"),
                            .oracle = f->oracle,
                            .wrong = f->wrong,
                            .op_type = f->op_type,
                            .output = f->output,
                            .measure = f->measure,
                            .threshold = f->threshold,
                            .claim = f->claim,
                            .element = -1,
                            .case_at = f->case_at,
                            .folder = f->folder,
                            .first_seen_ms = f->at_ms};
    const struct store_alias alias = {
        .key = f->key, .bug = bug.id, .campaign = h->campaign.id, .case_at = f->case_at};
    batch_add(&h->batch, (struct store_change){.kind = STORE_BUG, .bug = &bug});
    batch_add(&h->batch, (struct store_change){.kind = STORE_ALIAS, .alias = &alias});
    ledger__remember_bug(h, &bug);
}

void ledger__put_alias(struct hunt *h, const struct triage_item *item, struct str bug,
                       struct str reduced)
{
    const struct store_alias alias = {item->alias, bug, h->campaign.id, item->case_at, reduced};
    batch_add(&h->batch, (struct store_change){.kind = STORE_ALIAS, .alias = &alias});
}

void ledger__end_job(struct hunt *h, const struct triage_item *item, int64_t epoch,
                     const char *state, struct str note)
{
    const struct store_job_end end = {.campaign = h->campaign.id,
                                      .name = item->name,
                                      .epoch = epoch,
                                      .state = str_of(state),
                                      .note = note};
    batch_add(&h->batch, (struct store_change){.kind = STORE_JOB_END, .job_end = &end});
}

void ledger__return_job(struct hunt *h, const struct triage_item *item, int64_t epoch,
                        bool uncounted)
{
    const struct store_job_end end = {.campaign = h->campaign.id,
                                      .name = item->name,
                                      .epoch = epoch,
                                      .state = STR("ready"),
                                      .add_attempts = uncounted ? -1 : 0};
    batch_add(&h->batch, (struct store_change){.kind = STORE_JOB_END, .job_end = &end});
}

/* Ends a job that no pilot has claimed: it is claimed first, because only a claimed job can end. */
static void end_unclaimed(struct hunt *h, const struct triage_item *item, const char *state,
                          struct str note)
{
    struct arena a;
    struct store_jobs got = {0};
    struct err e;
    const struct store_claim claim = {.campaign = h->campaign.id,
                                      .owner = h->campaign.owner,
                                      .name = item->name,
                                      .now_ms = clock_wall_ms(),
                                      .lease_ms = 1000,
                                      .n_most = 1};
    arena_init(&a);
    if (!batch_flush(&h->batch, &e) || !store_claim(h->store, &claim, &a, &got, &e))
        ledger__fail(h, &e);
    else if (got.n)
        ledger__end_job(h, item, got.at[0].epoch, state, note);
    arena_done(&a);
}

void ledger__put_snapshot(struct hunt *h)
{
    struct strbuf state = {0};
    schedule__save(&h->schedule, &state);
    const struct store_snapshot row = {h->campaign.id, (int64_t)h->schedule.n_done,
                                       strbuf_str(&state)};
    batch_add(&h->batch, (struct store_change){.kind = STORE_SNAPSHOT, .snapshot = &row});
    strbuf_done(&state);
}

void ledger__settle_known(void *ctx, struct triage_item *item)
{
    struct hunt *h = ctx;
    if (!item->is_duplicate) /* of a duplicate the other item's reduction decides */
        ledger__put_alias(h, item, item->bug.n ? store_bug_id(item->bug, &h->arena) : STR(""),
                          STR(""));
    end_unclaimed(h, item, "known", STR(""));
}

void ledger__settle_dead(struct hunt *h, struct triage_item *item, const char *why)
{
    triage__settle(&h->triage, item, STR(""), STR(""));
    item->is_dead = true;
    ledger__put_alias(h, item, STR(""), STR(""));
    end_unclaimed(h, item, "dead", str_of(why));
    log_warn(STR_FMT ": %s: key " STR_FMT, STR_ARG(item->name), why, STR_ARG(item->key));
}

void ledger__remake(struct hunt *h, struct triage_item *item)
{
    bool is_being_run = !schedule__is_put(&h->schedule, (uint64_t)item->case_at);
    if (item->order == TRIAGE_INCIDENTAL || (item->is_remade && !is_being_run)) {
        ledger__settle_dead(h, item, "its case was removed from the disk");
        return;
    }
    item->is_remade = true;
    schedule__retry(&h->schedule, (uint64_t)item->case_at);
}

static bool is_elsewhere(const struct known_bug *old, const struct store_bug *row)
{
    return old->detail.n && row->detail.n && str_eq(old->version, row->version) &&
           !str_eq(old->detail, row->detail);
}

void ledger__tell_apart(struct hunt *h, struct store_bug *row, struct arena *a)
{
    const struct str key = row->key;
    const struct known_bug *old;
    for (int n = 2; (old = ledger__find_bug(h, row->id)) && is_elsewhere(old, row); n++) {
        row->key = str_of(arena_printf(a, STR_FMT "#%d", STR_ARG(key), n));
        row->id = store_bug_id(row->key, a);
    }
}

/* Merges the bug that an earlier version stored under this key into the row, which takes over what
 * a person said about it. */
static bool inherit_from(struct hunt *h, struct str old_key, struct store_bug *row, struct err *e)
{
    const struct str old_id = store_bug_id(old_key, &h->arena);
    const struct known_bug *known = ledger__find_bug(h, old_id);
    struct arena a;
    struct store_bug old;
    if (!known || str_eq(old_id, row->id))
        return true;
    arena_init(&a);
    bool ok = batch_flush(&h->batch, e) && store_bug(h->store, old_id, &a, &old, e);
    if (ok && old.merged_into.n == 0) {
        old.merged_into = row->id;
        batch_add(&h->batch, (struct store_change){.kind = STORE_BUG, .bug = &old});
        if (str_is(old.state, "ignored")) {
            row->state = STR("ignored");
            row->reason = (struct str){str_dup(&h->arena, old.reason), old.reason.n};
            row->expires_ms = old.expires_ms;
        }
    }
    arena_done(&a);
    return ok;
}

static bool inherit(struct hunt *h, struct store_bug *row, struct err *e)
{
    struct str rest = row->old_key, old_key;
    while (str_split(&rest, '\n', &old_key))
        if (old_key.n && !inherit_from(h, old_key, row, e))
            return false;
    return true;
}

/* Prefers the reproducer with fewer nodes, of equally many that of the lower index; one of another
 * campaign is never replaced, one that was removed always. */
bool ledger__is_better(const struct known_bug *old, const struct store_bug *row)
{
    if (!old || old->campaign != row->campaign)
        return !old;
    if (old->is_bare)
        return true;
    if (row->nodes != old->nodes)
        return row->nodes < old->nodes;
    if (row->from_case_at != old->from_case_at)
        return row->from_case_at < old->from_case_at;
    return str_cmp(row->from_key, old->from_key) < 0;
}

static void put_event(struct hunt *h, struct str bug, struct str what, const char *text)
{
    const struct store_event event = {clock_wall_ms(), STR("hunt"), what, bug, str_of(text)};
    batch_add(&h->batch, (struct store_change){.kind = STORE_EVENT, .event = &event});
}

/* Logs what has changed from `old`, the bug before (NULL: a new bug), to its new row. */
static void put_events(struct hunt *h, const struct message_rows *rows, const struct store_bug *row,
                       const struct known_bug *old, bool unreduced)
{
    struct arena a;
    int64_t k = 0, n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->at[i].kind == STORE_RUN && str_is(rows->at[i].run->kind, "fork")) {
            k += rows->at[i].run->failed;
            n++;
        }
    arena_init(&a);
    if (!old)
        put_event(h, row->id, STR("new"),
                  arena_printf(&a, "from case %lld", (long long)row->from_case_at));
    put_event(h, row->id, unreduced ? STR("unreduced") : STR("reduced"),
              arena_printf(&a, "from %lld to %lld nodes in %lld runs", (long long)row->nodes_before,
                           (long long)row->nodes, (long long)row->reduce_runs));
    if (!old || !str_eq(old->state, row->state))
        put_event(h, row->id, row->state,
                  store_bug_needs_opinion(row)
                      ? "the reduced case cannot show which engine is wrong"
                      : arena_printf(&a, "failed %lld of %lld times in fresh processes",
                                     (long long)k, (long long)n));
    arena_done(&a);
}

void ledger__put_bug(struct hunt *h, const struct message_rows *rows, struct store_bug *row,
                     bool unreduced)
{
    struct known_bug *old = ledger__find_bug(h, row->id);
    if (old && old->is_of_seed) /* holds for the bug, whichever reproducer is kept */
        store_bug_add_trait(row, STORE_TRAIT_SEED, &h->arena);
    struct err e;
    bool is_new = old == NULL;
    int64_t round = old ? old->round + 1 : 0;
    if (old && str_is(old->state, "ignored"))
        row->state = old->state;
    if (is_new && !inherit(h, row, &e))
        ledger__fail(h, &e);
    for (size_t i = 0; i < rows->n; i++) {
        struct store_change change = rows->at[i];
        struct store_run run;
        if (change.kind == STORE_RUN) {
            run = *change.run;
            run.bug = row->id;
            run.round = round;
            change.run = &run;
        }
        batch_add(&h->batch, change);
    }
    put_events(h, rows, row, old, unreduced);
    ledger__remember_bug(h, row);
    ledger__find_bug(h, row->id)->round = round;
    if (is_new)
        h->last_new_ms = row->first_seen_ms;
}

/* Keeps the old reproducer; only updates the lowest case that shows the bug, and the trait that a
 * seed shows it. */
bool ledger__put_earlier(struct hunt *h, const struct store_bug *row, struct err *e)
{
    struct known_bug *old = ledger__find_bug(h, row->id);
    struct arena a;
    struct store_bug kept;
    bool is_of_seed = str_has_part(row->traits, ' ', STR(STORE_TRAIT_SEED));
    if (old->campaign != row->campaign ||
        (row->case_at >= old->case_at && (old->is_of_seed || !is_of_seed)))
        return true;
    arena_init(&a);
    bool ok = batch_flush(&h->batch, e) && store_bug(h->store, row->id, &a, &kept, e);
    if (ok) {
        old->case_at = kept.case_at = MIN(row->case_at, old->case_at);
        old->is_of_seed |= is_of_seed;
        if (is_of_seed)
            store_bug_add_trait(&kept, STORE_TRAIT_SEED, &a);
        batch_add(&h->batch, (struct store_change){.kind = STORE_BUG, .bug = &kept});
    }
    arena_done(&a);
    return ok;
}
