/*
 * A pilot: takes ranges of case indices and reductions from the coordinator, makes the cases, runs
 * and judges them, sends rows back. It owns its engine workers and knows no database. What breaks
 * inside our own generator or evaluator breaks this process only; the coordinator starts another
 * and gives the range out again, one case at a time.
 *
 * There is one event loop, which also runs inside localisation and reduction. While a reduction
 * waits for engines, it works on the range; never the other way round, so the stack holds at most
 * one of each.
 */
#include "hunt/pilot/pilot_p.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "hunt/options.h"
#include "os/signal.h"
#include "os/watchdog.h"

/* The optimised graph is dumped for one case in this many, since a dump needs another session of
 * the engine. */
enum { DUMP_EVERY = 10 };

/* CPU time of one step, many times what our evaluator and judge ever take. A pilot that takes more
 * ends itself, and its case is tried again alone. */
enum { WATCHDOG_SECONDS = 120 };

static const char *text_or_null(const struct json *j, const char *key, struct arena *a)
{
    struct str s = json_get_str(j, key, STR(""));
    return s.n ? str_dup(a, s) : NULL;
}

static bool take_start(struct pilot *p, const struct json *j, struct err *e)
{
    const struct json *settings;
    if (!json_need(j, "settings", JSON_KIND_OBJECT, &settings, e) ||
        !hunt_options_from_json(settings, &p->arena, &p->options, e))
        return false;
    p->campaign = (uint64_t)json_get_i64(j, "campaign", 0);
    p->options.seed = (uint64_t)json_get_i64(j, "seed", 0);
    p->options.out = text_or_null(j, "out", &p->arena);
    p->options.home = text_or_null(j, "home", &p->arena);
    p->options.program = text_or_null(j, "program", &p->arena);
    p->options.best_effort = json_get_bool(j, "best_effort", false);
    p->timeless = json_get_bool(j, "timeless", false);
    p->scratch = text_or_null(j, "scratch", &p->arena);
    return p->options.out && p->scratch;
}

static struct runner_options runner_options_of(const struct pilot *p)
{
    return (struct runner_options){.home = p->options.home,
                                   .program = p->options.program,
                                   .best_effort = p->options.best_effort,
                                   .targets = p->options.targets,
                                   .oracles = p->options.oracles};
}

static bool pilot_open(struct pilot *p, int fd, struct err *e)
{
    const struct json *start;
    if (!inbox__read_start(fd, &p->arena, &start, e) || !take_start(p, start, e))
        return false;
    const struct runner_options options = runner_options_of(p);
    if (!signal_ignore_failed_writes(e) || !watchdog_start(e) ||
        !runner_open(&options, &p->runner, e))
        return false;
    reach_init(&p->reach);
    p->met_at = arena_new_array(&p->reach.a, uint64_t, p->reach.cells.n);
    p->runner.watchdog_s = WATCHDOG_SECONDS; /* the second runner copies it */
    return stream_open(p->runner.loop, fd, inbox__on_bytes, inbox__on_close, p, &p->stream, e) &&
           generators__open(&p->generators, &p->options, e);
}

static void pilot_close(struct pilot *p)
{
    generators__close(&p->generators);
    for (size_t i = 0; i < p->inbox.n; i++)
        inbox__free_entry(p->inbox.at[i]);
    inbox__free_entry(p->range_entry);
    vec_free(&p->inbox);
    stream_close(p->stream);
    for (size_t i = 0; i < PILOT_INFLIGHT; i++)
        submission_done(&p->inflight[i].submission);
    if (p->second.loop)
        runner_close(&p->second);
    if (p->runner.loop)
        runner_close(&p->runner);
    for (size_t i = 0; i < PILOT_INFLIGHT; i++)
        arena_done(&p->inflight[i].arena);
    strbuf_done(&p->text);
    reach_done(&p->reach);
    arena_done(&p->arena);
}

static bool send_ready(struct pilot *p, struct err *e)
{
    struct strbuf sandbox = {0};
    struct json_out w = message_begin(&p->text);
    sandbox_state_print(pool_sandbox(p->runner.pool), &sandbox);
    json_pair_str(&w, "sandbox", strbuf_str(&sandbox));
    strbuf_done(&sandbox);
    return message_send(p->stream, MESSAGE_READY, &w, e);
}

/* Runs a failing case once more, in a fresh process with the long deadline; only what fails there
 * counts. */
static bool look_again(struct pilot *p, struct inflight_case *f, const struct judged *seen,
                       struct err *e)
{
    struct run_plan plan = runner_plan_case(&p->runner, f->index, POOL_FRESH_FORK, &f->arena);
    struct pool_request request = runner_request(&p->runner, plan, f->c, &f->arena);
    request.dump_rewrites = false;
    request.deadline_ms = RUNNER_PATIENCE_MS;
    f->first = arena_dup(&f->arena, seen, sizeof *seen);
    return runner_submit(&p->runner, &request, &f->submission, e);
}

/* Localises the failures that count, and those of the first run if they are reduced too. */
static bool name_culprits(struct pilot *p, struct inflight_case *f, struct judged *seen,
                          struct err *e)
{
    return runner_localise(&p->runner, seen, RUNNER_CULPRITS, &f->arena, e) &&
           (p->timeless || !f->first ||
            runner_localise(&p->runner, f->first, RUNNER_CULPRITS, &f->arena, e));
}

static bool judge(struct pilot *p, struct inflight_case *f, struct judged *seen, bool *again,
                  struct err *e)
{
    *again = false;
    if (!runner_judge_submission(&p->runner, &f->submission, RUNNER_KEYS, &f->arena, seen, e))
        return false;
    /* A second run of a hang would take its deadline again: the reduction makes it, unless the
     * campaign must not depend on time. */
    bool is_enough = !p->timeless && judged_has_timeout(seen);
    if (f->first || is_enough || !judged_needs_second_look(seen))
        return name_culprits(p, f, seen, e);
    *again = true;
    return look_again(p, f, seen, e);
}

/* A full disk or missing descriptors say nothing about a case: the campaign stops, and runs the
 * case when it is resumed. */
static bool is_of_machine(const struct err *e)
{
    return e->code == ERR_IO || e->code == ERR_ENVIRONMENT;
}

/* Sends the rows of one index and frees its slot. An error of our own loses this case only. */
static bool finish(struct pilot *p, struct inflight_case *f, struct err *e)
{
    struct judged seen;
    struct case_rows rows;
    bool again = false, judged = f->c != NULL;
    if (judged && !judge(p, f, &seen, &again, e)) {
        if (again || is_of_machine(e)) /* again: it could not be handed to the pool */
            return false;
        log_warn("case %llu: %s", (unsigned long long)f->index, e->text);
        err_clear(e);
        judged = false;
    }
    if (again)
        return true;
    pilot__describe(p, f, judged ? &seen : NULL, &f->arena, &rows);
    bool ok = pilot__keep_failures(p, f, &rows, e) && pilot__send_rows(p, &rows, e);
    submission_done(&f->submission);
    arena_reset(&f->arena);
    *f = (struct inflight_case){.arena = f->arena};
    return ok;
}

static bool is_skipped(const struct pilot *p, uint64_t index)
{
    for (size_t i = 0; p->skip && i < p->skip->n; i++)
        if ((uint64_t)p->skip->items[i].integer == index)
            return true;
    return false;
}

static bool tell_begun(struct pilot *p, uint64_t index, struct err *e)
{
    struct json_out w = message_begin(&p->text);
    json_pair_u64(&w, "at", index);
    return message_send(p->stream, MESSAGE_BEGUN, &w, e) &&
           loop_turn(p->runner.loop, 0, e); /* sent first, since the case may kill this process */
}

/* Makes the next case of the range and hands it to the pool. */
static bool launch(struct pilot *p, struct inflight_case *f, struct err *e)
{
    struct tcase *c = NULL;
    *f = (struct inflight_case){
        .arena = f->arena, .is_used = true, .index = p->next++, .since_ns = clock_now_ns()};
    if (p->careful && !tell_begun(p, f->index, e))
        return false;
    if (!generators__next(&p->generators, f->index, &f->arena, &c, &f->counts, e)) {
        if (is_of_machine(e))
            return false;
        log_warn("case %llu: %s", (unsigned long long)f->index, e->text);
        err_clear(e);
        c = NULL;
    }
    f->c = c;
    if (!c)
        return true;
    struct run_plan plan = runner_plan_case(&p->runner, f->index, POOL_ANY, &f->arena);
    struct pool_request request = runner_request(&p->runner, plan, c, &f->arena);
    request.dump_rewrites &= f->index % DUMP_EVERY == 0;
    request.quarantines = true;
    request.presumes = !p->timeless;
    if (!p->timeless) /* the reduction runs it again, with the long deadline */
        request.busy_ms = RUNNER_BUSY_BRIEF_MS;
    return runner_submit(&p->runner, &request, &f->submission, e);
}

static bool begin_range(struct pilot *p, struct inbox_entry *entry, struct err *e)
{
    int64_t from, to, n_rewards;
    if (!json_need_i64(entry->body, "from", &from, e) ||
        !json_need_i64(entry->body, "to", &to, e) ||
        !json_need_i64(entry->body, "rewards", &n_rewards, e))
        return false;
    inbox__free_entry(p->range_entry);
    p->range_entry = entry;
    p->skip = json_get(entry->body, "skip");
    p->range = (struct range){.from = (uint64_t)from, .to = (uint64_t)to};
    p->next = p->range.from;
    p->careful = json_get_bool(entry->body, "careful", false);
    p->has_range = true;
    return p->generators.learning.n_rewards >= (uint64_t)n_rewards ||
           err_set(e, ERR_INTERNAL, "%lld rewards are needed, %llu have come", (long long)n_rewards,
                   (unsigned long long)p->generators.learning.n_rewards);
}

static bool end_range(struct pilot *p, struct err *e)
{
    struct pool_statistics n = pool_statistics(p->runner.pool);
    struct json_out w = message_begin(&p->text);
    p->has_range = false;
    json_pair_u64(&w, "from", p->range.from);
    json_pair_u64(&w, "to", p->range.to);
    json_pair_u64(&w, "worker_restarts", n.n_restarts);
    json_pair_u64(&w, "hangs", n.n_hangs);
    json_pair_u64(&w, "presumed_hangs", n.n_presumed);
    json_pair_i64(&w, "hang_ms", n.hang_ns / LOOP_MS);
    return message_send(p->stream, MESSAGE_RANGE_DONE, &w, e);
}

/* Takes one step of the range. *did is false when there is nothing to do until an engine answers or
 * a message comes. */
static bool serve(void *pilot, bool *did, struct err *e);

static bool open_second(struct pilot *p, struct err *e)
{
    const struct runner_options options = runner_options_of(p);
    if (p->second.loop)
        return true;
    if (!runner_open_second(&options, &p->runner, &p->second, e))
        return false;
    p->second.meanwhile = serve;
    p->second.meanwhile_ctx = p;
    return true;
}

static bool act_on(struct pilot *p, struct inbox_entry *entry, struct err *e)
{
    bool ok = true;
    if (entry->kind == MESSAGE_RANGE)
        return begin_range(p, entry, e);
    if (entry->kind == MESSAGE_STATE)
        ok = generators__take_state(&p->generators, entry->body, e);
    else if (entry->kind == MESSAGE_REWARDS)
        ok = generators__take_rewards(&p->generators, entry->body, e);
    else if (entry->kind == MESSAGE_TRIAGE)
        ok = open_second(p, e) && pilot__reduce(p, entry, e);
    inbox__free_entry(entry);
    return ok;
}

static struct inflight_case *find_inflight(struct pilot *p, bool used, bool back)
{
    struct inflight_case *lowest = NULL;
    size_t n = p->careful ? 1 : PILOT_INFLIGHT;
    for (size_t i = 0; i < n; i++) {
        struct inflight_case *f = &p->inflight[i];
        bool is_back = f->is_used && f->submission.batch.n_out == 0;
        if (f->is_used == used && is_back == back && (!lowest || f->index < lowest->index))
            lowest = f;
    }
    return lowest;
}

/* May another case be handed to the pool? */
static bool has_room(const struct pilot *p)
{
    size_t n = 0;
    for (size_t i = 0; i < PILOT_INFLIGHT; i++)
        n += p->inflight[i].is_used;
    return n < (p->in_triage ? PILOT_INFLIGHT_BESIDE : PILOT_INFLIGHT);
}

static bool serve(void *pilot, bool *did, struct err *e)
{
    struct pilot *p = pilot;
    struct inflight_case *f;
    struct inbox_entry *entry;
    *did = true;
    while (p->has_range && p->next < p->range.to && is_skipped(p, p->next))
        p->next++;
    if ((f = find_inflight(p, true, true)))
        return finish(p, f, e);
    if (p->has_range && p->next < p->range.to && has_room(p) &&
        (f = find_inflight(p, false, false)))
        return launch(p, f, e);
    *did = false;
    if (find_inflight(p, true, false))
        return true;
    *did = true;
    if (p->has_range)
        return end_range(p, e);
    if ((entry = inbox__take(p, false)))
        return act_on(p, entry, e);
    *did = false;
    return true;
}

/* Takes one step, or waits until one can be taken. While a reduction runs, it calls serve for the
 * range. */
static bool step(struct pilot *p, struct err *e)
{
    struct inbox_entry *entry = inbox__take(p, true);
    bool did = false;
    watchdog_feed(WATCHDOG_SECONDS);
    if (entry)
        return act_on(p, entry, e);
    return serve(p, &did, e) && loop_turn(p->runner.loop, did ? 0 : LOOP_FOREVER, e);
}

static void send_failed(struct pilot *p, int fd, const struct err *why)
{
    struct err ignored;
    struct json_out w = message_begin(&p->text);
    json_pair_i64(&w, "code", why->code);
    json_pair_cstr(&w, "text", why->text);
    if (!message_end(MESSAGE_FAILED, &w, &ignored))
        return;
    if (p->stream) {
        stream_send(p->stream, p->text.at, p->text.n);
        while (!p->is_closed && stream_n_unsent(p->stream) > 0)
            if (!loop_turn(p->runner.loop, LOOP_SECOND, &ignored))
                break;
    } else {
        stream_write_full(fd, p->text.at, p->text.n, &ignored);
    }
}

bool hunt_pilot(int fd, struct err *e)
{
    struct pilot p = {0};
    arena_init(&p.arena);
    for (size_t i = 0; i < PILOT_INFLIGHT; i++)
        arena_init(&p.inflight[i].arena);
    bool ok = pilot_open(&p, fd, e) && send_ready(&p, e);
    p.runner.dump_rewrites = ok && strcmp(p.options.strategy, "random") != 0;
    while (ok && !p.is_closed)
        ok = step(&p, e);
    if (!ok && !p.is_closed)
        send_failed(&p, fd, e);
    pilot_close(&p);
    return ok || p.is_closed;
}
