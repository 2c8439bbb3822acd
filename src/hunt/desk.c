/*
 * Decides what the coordinator makes of what pilots send: rows go to the batch as they come, and
 * everything that depends on order (listener, rewards, which key is reduced) waits until all cases
 * before are there. Never looks into a case.
 */
#include "hunt/hunt_p.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/path.h"

struct known_bug *desk__find_bug(struct hunt *h, struct str id)
{
    for (size_t i = 0; i < h->bugs.n; i++)
        if (str_eq(h->bugs.at[i].id, id))
            return &h->bugs.at[i];
    return NULL;
}

void desk__remember_bug(struct hunt *h, const struct store_bug *row)
{
    struct known_bug *bug = desk__find_bug(h, row->id);
    if (!bug) {
        const struct known_bug fresh = {
            .id = {str_dup(&h->arena, row->id), row->id.n},
            .key = {str_dup(&h->arena, row->key), row->key.n},
            .campaign = row->campaign,
            .case_at = INT64_MAX,
            .round = -1,
        };
        vec_push(&h->bugs, &h->arena, fresh);
        bug = &vec_last(&h->bugs);
    }
    bug->state = (struct str){str_dup(&h->arena, row->state), row->state.n};
    bug->nodes = row->nodes;
    bug->case_at = MIN(bug->case_at, row->case_at);
    bug->from_case_at = row->from_case_at;
    bug->from_key = (struct str){str_dup(&h->arena, row->from_key), row->from_key.n};
    h->bugs_changed = true;
}

static void add_job(struct hunt *h, const struct triage_item *item)
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

/* For measurements: the key is a bug as it stands. */
static void put_unreduced(struct hunt *h, const struct store_failure *f)
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
    const struct store_alias alias = {f->key, bug.id, h->campaign.id, f->case_at};
    batch_add(&h->batch, (struct store_change){.kind = STORE_BUG, .bug = &bug});
    batch_add(&h->batch, (struct store_change){.kind = STORE_ALIAS, .alias = &alias});
    desk__remember_bug(h, &bug);
}

static void take_failure(struct hunt *h, const struct store_failure *f)
{
    const uint64_t *place = map_get(&h->preknown, f->key);
    if (place) {
        if (*place)
            h->bugs.at[*place - 1].seen = true;
        return;
    }
    struct triage_item *item = triage__add(&h->triage, f->key, f->folder, f->case_at);
    if (!item)
        return;
    if (h->options.no_reduce) {
        item->state = TRIAGE_SETTLED;
        put_unreduced(h, f);
    } else {
        add_job(h, item);
    }
}

void desk__advance(struct hunt *h, bool replay)
{
    const struct pending *p;
    while ((p = schedule__advance(&h->schedule))) {
        for (size_t i = 0; i < p->n_failures; i++)
            take_failure(h, &p->failures[i]);
        if (!replay && h->listener.on_case)
            h->listener.on_case(h->listener.ctx, &p->row);
    }
    h->triage.sides_too = schedule__is_finished(&h->schedule);
}

void desk__put_lost(struct hunt *h, uint64_t index)
{
    const struct store_result row = {.campaign = h->campaign.id,
                                     .case_at = (int64_t)index,
                                     .kind = STR("lost"),
                                     .at_ms = clock_wall_ms()};
    const struct store_event event = {
        .at_ms = row.at_ms,
        .who = STR("hunt"),
        .what = STR("lost"),
        .subject = str_of(arena_printf(&h->arena, "campaign/%lld", (long long)h->campaign.id)),
        .text = str_of(arena_printf(&h->arena, "two pilots ended while at case %llu",
                                    (unsigned long long)index))};
    log_warn(STR_FMT, STR_ARG(event.text));
    if (schedule__put(&h->schedule, &row, NULL, 0))
        batch_add(&h->batch, (struct store_change){.kind = STORE_RESULT, .result = &row});
    batch_add(&h->batch, (struct store_change){.kind = STORE_EVENT, .event = &event});
}

static bool read_rows(struct hunt *h, const struct json *body, struct arena *a, struct err *e)
{
    struct message_rows rows;
    const struct store_result *result = NULL;
    if (!message__get_rows(body, a, &rows, e))
        return false;
    struct store_failure *failures = arena_new_array(a, struct store_failure, rows.n);
    size_t n_failures = 0;
    for (size_t i = 0; i < rows.n; i++) {
        if (rows.at[i].kind == STORE_RESULT)
            result = rows.at[i].result;
        else if (rows.at[i].kind == STORE_FAILURE)
            failures[n_failures++] = *rows.at[i].failure;
    }
    h->n_fruitless = 0;
    if (!result)
        return err_set(e, ERR_DATA, "rows without a result");
    if (schedule__put(&h->schedule, result, failures, n_failures))
        for (size_t i = 0; i < rows.n; i++)
            batch_add(&h->batch, rows.at[i]);
    desk__advance(h, false);
    return true;
}

static void put_alias(struct hunt *h, const struct triage_item *item, struct str bug)
{
    const struct store_alias alias = {item->key, bug, h->campaign.id, item->case_at};
    batch_add(&h->batch, (struct store_change){.kind = STORE_ALIAS, .alias = &alias});
}

static void end_job(struct hunt *h, const struct triage_item *item, int64_t epoch,
                    const char *state, struct str note)
{
    const struct store_job_end end = {h->campaign.id, item->name, epoch, str_of(state), note};
    batch_add(&h->batch, (struct store_change){.kind = STORE_JOB_END, .job_end = &end});
}

/* Of a job that nobody holds: a claim first, so that the end counts. */
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
        hunt__fail(h, &e);
    else if (got.n)
        end_job(h, item, got.at[0].epoch, state, note);
    arena_done(&a);
}

void desk__settle_known(void *ctx, struct triage_item *item)
{
    struct hunt *h = ctx;
    if (!item->is_duplicate) /* the other one's reduction tells */
        put_alias(h, item, item->bug.n ? store_bug_id(item->bug, &h->arena) : STR(""));
    end_unclaimed(h, item, "known", STR(""));
}

void desk__settle_dead(struct hunt *h, struct triage_item *item, const char *why)
{
    triage__settle(&h->triage, item, STR(""));
    put_alias(h, item, STR(""));
    end_unclaimed(h, item, "dead", str_of(why));
    log_warn(STR_FMT ": %s: key " STR_FMT, STR_ARG(item->name), why, STR_ARG(item->key));
}

/* A person's word on a bug stands; of two reproducers the one with fewer nodes, then of the lower
 * index, stays. */
static bool is_better(const struct known_bug *old, const struct store_bug *row)
{
    if (!old || old->campaign != row->campaign)
        return !old;
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

/* What the row changes in the life of its bug; old: NULL, or as it was. */
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
                      ? "nobody can say who is wrong about the reduced case"
                      : arena_printf(&a, "failed %lld of %lld times in fresh processes",
                                     (long long)k, (long long)n));
    arena_done(&a);
}

static void put_bug(struct hunt *h, const struct message_rows *rows, struct store_bug *row,
                    bool unreduced)
{
    struct known_bug *old = desk__find_bug(h, row->id);
    bool is_new = old == NULL;
    int64_t round = old ? old->round + 1 : 0;
    if (old && str_is(old->state, "ignored"))
        row->state = old->state;
    for (size_t i = 0; i < rows->n; i++) {
        struct store_change change = rows->at[i];
        struct store_run run;
        if (change.kind == STORE_RUN) {
            run = *change.run;
            run.round = round;
            change.run = &run;
        }
        batch_add(&h->batch, change);
    }
    put_events(h, rows, row, old, unreduced);
    desk__remember_bug(h, row);
    desk__find_bug(h, row->id)->round = round;
    if (is_new)
        h->last_new_ms = row->first_seen_ms;
}

/* The reproducer stays, but the bug was there at an earlier case than we knew. */
static bool put_earlier(struct hunt *h, const struct store_bug *row, struct err *e)
{
    struct known_bug *old = desk__find_bug(h, row->id);
    struct arena a;
    struct store_bug kept;
    if (old->campaign != row->campaign || row->case_at >= old->case_at)
        return true;
    arena_init(&a);
    bool ok = batch_flush(&h->batch, e) && store_bug(h->store, row->id, &a, &kept, e);
    if (ok) {
        old->case_at = kept.case_at = row->case_at;
        batch_add(&h->batch, (struct store_change){.kind = STORE_BUG, .bug = &kept});
    }
    arena_done(&a);
    return ok;
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

static void add_sides(struct hunt *h, const struct triage_item *item, const struct json *others)
{
    struct str name = item->name; /* item may move */
    int64_t case_at = item->case_at;
    if (item->order !=
        TRIAGE_CASE) /* depth 1, so that all of them are there when the last item is settled */
        return;
    for (size_t i = 0; others && i < others->n; i++) {
        const struct json *o = &others->items[i];
        struct str key = json_get_str(o, "key", STR(""));
        if (map_get(&h->preknown, key))
            continue;
        const char *side = arena_printf(&h->arena, "side/" STR_FMT ".%zu", STR_ARG(name), i);
        add_job(h, triage__add_side(&h->triage, str_of(side), key,
                                    json_get_str(o, "folder", STR("")), case_at));
    }
}

static bool read_triaged(struct hunt *h, struct crew *c, const struct json *body, struct arena *a,
                         struct err *e)
{
    struct message_rows rows;
    struct store_bug *bug = NULL;
    struct triage_item *item = triage__find(&h->triage, c->triage);
    struct str final_key = json_get_str(body, "final_key", STR(""));
    struct str why = json_get_str(body, "why", STR(""));
    if (!item || !message__get_rows(body, a, &rows, e))
        return item != NULL || err_set(e, ERR_DATA, "no such reduction");
    for (size_t i = 0; i < rows.n; i++)
        if (rows.at[i].kind == STORE_BUG) {
            bug = arena_new(a, struct store_bug);
            *bug = *rows.at[i].bug;
            rows.at[i].bug = bug;
        }
    bool is_new = bug && !desk__find_bug(h, bug->id), better = false;
    if (bug) {
        bug->from_case_at = item->case_at;
        bug->from_key = item->key;
        better = is_better(desk__find_bug(h, bug->id), bug);
    }
    if (better)
        put_bug(h, &rows, bug, json_get_bool(body, "unreduced", false));
    else if (bug && !put_earlier(h, bug, e))
        return false;
    put_alias(h, item, bug ? bug->id : STR(""));
    end_job(h, item, c->job_epoch, "done", bug ? STR("") : why);
    struct str id = bug ? bug->id : STR("");
    triage__settle(&h->triage, item, bug ? final_key : STR(""));
    add_sides(h, item, json_get(body, "others"));
    c->has_triage = c->is_alone = false;
    h->n_fruitless = 0;
    return bug && better ? tell_bug(h, id, is_new, e) : batch_flush(&h->batch, e);
}

static bool read_failed(struct hunt *h, struct crew *c, const struct json *body)
{
    struct err why = {0};
    enum err_code code = (enum err_code)json_get_i64(body, "code", ERR_INTERNAL);
    struct str text = json_get_str(body, "text", STR("?"));
    err_set(&why, code, STR_FMT, STR_ARG(text));
    if (c->state == CREW_STARTING || code == ERR_IO || code == ERR_ENVIRONMENT)
        hunt__fail(h, &why);
    else
        log_warn("pilot %u: %s", c->id, why.text);
    c->is_lost = true;
    return true;
}

static bool read_ready(struct hunt *h, struct crew *c, const struct json *body)
{
    struct str sandbox = json_get_str(body, "sandbox", STR(""));
    c->state = CREW_UP;
    if (!h->sandbox) {
        h->sandbox = str_dup(&h->arena, sandbox);
        h->campaign.sandbox = str_of(h->sandbox);
        batch_add(&h->batch,
                  (struct store_change){.kind = STORE_CAMPAIGN, .campaign = &h->campaign});
    }
    return true;
}

/* A pilot tells its sums; those of pilots that have ended stay. */
static void count_hangs(struct hunt *h, struct crew *c, const struct json *body)
{
    struct hunt_statistics *st = &h->statistics;
    uint64_t n_hangs = (uint64_t)json_get_i64(body, "hangs", 0);
    uint64_t n_presumed = (uint64_t)json_get_i64(body, "presumed_hangs", 0);
    int64_t hang_ms = json_get_i64(body, "hang_ms", 0);
    st->n_hangs += n_hangs - c->n_hangs;
    st->n_presumed_hangs += n_presumed - c->n_presumed_hangs;
    st->hang_ms += hang_ms - c->hang_ms;
    c->n_hangs = n_hangs;
    c->n_presumed_hangs = n_presumed;
    c->hang_ms = hang_ms;
}

static bool read_body(struct hunt *h, struct crew *c, enum message_kind kind,
                      const struct json *body, struct arena *a, struct err *e)
{
    switch (kind) {
    case MESSAGE_READY:
        return read_ready(h, c, body);
    case MESSAGE_BEGUN:
        c->begun = (uint64_t)json_get_i64(body, "at", -1) + 1;
        return true;
    case MESSAGE_ROWS:
        return read_rows(h, body, a, e);
    case MESSAGE_RANGE_DONE:
        c->has_range = false;
        c->n_worker_restarts = (uint64_t)json_get_i64(body, "worker_restarts", 0);
        count_hangs(h, c, body);
        return true;
    case MESSAGE_PROGRESS:
        h->statistics.reducing_from = (uint32_t)json_get_i64(body, "before", 0);
        h->statistics.reducing_to = (uint32_t)json_get_i64(body, "nodes", 0);
        return true;
    case MESSAGE_TRIAGED:
        return read_triaged(h, c, body, a, e);
    case MESSAGE_FAILED:
        return read_failed(h, c, body);
    default:
        return err_set(e, ERR_DATA, "a message that only the coordinator sends");
    }
}

bool desk__read(struct hunt *h, struct crew *c, const struct pilot_message *m, struct err *e)
{
    struct arena a;
    const struct json *body;
    arena_init(&a);
    bool ok = json_parse(m->body, message__name(m->kind), &a, &body, e) &&
              read_body(h, c, m->kind, body, &a, e);
    if (!ok && e->code == ERR_IO)
        hunt__fail(h, e);
    arena_done(&a);
    return ok;
}
