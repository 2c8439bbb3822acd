/*
 * Decides what happens with what pilots send: rows go to the store's batch as they come; all that
 * depends on order (listener, rewards, which key is reduced) waits until the results of all earlier
 * cases are there. Never looks into a case.
 */
#include "hunt/campaign/campaign_p.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/path.h"
#include "case/observation.h"

static void take_failure(struct hunt *h, const struct store_failure *f)
{
    const uint64_t *place = map_get(&h->preknown, f->key);
    if (place) {
        if (*place)
            h->bugs.at[*place - 1].seen = true;
        return;
    }
    struct triage_item *item = triage__add(&h->triage, f->key, f->ops, f->folder, f->case_at);
    if (!item)
        return;
    if (h->options.no_reduce) {
        item->state = TRIAGE_SETTLED;
        ledger__put_unreduced(h, f);
    } else {
        ledger__add_job(h, item);
    }
}

static struct target_count *count_of(struct hunt *h, struct str name)
{
    bool added;
    uint64_t *place = map_at(&h->target_places, &h->arena, name, &added);
    if (added) {
        *place = h->target_counts.n;
        vec_push(&h->target_counts, &h->arena, (struct target_count){.last = STR("")});
    }
    return &h->target_counts.at[*place];
}

/* An engine that does not start gives no answer of its own. */
static bool is_own_answer(struct str outcome)
{
    return !str_is(outcome, outcome_name(OUTCOME_IMPORT_FAILURE)) &&
           !str_is(outcome, outcome_name(OUTCOME_LOST_WORKER));
}

/* Many cases are found unsupported before the engine starts: they say nothing about it. */
static bool says_whether_it_runs(struct str outcome)
{
    return !str_is(outcome, outcome_name(OUTCOME_UNSUPPORTED));
}

/* outcomes: a line like "ort@1.31.1/all ok" per target. */
static void count_targets(struct hunt *h, struct str outcomes)
{
    struct str line;
    while (str_split(&outcomes, '\n', &line)) {
        size_t blank = str_find_byte(line, ' ');
        struct str outcome = str_sub(line, blank + 1, line.n);
        if (blank == line.n || !says_whether_it_runs(outcome))
            continue;
        struct target_count *n = count_of(h, str_sub(line, 0, blank));
        n->n_cases++;
        n->n_ran += is_own_answer(outcome);
        if (n->n_ran == 0)
            n->last = (struct str){str_dup(&h->arena, outcome), outcome.n};
    }
}

bool intake__targets_run(const struct hunt *h, uint64_t n_least, struct err *e)
{
    for (size_t i = 0; i < h->target_counts.n; i++) {
        const struct target_count *n = &h->target_counts.at[i];
        struct str name = h->target_places.entries.at[i].key;
        if (n->n_cases >= n_least && n->n_cases > 0 && n->n_ran == 0)
            return err_set(e, ERR_ENVIRONMENT,
                           "target " STR_FMT " ran none of %llu cases (" STR_FMT
                           "): assay targets probe says why; leave it out by --target, or fix it "
                           "and go on with --resume",
                           STR_ARG(name), (unsigned long long)n->n_cases, STR_ARG(n->last));
    }
    return true;
}

void intake__take_failures(struct hunt *h, const struct store_failure *failures, size_t n)
{
    for (size_t i = 0; i < n; i++)
        take_failure(h, &failures[i]);
}

void intake__advance(struct hunt *h, bool replay)
{
    const uint64_t snapshot_every = HUNT_SNAPSHOT_EPOCHS * h->schedule.epoch_size;
    const struct pending *p;
    while ((p = schedule__advance(&h->schedule))) {
        intake__take_failures(h, p->failures, p->n_failures);
        count_targets(h, p->row.outcomes);
        if (!replay && h->listener.on_case)
            h->listener.on_case(h->listener.ctx, &p->row);
        if (!replay && h->schedule.n_done % snapshot_every == 0)
            ledger__put_snapshot(h);
    }
    h->triage.incidentals_too = schedule__is_finished(&h->schedule);
}

static void put_lost(struct hunt *h, uint64_t index)
{
    struct arena a;
    arena_init(&a);
    const struct store_result row = {.campaign = h->campaign.id,
                                     .case_at = (int64_t)index,
                                     .kind = STR("lost"),
                                     .at_ms = clock_wall_ms()};
    const struct store_event event = {
        .at_ms = row.at_ms,
        .who = STR("hunt"),
        .what = STR("lost"),
        .subject = str_of(arena_printf(&a, "campaign/%lld", (long long)h->campaign.id)),
        .text = str_of(
            arena_printf(&a, "two pilots ended while at case %llu", (unsigned long long)index))};
    log_warn(STR_FMT, STR_ARG(event.text));
    if (!schedule__take_retried(&h->schedule, index) && schedule__put(&h->schedule, &row, NULL, 0))
        batch_add(&h->batch, (struct store_change){.kind = STORE_RESULT, .result = &row});
    batch_add(&h->batch, (struct store_change){.kind = STORE_EVENT, .event = &event});
    arena_done(&a);
}

void intake__count_death(struct hunt *h, uint64_t index)
{
    bool added;
    uint64_t *n =
        map_at(&h->deaths, &h->arena, (struct str){(const char *)&index, sizeof index}, &added);
    if (++*n >= 2 && !schedule__is_put(&h->schedule, index))
        put_lost(h, index);
}

static bool read_rows(struct hunt *h, const struct json *body, struct arena *a, struct err *e)
{
    struct message_rows rows;
    const struct store_result *result = NULL;
    if (!message_get_rows(body, a, &rows, e))
        return false;
    struct store_failure *failures = arena_new_array(a, struct store_failure, rows.n);
    size_t n_failures = 0;
    for (size_t i = 0; i < rows.n; i++) {
        if (rows.at[i].kind == STORE_RESULT)
            result = rows.at[i].result;
        else if (rows.at[i].kind == STORE_FAILURE)
            failures[n_failures++] = *rows.at[i].failure;
    }
    h->n_fruitless = h->n_foreign = 0;
    if (!result)
        return err_set(e, ERR_DATA, "rows without a result");
    bool is_retried = schedule__take_retried(&h->schedule, (uint64_t)result->case_at);
    if (is_retried || schedule__put(&h->schedule, result, failures, n_failures))
        for (size_t i = 0; i < rows.n; i++)
            batch_add(&h->batch, rows.at[i]);
    if (is_retried) {
        intake__take_failures(h, failures, n_failures);
        h->statistics.totals = (struct store_totals){0}; /* a row that was counted has changed */
        if (h->listener.on_case)
            h->listener.on_case(h->listener.ctx, result);
    }
    intake__advance(h, false);
    return true;
}

static bool tell_bug(struct hunt *h, struct str id, bool is_new, struct err *e)
{
    struct arena a;
    struct store_bug row;
    arena_init(&a);
    bool ok = batch_flush(&h->batch, e) && store_bug(h->store, id, &a, &row, e);
    if (ok && h->listener.on_bug)
        h->listener.on_bug(h->listener.ctx, &row,
                           path_join(&a, h->options.out, str_dup(&a, row.folder)), is_new);
    arena_done(&a);
    return ok;
}

static void add_incidentals(struct hunt *h, const struct triage_item *item,
                            const struct json *others)
{
    struct str name = item->name; /* item may move */
    int64_t case_at = item->case_at;
    if (item->order != TRIAGE_CASE) /* incidental failures of incidental failures are not followed,
                                       so that the list is complete when the last item is settled */
        return;
    for (size_t i = 0; others && i < others->n; i++) {
        const struct json *o = &others->items[i];
        struct str key = json_get_str(o, "key", STR(""));
        if (map_get(&h->preknown, key))
            continue;
        const char *side = arena_printf(&h->arena, "side/" STR_FMT ".%zu", STR_ARG(name), i);
        ledger__add_job(h, triage__add_incidental(&h->triage, str_of(side), key,
                                                  json_get_str(o, "folder", STR("")), case_at));
    }
}

static bool read_triaged(struct hunt *h, struct pilot_slot *slot, const struct json *body,
                         struct arena *a, struct err *e)
{
    struct message_rows rows;
    struct store_bug *bug = NULL;
    struct triage_item *item = triage__find(&h->triage, slot->triage);
    struct str why = json_get_str(body, "why", STR(""));
    if (!item || !message_get_rows(body, a, &rows, e))
        return item != NULL || err_set(e, ERR_DATA, "no such reduction");
    for (size_t i = 0; i < rows.n; i++)
        if (rows.at[i].kind == STORE_BUG) {
            bug = arena_new(a, struct store_bug);
            *bug = *rows.at[i].bug;
            rows.at[i].bug = bug;
        }
    bool is_new = bug && !ledger__find_bug(h, bug->id), better = false;
    if (bug) {
        bug->from_case_at = item->case_at;
        bug->from_key = item->key;
        ledger__tell_apart(h, bug, a);
        better = ledger__is_better(ledger__find_bug(h, bug->id), bug);
    }
    if (is_new)
        log_debug("bug " STR_FMT ", " STR_FMT ": " STR_FMT, STR_ARG(bug->id), STR_ARG(bug->state),
                  STR_ARG(bug->title));
    if (better)
        ledger__put_bug(h, &rows, bug, json_get_bool(body, "unreduced", false));
    else if (bug && !ledger__put_earlier(h, bug, e))
        return false;
    struct str reduced = json_get_str(body, "reduced_key", STR(""));
    ledger__put_alias(h, item, bug ? bug->id : STR(""), bug ? reduced : STR(""));
    ledger__end_job(h, item, slot->job_epoch, "done", bug ? STR("") : why);
    struct str id = bug ? bug->id : STR("");
    triage__settle(&h->triage, item, bug ? bug->key : STR(""), reduced);
    add_incidentals(h, item, json_get(body, "others"));
    slot->has_triage = slot->is_alone = false;
    h->n_fruitless = h->n_foreign = 0;
    return bug && better ? tell_bug(h, id, is_new, e) : batch_flush(&h->batch, e);
}

static bool read_failed(struct hunt *h, struct pilot_slot *slot, const struct json *body)
{
    struct err why = {0};
    enum err_code code = (enum err_code)json_get_i64(body, "code", ERR_INTERNAL);
    struct str text = json_get_str(body, "text", STR("?"));
    err_set(&why, code, STR_FMT, STR_ARG(text));
    if (slot->state == SLOT_STARTING || code == ERR_IO || code == ERR_ENVIRONMENT)
        ledger__fail(h, &why);
    else
        log_warn("pilot %u: %s", slot->id, why.text);
    slot->is_lost = true;
    return true;
}

static bool read_ready(struct hunt *h, struct pilot_slot *slot, const struct json *body)
{
    struct str sandbox = json_get_str(body, "sandbox", STR(""));
    slot->state = SLOT_UP;
    if (!h->sandbox) {
        h->sandbox = str_dup(&h->arena, sandbox);
        h->campaign.sandbox = str_of(h->sandbox);
        batch_add(&h->batch,
                  (struct store_change){.kind = STORE_CAMPAIGN, .campaign = &h->campaign});
    }
    return true;
}

/* A pilot sends its totals so far. The sums here keep the counts of pilots that have ended. */
static void count_hangs(struct hunt *h, struct pilot_slot *slot, const struct json *body)
{
    struct hunt_statistics *st = &h->statistics;
    uint64_t n_hangs = (uint64_t)json_get_i64(body, "hangs", 0);
    uint64_t n_presumed = (uint64_t)json_get_i64(body, "presumed_hangs", 0);
    int64_t hang_ms = json_get_i64(body, "hang_ms", 0);
    st->n_hangs += n_hangs - slot->n_hangs;
    st->n_presumed_hangs += n_presumed - slot->n_presumed_hangs;
    st->hang_ms += hang_ms - slot->hang_ms;
    slot->n_hangs = n_hangs;
    slot->n_presumed_hangs = n_presumed;
    slot->hang_ms = hang_ms;
}

static bool read_body(struct hunt *h, struct pilot_slot *slot, enum message_kind kind,
                      const struct json *body, struct arena *a, struct err *e)
{
    switch (kind) {
    case MESSAGE_READY:
        return read_ready(h, slot, body);
    case MESSAGE_BEGUN:
        slot->begun = (uint64_t)json_get_i64(body, "at", -1) + 1;
        return true;
    case MESSAGE_ROWS:
        return read_rows(h, body, a, e);
    case MESSAGE_RANGE_DONE:
        slot->has_range = false;
        slot->n_worker_restarts = (uint64_t)json_get_i64(body, "worker_restarts", 0);
        count_hangs(h, slot, body);
        return true;
    case MESSAGE_PROGRESS:
        h->statistics.reducing_from = (uint32_t)json_get_i64(body, "before", 0);
        h->statistics.reducing_to = (uint32_t)json_get_i64(body, "nodes", 0);
        return true;
    case MESSAGE_TRIAGED:
        return read_triaged(h, slot, body, a, e);
    case MESSAGE_FAILED:
        return read_failed(h, slot, body);
    default:
        return err_set(e, ERR_DATA, "a message that only the coordinator sends");
    }
}

bool intake__read(struct hunt *h, struct pilot_slot *slot, const struct pilot_message *m,
                  struct err *e)
{
    struct arena a;
    const struct json *body;
    arena_init(&a);
    bool ok = json_parse(m->body, message_name(m->kind), &a, &body, e) &&
              read_body(h, slot, m->kind, body, &a, e);
    if (!ok && e->code == ERR_IO)
        ledger__fail(h, e);
    arena_done(&a);
    return ok;
}
