/*
 * Decides who does what: starts pilots, gives them ranges and reductions, notices their deaths.
 * Knows nothing of verdicts and writes nothing but claims. After a pilot's death its range is run
 * again, one case at a time; a case that ends two pilots while it runs alone is given up. The work
 * of a pilot that was killed from outside is given out again unchanged.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "hunt/campaign/campaign_p.h"
#include "os/death.h"
#include "os/probe.h"

enum {
    WORDS_MAX = 2000, /* bytes that are kept of the end of a pilot's stderr */
    CLOSE_MS = 3000,  /* for a pilot to end its workers and remove their folders */
};

static void mark_lost(struct pilot_slot *slot)
{
    slot->is_lost = true;
}

static size_t on_bytes(void *ctx, struct str bytes)
{
    struct pilot_slot *slot = ctx;
    struct pilot_message m;
    struct err e;
    size_t used = 0, n;
    bool bad = false;
    while (!slot->is_lost && (n = message_take(str_sub(bytes, used, bytes.n), &m, &bad)) > 0) {
        used += n;
        slot->heard_ns = clock_now_ns();
        if (!intake__read(slot->h, slot, &m, &e)) {
            log_error("pilot %u: %s: %s", slot->id, message_name(m.kind), e.text);
            mark_lost(slot);
        }
    }
    if (bad)
        mark_lost(slot);
    return used;
}

static void on_close(void *ctx)
{
    ((struct pilot_slot *)ctx)->closed_ns = clock_now_ns();
}

static void on_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct pilot_slot *slot = ctx;
    struct strbuf how = {0};
    (void)p;
    process_end_print(end, &how);
    slot->is_foreign =
        !end->exited && !end->flooded && !slot->is_lost &&
        death_is_foreign(end->signo, slot->oom_kills, (uint64_t)end->usage.peak_bytes);
    struct str words = str_trim(end->err);
    words = str_sub(words, words.n > WORDS_MAX ? words.n - WORDS_MAX : 0, words.n);
    if (!slot->h->stopping)
        log_warn("pilot %u ended: %s%s%s" STR_FMT, slot->id, how.at,
                 slot->is_foreign ? ", from outside" : "", words.n ? ": " : "", STR_ARG(words));
    else if (words.n)
        log_debug("pilot %u: " STR_FMT, slot->id, STR_ARG(words));
    strbuf_done(&how);
    mark_lost(slot);
}

/* The environment variables that engines and the evaluator may see; all others are removed. */
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

static bool send_start(struct pilot_slot *slot, struct err *e)
{
    struct hunt *h = slot->h;
    struct json_out w = message_begin(&h->text);
    json_pair_i64(&w, "campaign", h->campaign.id);
    json_pair_i64(&w, "seed", h->campaign.seed);
    json_pair_cstr(&w, "out", h->options.out);
    json_pair_cstr(&w, "home", h->options.home ? h->options.home : "");
    json_pair_cstr(&w, "program", h->options.program ? h->options.program : "");
    json_pair_bool(&w, "best_effort", h->options.best_effort);
    json_pair_bool(&w, "timeless", h->triage.strict);
    json_pair_cstr(&w, "scratch", arena_printf(&slot->arena, "pilot-%u", slot->id));
    json_key(&w, "settings");
    hunt_options_to_json(&h->options, &w);
    return message_send(slot->stream, MESSAGE_START, &w, e);
}

static bool start(struct pilot_slot *slot, struct err *e)
{
    static const char *const argv[] = {"assay", "worker", "pilot", NULL};
    struct hunt *h = slot->h;
    int ends[2];
    arena_reset(&slot->arena);
    if (!stream_pair(ends, e))
        return false;
    const struct process_fd fd = {.from = ends[1], .to = HUNT_PILOT_FD};
    const struct process_spec spec = {.program = h->options.program,
                                      .argv = argv,
                                      .env = environment(&slot->arena),
                                      .entry = h->options.pilot_entry,
                                      .err = PROCESS_CAPTURE,
                                      .output_max = 64 << 10,
                                      .fds = &fd,
                                      .n_fds = 1};
    bool ok = process_open(h->loop, &spec, on_end, slot, &slot->process, e);
    stream_close_fd(ends[1]);
    if (!ok) {
        stream_close_fd(ends[0]);
        return false;
    }
    if (!stream_open(h->loop, ends[0], on_bytes, on_close, slot, &slot->stream, e))
        return false;
    slot->state = SLOT_STARTING;
    slot->is_lost = slot->is_foreign = false;
    slot->closed_ns = 0;
    slot->oom_kills = death_oom_kills();
    slot->n_rewards_sent = 0;
    slot->begun = 0;
    slot->heard_ns = clock_now_ns();
    return send_start(slot, e);
}

static void give_item_back(struct pilot_slot *slot)
{
    struct hunt *h = slot->h;
    struct triage_item *item = triage__find(&h->triage, slot->triage);
    if (!item)
        return;
    bool uncounted = slot->is_foreign || h->stopping;
    ledger__return_job(h, item, slot->job_epoch, slot->is_foreign);
    item->state = TRIAGE_WAITING;
    item->n_begun -= slot->is_foreign;
    item->attempts += !uncounted;
    if (!uncounted && item->attempts >= 2)
        ledger__settle_dead(h, item, "two pilots ended while reducing it");
}

/* The range and the item of the pilot can be given out again. */
static void give_back(struct pilot_slot *slot)
{
    struct hunt *h = slot->h;
    if (slot->has_range) {
        if (slot->range.careful && slot->begun && !slot->is_foreign)
            intake__count_death(h, slot->begun - 1);
        schedule__give_back(&h->schedule, slot->range, slot->range.careful || !slot->is_foreign);
        intake__advance(h, false);
    }
    if (slot->has_triage)
        give_item_back(slot);
    slot->has_range = slot->has_triage = slot->is_alone = false;
    h->n_fruitless += !slot->is_foreign;
    h->n_foreign += slot->is_foreign;
}

static void take_down(struct pilot_slot *slot)
{
    give_back(slot);
    stream_close(slot->stream);
    process_close(slot->process);
    slot->stream = NULL;
    slot->process = NULL;
    slot->state = SLOT_DOWN;
    slot->is_lost = slot->is_foreign = false;
    slot->closed_ns = 0;
    slot->n_worker_restarts = slot->n_hangs = slot->n_presumed_hangs = 0;
    slot->hang_ms = 0;
}

bool slots__open(struct hunt *h, struct err *e)
{
    struct probe_machine machine;
    h->n_slots = h->options.n_pilots;
    if (h->n_slots == 0) {
        if (!probe_machine(&h->arena, &machine, e))
            return false;
        h->n_slots = machine.n_cpus ? machine.n_cpus : 1;
    }
    h->n_slots = MIN(h->n_slots, HUNT_PILOTS_MAX);
    h->slots = arena_new_array(&h->arena, struct pilot_slot, h->n_slots);
    for (uint32_t i = 0; i < h->n_slots; i++) {
        h->slots[i] = (struct pilot_slot){.h = h, .id = i};
        arena_init(&h->slots[i].arena);
        if (!start(&h->slots[i], e))
            return err_wrap(e, "pilot %u", i);
    }
    return true;
}

static bool any_runs(const struct hunt *h)
{
    for (uint32_t i = 0; i < h->n_slots; i++)
        if (h->slots[i].state != SLOT_DOWN && !h->slots[i].is_lost)
            return true;
    return false;
}

/* Closes the streams and waits. A pilot then ends its workers and removes their folders and control
 * groups, which would else stay until the next hunt. One that takes too long is killed later. */
static void await_ends(struct hunt *h)
{
    struct err ignored;
    int64_t until_ns = clock_now_ns() + CLOSE_MS * INT64_C(1000000);
    for (uint32_t i = 0; i < h->n_slots; i++) {
        stream_close(h->slots[i].stream);
        h->slots[i].stream = NULL;
    }
    while (any_runs(h) && clock_now_ns() < until_ns)
        if (!loop_turn(h->loop, LOOP_SECOND, &ignored)) {
            err_clear(&ignored);
            return;
        }
}

void slots__close(struct hunt *h)
{
    await_ends(h);
    for (uint32_t i = 0; i < h->n_slots; i++) {
        if (h->slots[i].state != SLOT_DOWN)
            take_down(&h->slots[i]);
        arena_done(&h->slots[i].arena);
    }
    h->n_slots = 0;
}

bool slots__are_idle(const struct hunt *h)
{
    for (uint32_t i = 0; i < h->n_slots; i++)
        if (h->slots[i].has_range || h->slots[i].has_triage)
            return false;
    return true;
}

/* Sends the whole state of learning, in pieces that fit into messages. */
static bool send_state(struct pilot_slot *slot, const struct learning *l, struct err *e)
{
    enum { PIECE = 256 << 10 };
    struct hunt *h = slot->h;
    struct strbuf state = {0};
    bool ok = true;
    learning_save(l, &state);
    struct str rest = strbuf_str(&state);
    while (ok && rest.n > 0) {
        struct str piece = str_sub(rest, 0, MIN(rest.n, PIECE));
        rest = str_sub(rest, piece.n, rest.n);
        struct json_out w = message_begin(&h->text);
        json_pair_str(&w, "text", piece);
        json_pair_bool(&w, "last", rest.n == 0);
        ok = message_send(slot->stream, MESSAGE_STATE, &w, e);
    }
    slot->n_rewards_sent = l->n_rewards;
    strbuf_done(&state);
    return ok;
}

/* Sends the older state of learning with which a case must be made that is run once more. */
static bool send_past_state(struct pilot_slot *slot, uint64_t n_wanted, struct err *e)
{
    struct schedule past;
    bool ok =
        resume__learn_again(slot->h, n_wanted, &past, e) && send_state(slot, &past.learning, e);
    schedule__done(&past);
    return ok;
}

static bool send_epoch(struct pilot_slot *slot, uint64_t to, struct err *e)
{
    struct hunt *h = slot->h;
    struct json_out w = message_begin(&h->text);
    json_pair_u64(&w, "from", slot->n_rewards_sent);
    json_key(&w, "rewards");
    json_begin_array(&w);
    for (; slot->n_rewards_sent < to; slot->n_rewards_sent++) {
        const struct reward *r = schedule__reward(&h->schedule, slot->n_rewards_sent);
        json_begin_array(&w);
        json_put_u64(&w, r->n_new_rewrites);
        json_put_u64(&w, r->n_new_cells);
        json_put_u64(&w, r->n_failing_keys);
        json_put_u64(&w, r->n_macs);
        json_put_str(&w, r->edits);
        json_end_array(&w);
    }
    json_end_array(&w);
    return message_send(slot->stream, MESSAGE_REWARDS, &w, e);
}

/* Sends the rewards that the pilot lacks, at most an epoch per message, or the whole state of
 * learning when some of them are no longer kept. */
static bool send_rewards(struct pilot_slot *slot, uint64_t n_wanted, struct err *e)
{
    const struct schedule *s = &slot->h->schedule;
    if (slot->n_rewards_sent < n_wanted && slot->n_rewards_sent < s->recent_from &&
        !send_state(slot, &s->learning, e))
        return false;
    while (slot->n_rewards_sent < n_wanted)
        if (!send_epoch(slot, MIN(n_wanted, slot->n_rewards_sent + GENERATE_EPOCH), e))
            return false;
    return true;
}

static bool send_range(struct pilot_slot *slot, struct range r, struct err *e)
{
    struct hunt *h = slot->h;
    uint64_t n_rewards = schedule__n_rewards(&h->schedule, r.from);
    if (!(schedule__is_past(&h->schedule, r.from) ? send_past_state : send_rewards)(slot, n_rewards,
                                                                                    e))
        return false;
    struct json_out w = message_begin(&h->text);
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
    slot->range = r;
    slot->begun = 0;
    slot->has_range = true;
    slot->heard_ns = clock_now_ns();
    slot->oom_kills = death_oom_kills();
    return message_send(slot->stream, MESSAGE_RANGE, &w, e);
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

static bool send_triage(struct pilot_slot *slot, struct triage_item *item, struct err *e)
{
    struct hunt *h = slot->h;
    if (!claim_item(h, item, &slot->job_epoch, e))
        return false;
    struct json_out w = message_begin(&h->text);
    json_pair_str(&w, "name", item->name);
    json_pair_str(&w, "key", item->key);
    json_pair_str(&w, "folder", item->folder);
    json_pair_i64(&w, "case_at", item->case_at);
    json_pair_bool(&w, "whole", item->n_begun >= TRIAGE_TRIES);
    triage__begin(&h->triage, item);
    slot->triage = item->name;
    slot->has_triage = true;
    slot->is_alone = item->attempts > 0;
    slot->heard_ns = clock_now_ns();
    return message_send(slot->stream, MESSAGE_TRIAGE, &w, e);
}

/* A failure is worth nothing before it is reduced, so new cases wait for the reductions. */
static bool is_behind(const struct pilot_slot *slot)
{
    return slot->has_triage && triage__count(&slot->h->triage).n_waiting >= HUNT_BACKLOG;
}

/* A range that a pilot died on needs a pilot without a reduction; while such a range waits, no
 * reduction is given out. */
static bool give_range(struct pilot_slot *slot, struct err *e)
{
    struct range r;
    if (slot->has_range || slot->is_alone || is_behind(slot) ||
        !schedule__next(&slot->h->schedule, !slot->has_triage, &r))
        return true;
    return send_range(slot, r, e);
}

static bool give_work(struct pilot_slot *slot, struct err *e)
{
    struct hunt *h = slot->h;
    bool is_careful = slot->has_range && slot->range.careful;
    if (h->draining || is_careful)
        return true;
    if (slot->has_triage || schedule__has_lost(&h->schedule))
        return give_range(slot, e);
    struct triage_item *item = triage__next(&h->triage, ledger__settle_known, h);
    if (item && folder__lacks(&h->folder, item->folder)) { /* next time it is there, or settled */
        ledger__remake(h, item);
        return true;
    }
    if (item && item->attempts > 0 && slot->has_range)
        return true; /* the item runs alone, so only after the range is done */
    return (!item || send_triage(slot, item, e)) && give_range(slot, e);
}

static bool is_silent(const struct pilot_slot *slot)
{
    int64_t seconds = HUNT_SILENCE_SECONDS * (slot->has_triage ? 4 : 1);
    bool is_busy = slot->state == SLOT_STARTING || slot->has_range || slot->has_triage;
    return is_busy && clock_now_ns() - slot->heard_ns > seconds * LOOP_SECOND;
}

/* Has the stream been closed for long, and the process not ended? */
static bool is_deaf(const struct pilot_slot *slot)
{
    return slot->closed_ns && clock_now_ns() - slot->closed_ns > 2 * LOOP_SECOND;
}

static bool too_many_died(const struct hunt *h, struct err *e)
{
    if (h->n_fruitless >= HUNT_FRUITLESS_DEATHS)
        return err_set(e, ERR_INTERNAL,
                       "%d pilots in a row ended without a result; the warnings above hold what "
                       "they printed",
                       HUNT_FRUITLESS_DEATHS);
    if (h->n_foreign >= HUNT_FOREIGN_DEATHS)
        return err_set(e, ERR_ENVIRONMENT,
                       "%d pilots in a row were killed from outside before their first result; "
                       "find out by whom, then go on with --resume",
                       HUNT_FOREIGN_DEATHS);
    return true;
}

bool slots__turn(struct hunt *h, struct err *e)
{
    for (uint32_t i = 0; i < h->n_slots; i++) {
        struct pilot_slot *slot = &h->slots[i];
        if (slot->state != SLOT_DOWN && (slot->is_lost || is_deaf(slot) || is_silent(slot))) {
            take_down(slot);
            h->n_restarts++;
        }
        if (!too_many_died(h, e))
            return false;
        if (slot->state == SLOT_DOWN && !h->draining && !start(slot, e))
            return err_wrap(e, "pilot %u", slot->id);
        if (slot->state == SLOT_UP && !slot->is_lost && !slot->closed_ns && !give_work(slot, e))
            return false;
    }
    return true;
}
