/*
 * Decides what identifies a campaign and how it is resumed: its row, who owns it, and its history,
 * which is replayed from the store so that schedule and triage are in the same state as before.
 * Must not know pilots.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/verdict.h"
#include "hunt/campaign/campaign_p.h"
#include "target/target.h"

/* pid and start time (in clock ticks since boot) of a process: "1234:5678"; empty: it is gone. */
static struct str process_identity(const char *proc, struct arena *a)
{
    struct str text, field = {0};
    struct err e;
    if (!file_read(path_join(a, proc, "stat"), 4096, a, &text, &e))
        return STR("");
    int64_t pid;
    if (!str_to_i64(str_sub(text, 0, str_find_byte(text, ' ')), &pid))
        return STR("");
    size_t behind_name = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.at[i] == ')')
            behind_name = i + 2;
    struct str rest = str_sub(text, behind_name, text.n);
    if (str_starts(rest, STR("Z")) || str_starts(rest, STR("X"))) /* dead, not yet waited for */
        return STR("");
    for (int i = 0; i < 20; i++) /* proc(5): state, after the name, is field 3, starttime 22 */
        if (!str_split(&rest, ' ', &field))
            return STR("");
    return str_of(arena_printf(a, "%lld:" STR_FMT, (long long)pid, STR_ARG(field)));
}

static struct str host_name(struct arena *a)
{
    struct str text;
    struct err e;
    if (!file_read("/proc/sys/kernel/hostname", 256, a, &text, &e))
        return STR("?");
    return str_trim(text);
}

struct str resume__owner(struct arena *a)
{
    return str_of(arena_printf(a, STR_FMT ":" STR_FMT, STR_ARG(host_name(a)),
                               STR_ARG(process_identity("/proc/self", a))));
}

bool resume__is_alive(struct str owner, struct arena *a)
{
    struct str rest = owner, host, pid;
    if (owner.n == 0 || !str_split(&rest, ':', &host) || !str_split(&rest, ':', &pid))
        return false;
    if (!str_eq(host, host_name(a)))
        return true; /* on another machine: it cannot be checked from here */
    struct str now = process_identity(arena_printf(a, "/proc/" STR_FMT, STR_ARG(pid)), a);
    return now.n > 0 && str_ends(owner, now);
}

static bool refuse_if_owned(const struct store_campaign *c, struct arena *a, struct err *e)
{
    if (!resume__is_alive(c->owner, a))
        return true;
    return err_set(e, ERR_IO,
                   "campaign %lld of this store is being run by " STR_FMT
                   " (host:pid:start); wait until it ends, or give another --out",
                   (long long)c->id, STR_ARG(c->owner));
}

/* Adds version and mode to target names, so that a resumed campaign uses the same engines. */
static bool pin_targets(struct hunt *h, struct err *e)
{
    struct targets *all = arena_new(&h->arena, struct targets);
    struct target_list list = {0};
    VEC(const char *) names = {0};
    if (h->options.pilot_entry) /* a double runs no engines */
        return true;
    if (!targets_load(h->options.home, &h->arena, all, e))
        return false;
    for (size_t i = 0; i < h->options.targets.n; i++)
        if (!targets_resolve_hunt(all, h->options.targets.at[i], &h->arena, &list, e))
            return false;
    for (size_t i = 0; i < list.n; i++) {
        const struct target_id *id = &list.at[i]->id;
        const char *name = target_full_name(list.at[i], &h->arena);
        const struct store_target row = {h->campaign.id, str_of(name), id->engine,
                                         id->version,    id->mode,     id->family};
        vec_push(&names, &h->arena, name);
        batch_add(&h->batch, (struct store_change){.kind = STORE_TARGET, .target = &row});
    }
    h->options.targets = (struct hunt_names){names.at, names.n};
    return true;
}

static bool begin_new(struct hunt *h, int64_t id, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    h->campaign.id = id;
    if (!pin_targets(h, e))
        return false;
    hunt_options_to_json(&h->options, &w);
    h->campaign = (struct store_campaign){.id = id,
                                          .seed = (int64_t)h->options.seed,
                                          .generator = str_of(h->options.generators.at[0]),
                                          .strategy = str_of(h->options.strategy),
                                          .settings = strbuf_dup(&text, &h->arena),
                                          .version = str_of(h->options.version),
                                          .n_cases = (int64_t)h->options.n_cases,
                                          .seconds = h->options.seconds,
                                          .started_ms = clock_wall_ms()};
    strbuf_done(&text);
    return true;
}

static bool begin_old(struct hunt *h, const struct store_campaign *old, struct err *e)
{
    const struct json *settings;
    const struct hunt_options asked = h->options;
    h->options.seed = (uint64_t)old->seed;
    if (!refuse_if_owned(old, &h->arena, e) ||
        !json_parse(old->settings, "settings of the campaign", &h->arena, &settings, e) ||
        !hunt_options_from_json(settings, &h->arena, &h->options, e))
        return false;
    h->options.version = str_dup(&h->arena, old->version);
    if (!hunt_options_agree(&asked, &h->options, &h->arena, e))
        return false;
    h->campaign = *old;
    if (h->options.n_cases)
        h->campaign.n_cases = (int64_t)h->options.n_cases;
    else if (old->n_cases == 0 && old->used_ms >= 1000 * old->seconds)
        h->campaign.seconds = old->used_ms / 1000 + h->options.seconds; /* it had ended: add time */
    h->options.n_cases = (uint64_t)h->campaign.n_cases;
    return true;
}

bool resume__begin(struct hunt *h, struct err *e)
{
    struct store_campaigns old;
    if (!store_campaigns(h->store, &h->arena, &old, e))
        return false;
    const struct store_campaign *last = old.n ? &old.at[old.n - 1] : NULL;
    if (h->options.resume && !last)
        return err_set(e, ERR_USAGE, "--resume: no campaign in %s yet; start one without --resume",
                       h->options.out);
    if (last && !refuse_if_owned(last, &h->arena, e))
        return false;
    if (!(h->options.resume ? begin_old(h, last, e) : begin_new(h, last ? last->id + 1 : 1, e)))
        return false;
    h->campaign.state = STR("running");
    h->campaign.owner = resume__owner(&h->arena);
    h->used_before_ms = h->campaign.used_ms;
    h->limit_ms = h->campaign.n_cases ? 0 : 1000 * h->campaign.seconds;
    batch_add(&h->batch, (struct store_change){.kind = STORE_CAMPAIGN, .campaign = &h->campaign});
    return batch_flush(&h->batch, e);
}

/* Bugs that need a second opinion are judged again, since this campaign may have other targets. */
static bool is_settled(const struct known_bug *bug)
{
    return !str_is(bug->state, decision_name(DECISION_SECOND_OPINION));
}

static bool load_bugs(struct hunt *h, struct err *e)
{
    struct store_bugs bugs;
    struct store_aliases aliases;
    if (!store_bugs(h->store, STR(""), &h->arena, &bugs, e) ||
        !store_aliases(h->store, h->campaign.id, &h->arena, &aliases, e))
        return false;
    for (size_t i = 0; i < bugs.n; i++) {
        struct store_runs runs;
        ledger__remember_bug(h, &bugs.at[i]);
        if (!store_runs(h->store, bugs.at[i].id, &h->arena, &runs, e))
            return false;
        for (size_t k = 0; k < runs.n; k++)
            h->bugs.at[i].round = MAX(h->bugs.at[i].round, runs.at[k].round);
    }
    for (size_t i = 0; i < aliases.n && !h->options.forget_known; i++) {
        const struct store_alias *x = &aliases.at[i];
        struct known_bug *bug = ledger__find_bug(h, x->bug);
        if (x->campaign == h->campaign.id || !bug || !is_settled(bug))
            continue;
        map_put(&h->preknown, &h->arena, x->key, (uint64_t)(bug - h->bugs.at) + 1);
        if (x->reduced.n)
            map_put(&h->preknown, &h->arena, x->reduced, (uint64_t)(bug - h->bugs.at) + 1);
    }
    for (size_t i = 0; i < h->bugs.n && !h->options.forget_known; i++)
        if (h->bugs.at[i].campaign != h->campaign.id && is_settled(&h->bugs.at[i]))
            map_put(&h->preknown, &h->arena, h->bugs.at[i].key, i + 1);
    return true;
}

static bool load_snapshot(struct hunt *h, struct err *e)
{
    struct store_snapshot found;
    return store_snapshot(h->store, h->campaign.id, &h->arena, &found, e) &&
           (found.state.n == 0 || schedule__load(&h->schedule, found.state, e));
}

/* Puts the results of indices n_done to n_most - 1 into the schedule, each with its failures, in
 * parts; `then` is called after each part. */
static bool read_results(const struct hunt *h, struct schedule *s, uint64_t n_most,
                         const struct store_failures *failures,
                         void (*then)(void *ctx, struct schedule *s), void *ctx, struct err *e)
{
    enum { CHUNK = 4096 };
    struct arena a;
    size_t at = 0, n_rows = 1;
    bool ok = true;
    arena_init(&a);
    for (uint64_t from = s->n_done; ok && n_rows > 0 && from < n_most; from += CHUNK) {
        struct store_results rows;
        arena_reset(&a);
        ok = store_results(h->store, h->campaign.id, (int64_t)from,
                           (int64_t)MIN(from + CHUNK, n_most), &a, &rows, e);
        for (size_t i = 0; ok && i < rows.n; i++) {
            while (at < failures->n && failures->at[at].case_at < rows.at[i].case_at)
                at++;
            size_t first = at;
            while (at < failures->n && failures->at[at].case_at == rows.at[i].case_at)
                at++;
            schedule__put(s, &rows.at[i], &failures->at[first], at - first);
        }
        then(ctx, s);
        n_rows = ok ? rows.n : 0;
    }
    arena_done(&a);
    return ok;
}

static void advance_campaign(void *hunt, struct schedule *s)
{
    (void)s;
    intake__advance(hunt, true);
}

static bool retry_lost(struct hunt *h, struct err *e)
{
    struct store_results lost;
    if (!store_lost(h->store, h->campaign.id, &h->arena, &lost, e))
        return false;
    for (size_t i = 0; i < lost.n; i++)
        if ((uint64_t)lost.at[i].case_at < h->schedule.n_done)
            schedule__retry(&h->schedule, (uint64_t)lost.at[i].case_at);
    return true;
}

/* Reads all results after the snapshot, and the failures of the cases that it covers. */
static bool replay_results(struct hunt *h, struct err *e)
{
    struct store_failures failures;
    size_t n = 0;
    if (!load_snapshot(h, e) ||
        !store_failures(h->store, h->campaign.id, STR(""), 0, &h->arena, &failures, e))
        return false;
    while (n < failures.n && (uint64_t)failures.at[n].case_at < h->schedule.n_done)
        n++;
    intake__take_failures(h, failures.at, n);
    return read_results(h, &h->schedule, INT64_MAX, &failures, advance_campaign, h, e) &&
           retry_lost(h, e);
}

static void advance_alone(void *ctx, struct schedule *s)
{
    (void)ctx;
    while (schedule__advance(s))
        ;
}

bool resume__learn_again(const struct hunt *h, uint64_t n, struct schedule *out, struct err *e)
{
    const struct store_failures none = {0};
    schedule__init(out, h->options.generators.n, GENERATE_EPOCH, HUNT_RANGE, 0);
    return read_results(h, out, n, &none, advance_alone, NULL, e);
}

static const struct store_alias *alias_of(const struct store_aliases *aliases, struct str key)
{
    for (size_t i = 0; i < aliases->n; i++)
        if (str_eq(aliases->at[i].key, key))
            return &aliases->at[i];
    return NULL;
}

static struct str final_key_of(struct hunt *h, const struct store_alias *alias)
{
    const struct known_bug *bug = alias ? ledger__find_bug(h, alias->bug) : NULL;
    return bug ? bug->key : STR("");
}

/* A job that was claimed when the program died can be claimed again, and that attempt does not
 * count; one that was given up starts anew, and so does one that ended in the bug of the alias if
 * that bug's reproducer was removed from the disk. Returns the attempts that count. */
static int64_t put_back(struct hunt *h, const struct store_job *job, bool anew)
{
    bool is_claimed = str_is(job->state, "claimed");
    int64_t n_less = anew ? job->attempts : is_claimed ? 1 : 0;
    const struct store_job_end end = {.campaign = h->campaign.id,
                                      .name = job->name,
                                      .epoch = job->epoch,
                                      .from = job->state,
                                      .state = STR("ready"),
                                      .add_attempts = -n_less};
    if (n_less > 0)
        batch_add(&h->batch, (struct store_change){.kind = STORE_JOB_END, .job_end = &end});
    return job->attempts - n_less;
}

/* Settles the item as its job ended. Returns whether the job is to be done anew. */
static bool replay_end(struct hunt *h, const struct store_job *job, struct triage_item *item,
                       const struct store_alias *alias)
{
    const struct known_bug *bug = alias ? ledger__find_bug(h, alias->bug) : NULL;
    bool is_done = str_is(job->state, "done"), is_known = str_is(job->state, "known");
    if (is_done && bug && bug->is_bare && bug->from_case_at == item->case_at &&
        item->order != TRIAGE_INCIDENTAL) {
        log_warn("bug " STR_FMT ": its reproducer was removed from the disk and is made again",
                 STR_ARG(bug->id));
        return true;
    }
    if (is_done)
        triage__settle(&h->triage, item, final_key_of(h, alias), alias ? alias->reduced : STR(""));
    if (is_known)
        triage__settle_known(&h->triage, item, final_key_of(h, alias));
    return str_is(job->state, "dead");
}

static bool replay_jobs(struct hunt *h, struct err *e)
{
    struct store_jobs jobs;
    struct store_aliases aliases;
    if (!store_jobs(h->store, h->campaign.id, STR(""), &h->arena, &jobs, e) ||
        !store_aliases(h->store, h->campaign.id, &h->arena, &aliases, e))
        return false;
    for (size_t i = 0; i < jobs.n; i++) {
        const struct store_job *job = &jobs.at[i];
        const struct json *subject;
        if (!str_is(job->kind, "reduce"))
            continue;
        if (!json_parse(job->subject, "job", &h->arena, &subject, e))
            return err_wrap(e, "job " STR_FMT, STR_ARG(job->name));
        struct str key = json_get_str(subject, "key", STR(""));
        if (str_starts(job->name, STR("side/")))
            triage__add_incidental(&h->triage, job->name, key,
                                   json_get_str(subject, "folder", STR("")), job->case_at);
        struct triage_item *item = triage__find(&h->triage, job->name);
        if (item)
            item->n_begun =
                put_back(h, job, replay_end(h, job, item, alias_of(&aliases, item->alias)));
        if (item && item->state != TRIAGE_SETTLED && item->n_begun >= 2 * (int64_t)TRIAGE_TRIES)
            ledger__settle_dead(h, item, "begun many times and never ended");
    }
    return true;
}

bool resume__replay(struct hunt *h, struct err *e)
{
    return load_bugs(h, e) && (!h->options.resume || (replay_results(h, e) && replay_jobs(h, e) &&
                                                      batch_flush(&h->batch, e)));
}

bool resume__end(struct hunt *h, struct err *e)
{
    h->campaign.owner = STR("");
    h->campaign.used_ms = h->used_before_ms + (clock_now_ns() - h->begun_ns) / 1000000;
    bool complete = h->campaign.n_cases
                        ? schedule__is_finished(&h->schedule) && triage__is_idle(&h->triage)
                        : h->campaign.used_ms >= h->limit_ms;
    h->campaign.state = complete ? STR("done") : STR("stopped");
    ledger__put_snapshot(h);
    batch_add(&h->batch, (struct store_change){.kind = STORE_CAMPAIGN, .campaign = &h->campaign});
    return batch_flush(&h->batch, e);
}
