/*
 * The campaign from start to end: opens the store, restores what was done, keeps the pilots at work
 * until all cases are done, the time is over or too many pilots die, and leaves a store that can be
 * resumed. It never generates, evaluates or judges.
 */
#include "hunt/hunt.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "hunt/campaign/campaign_p.h"
#include "os/probe.h"
#include "os/signal.h"

static bool check_options(const struct hunt_options *o, struct err *e)
{
    if (!o->out)
        return err_set(e, ERR_USAGE, "a folder for the campaign is expected");
    if (!o->resume && o->n_cases == 0 && o->seconds == 0)
        return err_set(e, ERR_USAGE, "a limit is expected: --seconds or --cases");
    if (o->generators.n > HUNT_GENERATORS_MAX)
        return err_set(e, ERR_USAGE, "%zu generators, at most %d are joined", o->generators.n,
                       HUNT_GENERATORS_MAX);
    return o->resume || file_make_dirs(o->out, e);
}

/* Is the store a file, and not a server or the memory? */
static bool is_file(const char *url)
{
    return file_stat(url).kind == FILE_REGULAR;
}

static bool find_cpu(struct hunt *h, struct err *e)
{
    struct probe_machine machine;
    if (h->options.cpu)
        return true;
    if (!probe_machine(&h->arena, &machine, e))
        return false;
    h->options.cpu = machine.cpu_flags;
    return true;
}

static bool hunt_open(struct hunt *h, const struct hunt_options *o,
                      const struct hunt_listener *listener, struct err *e)
{
    h->options = *o;
    if (!h->options.version)
        h->options.version = "";
    if (listener)
        h->listener = *listener;
    hunt_options_complete(&h->options);
    const char *url = o->store ? o->store : path_join(&h->arena, o->out, "store.sqlite");
    if (!check_options(o, e) || !find_cpu(h, e) || !signal_catch_interrupts(e) ||
        !loop_open(&h->loop, e))
        return false;
    if (o->resume && !o->store && file_stat(url).kind == FILE_MISSING)
        return err_set(e, ERR_USAGE, "--resume: no campaign in %s yet; start one without --resume",
                       o->out);
    if (!store_open(url, o->resume ? STORE_WRITE : STORE_CREATE, &h->store, e))
        return false;
    batch_init(&h->batch, h->store);
    if (!folder__open(&h->folder, o->out, is_file(url) ? url : NULL, o->max_disk, &h->arena, e) ||
        !resume__begin(h, e))
        return false;
    log_file__open(&h->log, o->out, &h->arena);
    log_debug("campaign %lld %s: assay %s, seed %lld", (long long)h->campaign.id,
              o->resume ? "goes on" : "begins", h->options.version, (long long)h->campaign.seed);
    h->begun_ns = clock_now_ns();
    bool strict = h->campaign.n_cases > 0;
    schedule__init(&h->schedule, h->options.generators.n, GENERATE_EPOCH, HUNT_RANGE,
                   (uint64_t)h->campaign.n_cases);
    triage__init(&h->triage, strict);
    return resume__replay(h, e) && replies__open(h, e) && slots__open(h, e);
}

static void hunt_close(struct hunt *h)
{
    slots__close(h);
    replies__close(h);
    triage__done(&h->triage);
    schedule__done(&h->schedule);
    if (h->store)
        batch_done(&h->batch);
    store_close(h->store);
    loop_close(h->loop);
    strbuf_done(&h->text);
    arena_done(&h->bugs_arena);
    arena_done(&h->arena);
}

/* Are folder and store still those that were opened? Writes into deleted ones are lost. */
static bool is_still_there(struct hunt *h, struct err *e)
{
    const struct store_totals *t = &h->statistics.totals;
    bool artifacts_only;
    if (folder__is_there(&h->folder, &artifacts_only, e))
        return true;
    if (artifacts_only)
        return err_wrap(e,
                        "the evidence of %zu bugs and of the failures that wait is lost; hunt "
                        "--resume --out %s makes it again",
                        h->bugs.n, h->options.out);
    log_file__close(&h->log); /* it would be written into what has taken its place */
    return err_wrap(e,
                    "the campaign is lost with its %lld cases and %zu bugs, unless there is a "
                    "copy; start it again",
                    (long long)t->n_cases, h->bugs.n);
}

/* Looks at the disk now and then. Without room the campaign finishes its work in progress. */
static void look_for_room(struct hunt *h)
{
    const int64_t every = 20 * LOOP_SECOND;
    if (h->draining || (h->room_ns && clock_now_ns() - h->room_ns < every))
        return;
    h->room_ns = clock_now_ns();
    if (folder__has_room(&h->folder, &h->short_of_room))
        return;
    h->draining = true;
    h->drain_ns = clock_now_ns();
}

static bool time_is_over(const struct hunt *h)
{
    int64_t used = h->used_before_ms + (clock_now_ns() - h->begun_ns) / 1000000;
    return h->limit_ms > 0 && used >= h->limit_ms;
}

static bool is_over(struct hunt *h)
{
    if (signal_interrupted() || h->has_fatal)
        return true;
    if (!h->draining && time_is_over(h)) {
        h->draining = true;
        h->drain_ns = clock_now_ns();
    }
    if (h->draining)
        return slots__are_idle(h) ||
               clock_now_ns() - h->drain_ns > HUNT_GRACE_SECONDS * LOOP_SECOND;
    return schedule__is_finished(&h->schedule) && triage__is_idle(&h->triage);
}

static bool work(struct hunt *h, struct err *e)
{
    const int64_t wait = 50 * LOOP_MS;
    while (!is_over(h)) {
        replies__turn(h);
        if (!slots__turn(h, e) || !loop_turn(h->loop, wait, e))
            return false;
        if (batch_is_due(&h->batch, clock_now_ns()) && !batch_flush(&h->batch, e))
            return false;
        if (clock_now_ns() - h->tick_ns >= LOOP_SECOND) {
            h->tick_ns = clock_now_ns();
            statistics__tick(h);
            look_for_room(h);
            if (!is_still_there(h, e) || !intake__targets_run(h, HUNT_IDLE_CASES, e))
                return false;
        }
    }
    if (h->short_of_room.code)
        ledger__fail(h, &h->short_of_room);
    if (h->has_fatal)
        *e = h->fatal;
    return !h->has_fatal && batch_flush(&h->batch, e) && is_still_there(h, e) &&
           intake__targets_run(h, 1, e);
}

/* Does each bug of the campaign still have its folder? */
static bool evidence_is_there(const struct hunt *h, const struct store_bugs *bugs, struct err *e)
{
    struct strbuf ids = {0};
    size_t n = 0;
    for (size_t i = 0; i < bugs->n; i++) {
        const struct store_bug *b = &bugs->at[i];
        if (b->folder.n == 0 || !folder__lacks(&h->folder, b->folder))
            continue;
        if (n++ < 8)
            strbuf_printf(&ids, " " STR_FMT, STR_ARG(b->id));
    }
    if (n > 0)
        err_set(
            e, ERR_ENVIRONMENT,
            "folders in %s/artifacts were removed while the hunt ran; %zu bug%s no evidence any "
            "more (hunt --resume makes it again):%s%s",
            h->options.out, n, n == 1 ? " has" : "s have", ids.at, n > 8 ? " ..." : "");
    strbuf_done(&ids);
    return n == 0;
}

/* Copies bugs and statistics for the caller, since they outlive the store. */
static bool make_end(struct hunt *h, struct hunt_end *end, struct err *e)
{
    struct store_bugs all;
    end->arena = mem_alloc(sizeof *end->arena);
    arena_init(end->arena);
    if (!store_bugs(h->store, STR(""), end->arena, &all, e))
        return false;
    end->bugs = all;
    end->bugs.n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].campaign == h->campaign.id)
            end->bugs.at[end->bugs.n++] = all.at[i];
    if (!evidence_is_there(h, &end->bugs, e))
        return false;
    known_mark(h->options.known, &end->bugs);
    end->statistics = h->statistics;
    statistics__choose_top(h, &end->bugs, end->arena, &end->statistics);
    end->statistics.sandbox = arena_strdup(end->arena, h->sandbox ? h->sandbox : "");
    store_row_copy(STORE_CAMPAIGN, &h->campaign, end->arena, &end->statistics.campaign);
    end->interrupted = signal_interrupted() != 0;
    return true;
}

/* The last lines of hunt.log. */
static void say_end(struct hunt *h, bool ok, const struct hunt_end *end, const struct err *e)
{
    if (ok)
        log_debug("campaign %lld stops: %lld cases, %zu bugs%s", (long long)h->campaign.id,
                  (long long)end->statistics.totals.n_cases, end->bugs.n,
                  end->interrupted ? ", interrupted" : "");
    else
        log_debug("campaign %lld stops: %s", (long long)h->campaign.id, e->text);
    log_file__close(&h->log);
}

bool hunt_run(const struct hunt_options *o, const struct hunt_listener *listener,
              struct hunt_end *end, struct err *e)
{
    struct hunt h = {0};
    struct err second;
    *end = (struct hunt_end){0};
    arena_init(&h.arena);
    arena_init(&h.bugs_arena);
    bool opened = hunt_open(&h, o, listener, e);
    bool ok = opened && work(&h, e);
    h.stopping = true;
    slots__close(&h);
    if (h.campaign.state.n) /* state is saved after a failure too, as far as that is possible */
        ok = resume__end(&h, ok ? e : &second) && ok;
    if (ok) {
        statistics__tick(&h);
        ok = make_end(&h, end, e);
    }
    say_end(&h, ok, end, e);
    hunt_close(&h);
    if (!ok)
        hunt_end_done(end);
    return ok;
}

void hunt_end_done(struct hunt_end *end)
{
    if (end->arena)
        arena_done(end->arena);
    free(end->arena);
    *end = (struct hunt_end){0};
}
