/*
 * Decides who does what: starts pilots, gives them ranges and reductions, notices their deaths.
 * Knows nothing of verdicts and writes nothing but claims. A pilot's death costs its range a second
 * try, one case at a time; the case that kills twice is given up and told.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "hunt/hunt_p.h"
#include "os/probe.h"

static void mark_lost(struct crew *c)
{
    c->is_lost = true;
}

static size_t on_bytes(void *ctx, struct str bytes)
{
    struct crew *c = ctx;
    struct pilot_message m;
    struct err e;
    size_t used = 0, n;
    bool bad = false;
    while (!c->is_lost && (n = message__take(str_sub(bytes, used, bytes.n), &m, &bad)) > 0) {
        used += n;
        c->heard_ns = clock_now_ns();
        if (!desk__read(c->h, c, &m, &e)) {
            log_error("pilot %u: %s: %s", c->id, message__name(m.kind), e.text);
            mark_lost(c);
        }
    }
    if (bad)
        mark_lost(c);
    return used;
}

static void on_close(void *ctx)
{
    mark_lost(ctx);
}

static void on_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct crew *c = ctx;
    struct strbuf how = {0};
    (void)p;
    process_end_print(end, &how);
    if (!c->h->stopping) {
        struct str words = str_trim(end->err);
        log_warn("pilot %u ended: %s%s" STR_FMT, c->id, how.at, words.n ? ": " : "",
                 STR_ARG(str_sub(words, words.n > 2000 ? words.n - 2000 : 0, words.n)));
    }
    strbuf_done(&how);
    mark_lost(c);
}

/* What engines and the evaluator may look at; everything else stays behind. */
static const char *const *environment(struct arena *a)
{
    static const char *const names[] = {"PATH",         "HOME",           "TMPDIR",
                                        "LANG",         "ASSAY_HOME",     "OPENBLAS_CORETYPE",
                                        "ASAN_OPTIONS", "UBSAN_OPTIONS",  "LSAN_OPTIONS",
                                        "FAULT",        "LD_LIBRARY_PATH"};
    const char **env = arena_new_array(a, const char *, COUNT_OF(names) + 2);
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (getenv(names[i]))
            env[n++] = arena_printf(a, "%s=%s", names[i], getenv(names[i]));
    env[n++] = "OPENBLAS_NUM_THREADS=1";
    return env;
}

static bool send_start(struct crew *c, struct err *e)
{
    struct hunt *h = c->h;
    struct json_out w = message__begin(&h->text);
    json_pair_i64(&w, "campaign", h->campaign.id);
    json_pair_i64(&w, "seed", h->campaign.seed);
    json_pair_cstr(&w, "out", h->options.out);
    json_pair_cstr(&w, "home", h->options.home ? h->options.home : "");
    json_pair_cstr(&w, "program", h->options.program ? h->options.program : "");
    json_pair_bool(&w, "best_effort", h->options.best_effort);
    json_pair_bool(&w, "timeless", h->triage.strict);
    json_pair_cstr(&w, "scratch", arena_printf(&c->arena, "pilot-%u", c->id));
    json_key(&w, "settings");
    settings__to_json(&h->options, &w);
    return message__send(c->stream, MESSAGE_START, &w, e);
}

static bool start(struct crew *c, struct err *e)
{
    static const char *const argv[] = {"assay", "worker", "pilot", NULL};
    struct hunt *h = c->h;
    int ends[2];
    arena_reset(&c->arena);
    if (!stream_pair(ends, e))
        return false;
    const struct process_fd fd = {.from = ends[1], .to = HUNT_PILOT_FD};
    const struct process_spec spec = {.program = h->options.program,
                                      .argv = argv,
                                      .env = environment(&c->arena),
                                      .entry = h->options.pilot_entry,
                                      .err = PROCESS_CAPTURE,
                                      .output_max = 64 << 10,
                                      .fds = &fd,
                                      .n_fds = 1};
    bool ok = process_open(h->loop, &spec, on_end, c, &c->process, e);
    stream_close_fd(ends[1]);
    if (!ok) {
        stream_close_fd(ends[0]);
        return false;
    }
    if (!stream_open(h->loop, ends[0], on_bytes, on_close, c, &c->stream, e))
        return false;
    c->state = CREW_STARTING;
    c->is_lost = false;
    c->n_rewards_sent = 0;
    c->begun = 0;
    c->heard_ns = clock_now_ns();
    return send_start(c, e);
}

/* What it was doing goes back to where it came from. */
static void give_back(struct crew *c)
{
    struct hunt *h = c->h;
    struct triage_item *item;
    if (c->has_range) {
        if (c->range.careful && c->begun && !schedule__is_put(&h->schedule, c->begun - 1))
            desk__put_lost(h, c->begun - 1);
        schedule__give_back(&h->schedule, c->range);
        desk__advance(h, false);
    }
    if (c->has_triage && (item = triage__find(&h->triage, c->triage))) {
        const struct store_job_end end = {h->campaign.id, item->name, c->job_epoch, STR("ready"),
                                          STR("")};
        batch_add(&h->batch, (struct store_change){.kind = STORE_JOB_END, .job_end = &end});
        item->state = TRIAGE_WAITING;
        if (!h->stopping && ++item->attempts >= 2)
            desk__settle_dead(h, item, "two pilots ended while reducing it");
    }
    c->has_range = c->has_triage = c->is_alone = false;
    h->n_fruitless++;
}

static void take_down(struct crew *c)
{
    give_back(c);
    stream_close(c->stream);
    process_close(c->process);
    c->stream = NULL;
    c->process = NULL;
    c->state = CREW_DOWN;
    c->is_lost = false;
    c->n_worker_restarts = c->n_hangs = c->n_presumed_hangs = 0;
    c->hang_ms = 0;
}

bool crew__open(struct hunt *h, struct err *e)
{
    struct probe_machine machine;
    h->n_crew = h->options.n_pilots;
    if (h->n_crew == 0) {
        if (!probe_machine(&h->arena, &machine, e))
            return false;
        h->n_crew = machine.n_cpus ? machine.n_cpus : 1;
    }
    h->n_crew = MIN(h->n_crew, HUNT_PILOTS_MAX);
    h->crew = arena_new_array(&h->arena, struct crew, h->n_crew);
    for (uint32_t i = 0; i < h->n_crew; i++) {
        h->crew[i] = (struct crew){.h = h, .id = i};
        arena_init(&h->crew[i].arena);
        if (!start(&h->crew[i], e))
            return err_wrap(e, "pilot %u", i);
    }
    return true;
}

void crew__close(struct hunt *h)
{
    for (uint32_t i = 0; i < h->n_crew; i++) {
        if (h->crew[i].state != CREW_DOWN)
            take_down(&h->crew[i]);
        arena_done(&h->crew[i].arena);
    }
    h->n_crew = 0;
}

bool crew__is_idle(const struct hunt *h)
{
    for (uint32_t i = 0; i < h->n_crew; i++)
        if (h->crew[i].has_range || h->crew[i].has_triage)
            return false;
    return true;
}

/* Rewards that the pilot lacks, in messages of at most an epoch. */
static bool send_rewards(struct crew *c, uint64_t n_wanted, struct err *e)
{
    struct hunt *h = c->h;
    while (c->n_rewards_sent < n_wanted) {
        uint64_t to = MIN(n_wanted, c->n_rewards_sent + GENERATE_EPOCH);
        struct json_out w = message__begin(&h->text);
        json_key(&w, "rewards");
        json_begin_array(&w);
        for (uint64_t i = c->n_rewards_sent; i < to; i++) {
            const struct reward *r = &h->schedule.rewards.at[i];
            json_begin_array(&w);
            json_put_u64(&w, r->n_new_rewrites);
            json_put_u64(&w, r->n_failing_keys);
            json_put_u64(&w, r->n_macs);
            json_put_str(&w, r->edits);
            json_end_array(&w);
        }
        json_end_array(&w);
        if (!message__send(c->stream, MESSAGE_REWARDS, &w, e))
            return false;
        c->n_rewards_sent = to;
    }
    return true;
}

static bool send_range(struct crew *c, struct range r, struct err *e)
{
    struct hunt *h = c->h;
    uint64_t n_rewards = schedule__n_rewards(&h->schedule, r.from);
    if (!send_rewards(c, n_rewards, e))
        return false;
    struct json_out w = message__begin(&h->text);
    json_pair_u64(&w, "from", r.from);
    json_pair_u64(&w, "to", r.to);
    json_pair_u64(&w, "rewards", n_rewards);
    json_pair_bool(&w, "careful", r.careful);
    json_key(&w, "skip");
    json_begin_array(&w);
    for (uint64_t i = r.from; i < r.to; i++)
        if (schedule__is_put(&h->schedule, i))
            json_put_u64(&w, i);
    json_end_array(&w);
    c->range = r;
    c->begun = 0;
    c->has_range = true;
    c->heard_ns = clock_now_ns();
    return message__send(c->stream, MESSAGE_RANGE, &w, e);
}

static bool claim_item(struct hunt *h, const struct triage_item *item, int64_t *epoch,
                       struct err *e)
{
    struct arena a;
    struct store_jobs got;
    const struct store_claim claim = {.campaign = h->campaign.id,
                                      .owner = h->campaign.owner,
                                      .name = item->name,
                                      .now_ms = clock_wall_ms(),
                                      .lease_ms = 1000 * 2 * (int64_t)HUNT_SILENCE_SECONDS,
                                      .n_most = 1};
    arena_init(&a);
    bool ok = batch_flush(&h->batch, e) && store_claim(h->store, &claim, &a, &got, e);
    *epoch = ok && got.n ? got.at[0].epoch : 0;
    arena_done(&a);
    return ok;
}

static bool send_triage(struct crew *c, struct triage_item *item, struct err *e)
{
    struct hunt *h = c->h;
    if (!claim_item(h, item, &c->job_epoch, e))
        return false;
    item->state = TRIAGE_RUNNING;
    struct json_out w = message__begin(&h->text);
    json_pair_str(&w, "name", item->name);
    json_pair_str(&w, "key", item->key);
    json_pair_str(&w, "folder", item->folder);
    json_pair_i64(&w, "case_at", item->case_at);
    json_pair_bool(&w, "whole", item->n_begun >= TRIAGE_TRIES);
    item->n_begun++;
    c->triage = item->name;
    c->has_triage = true;
    c->is_alone = item->attempts > 0;
    c->heard_ns = clock_now_ns();
    return message__send(c->stream, MESSAGE_TRIAGE, &w, e);
}

/* A range that a pilot died on waits for one without a reduction, so none is given out then. */
static bool give_range(struct crew *c, struct err *e)
{
    struct range r;
    if (c->has_range || c->is_alone || !schedule__next(&c->h->schedule, !c->has_triage, &r))
        return true;
    return send_range(c, r, e);
}

static bool give_work(struct crew *c, struct err *e)
{
    struct hunt *h = c->h;
    bool is_careful = c->has_range && c->range.careful;
    if (h->draining || is_careful)
        return true;
    if (c->has_triage || schedule__has_lost(&h->schedule))
        return give_range(c, e);
    struct triage_item *item = triage__next(&h->triage, desk__settle_known, h);
    if (item && item->attempts > 0 && c->has_range)
        return true; /* alone, so when the range is done */
    return (!item || send_triage(c, item, e)) && give_range(c, e);
}

static bool is_silent(const struct crew *c)
{
    int64_t seconds = HUNT_SILENCE_SECONDS * (c->has_triage ? 4 : 1);
    bool is_busy = c->state == CREW_STARTING || c->has_range || c->has_triage;
    return is_busy && clock_now_ns() - c->heard_ns > seconds * LOOP_SECOND;
}

bool crew__turn(struct hunt *h, struct err *e)
{
    for (uint32_t i = 0; i < h->n_crew; i++) {
        struct crew *c = &h->crew[i];
        if (c->state != CREW_DOWN && (c->is_lost || is_silent(c))) {
            take_down(c);
            h->n_restarts++;
        }
        if (h->n_fruitless >= HUNT_FRUITLESS_DEATHS)
            return err_set(e, ERR_INTERNAL,
                           "%d pilots in a row ended without a result; the warnings above tell "
                           "what they said",
                           HUNT_FRUITLESS_DEATHS);
        if (c->state == CREW_DOWN && !h->draining && !start(c, e))
            return err_wrap(e, "pilot %u", c->id);
        if (c->state == CREW_UP && !c->is_lost && !give_work(c, e))
            return false;
    }
    return true;
}
