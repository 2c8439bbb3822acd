/*
 * Whole campaigns with a double instead of pilots: it speaks their protocol and invents results
 * that depend on seed, index and the rewards it got, so that a wrong number of rewards or a lost or
 * repeated index shows. The same seed must give the same cases and the same bugs with one pilot and
 * with four, after a kill and a resume, and when pilots die.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "hunt/campaign/campaign_p.h"
#include "hunt/hunt.h"
#include "hunt/message.h"
#include "hunt/options.h"
#include "hunt/pilot/pilot_p.h"
#include "unit/test.h"

enum { N_CASES = 1500, DEADLY_INDEX = 1033 };

/* ---- the double ---- */

struct twin {
    struct arena arena;
    int fd;
    int64_t seed;
    const char *out;
    struct hunt_options options;
    struct generators generators; /* only what they learned */
    struct strbuf text;
};

static bool read_message(int fd, struct arena *a, enum message_kind *kind, const struct json **body)
{
    struct frame f;
    struct err e;
    if (!frame_read(fd, MESSAGE_END, a, &f, &e))
        return false;
    *kind = (enum message_kind)f.kind;
    return json_parse(f.body, "message", a, body, &e);
}

static void write_message(struct twin *t, enum message_kind kind, struct json_out *w)
{
    struct err e;
    if (!message_end(kind, w, &e) || !stream_write_full(t->fd, t->text.at, t->text.n, &e))
        _exit(0);
}

/* A hash of all that a case may depend on: the totals of all arms that the double's edits name. */
static struct hash digest(const struct twin *t, int64_t index)
{
    const struct learned *l = &t->generators.learning.of[0];
    struct hasher h;
    hasher_init(&h);
    hasher_add_u64(&h, (uint64_t)t->seed);
    hasher_add_u64(&h, (uint64_t)index);
    for (int i = -1; i < 256; i++) {
        char name[16];
        snprintf(name, sizeof name, "E%d", i);
        uint64_t arm = i < 0 ? ARM_ALL : learned_arm_id(ARM_OPERATOR, str_of(name), STR(""));
        struct learned_total total = learned_total(l, (uint64_t)index / GENERATE_EPOCH, arm);
        hasher_add_u64(&h, total.n);
        hasher_add(&h, &total.sum, sizeof total.sum);
    }
    return hasher_done(&h);
}

static bool behaves(const struct twin *t, const char *how)
{
    return strcmp(t->options.strategy, how) == 0;
}

/* Sends the rows of an invented case: one in eight fails, with one of 24 keys, or of a fruitful
 * pilot with a key of its own. */
static void send_case(struct twin *t, int64_t index)
{
    struct arena a;
    arena_init(&a);
    struct hash id = digest(t, index);
    bool fails = id.bytes[0] % 8 == 0;
    const char *key =
        arena_printf(&a, "k%lld", (long long)(behaves(t, "fruitful") ? index : id.bytes[1] % 24));
    const struct store_result row = {
        .campaign = 1,
        .case_at = index,
        .case_id = id,
        .kind = STR("valid"),
        .decision = fails ? STR("fail") : STR("pass"),
        .keys = fails ? str_of(arena_printf(&a, "%s\n", key)) : STR(""),
        .rewrites = str_of(arena_printf(&a, "+R%d\n", id.bytes[2])),
        .distance = id.bytes[3] / 7.0,
        .n_macs = id.bytes[4],
        .edits = str_of(arena_printf(&a, "E%d at=\"%lld\"\n", id.bytes[5], (long long)index)),
        .at_ms = clock_wall_ms()};
    const struct store_failure failure = {.campaign = 1,
                                          .case_at = index,
                                          .case_id = id,
                                          .key = str_of(key),
                                          .folder = str_of(arena_printf(&a, "f%d", (int)index))};
    struct json_out w = message_begin(&t->text);
    json_key(&w, "rows");
    json_begin_array(&w);
    if (fails)
        message_put_row(&w, &(struct store_change){.kind = STORE_FAILURE, .failure = &failure});
    message_put_row(&w, &(struct store_change){.kind = STORE_RESULT, .result = &row});
    json_end_array(&w);
    write_message(t, MESSAGE_ROWS, &w);
    arena_done(&a);
}

static bool is_skipped(const struct json *skip, int64_t index)
{
    for (size_t i = 0; i < skip->n; i++)
        if (skip->items[i].integer == index)
            return true;
    return false;
}

static bool is_cured(struct twin *t)
{
    return file_stat(path_join(&t->arena, t->out, "cured")).kind != FILE_MISSING;
}

/* Kills itself as a user or a supervisor may do at any time. */
static void maybe_be_killed(const struct twin *t, uint64_t index)
{
    if (behaves(t, "killed") && hash_mix64(index) % 60 == 0 &&
        hash_mix64((uint64_t)clock_now_ns()) % 4)
        kill(getpid(), index % 2 ? SIGKILL : SIGTERM);
}

/* A deadly pilot dies at one index until cured, a clumsy one once at some and leaves a mark. */
static void maybe_die(struct twin *t, int64_t index)
{
    struct err e;
    maybe_be_killed(t, (uint64_t)index);
    if (behaves(t, "deadly") && index == DEADLY_INDEX && !is_cured(t))
        _exit(9);
    if (behaves(t, "clumsy") && index % 500 == 77) {
        const char *mark = arena_printf(&t->arena, "%s/mark-%lld", t->out, (long long)index);
        if (file_stat(mark).kind == FILE_MISSING && file_write(mark, "", 0, &e))
            _exit(9);
    }
}

static void run_range(struct twin *t, const struct json *body)
{
    int64_t from = json_get_i64(body, "from", -1), to = json_get_i64(body, "to", -1);
    int64_t n_rewards = json_get_i64(body, "rewards", -1);
    bool careful = json_get_bool(body, "careful", false);
    if (n_rewards > (int64_t)t->generators.learning.n_rewards)
        _exit(7); /* promised more than was sent */
    for (int64_t i = from; i < to; i++) {
        if (is_skipped(json_get(body, "skip"), i))
            continue;
        if (careful) {
            struct json_out w = message_begin(&t->text);
            json_pair_i64(&w, "at", i);
            write_message(t, MESSAGE_BEGUN, &w);
        }
        maybe_die(t, i);
        send_case(t, i);
    }
    struct json_out w = message_begin(&t->text);
    json_pair_i64(&w, "from", from);
    write_message(t, MESSAGE_RANGE_DONE, &w);
}

static void learn(struct twin *t, enum message_kind kind, const struct json *body)
{
    struct err e;
    if (!(kind == MESSAGE_STATE ? generators__take_state : generators__take_rewards)(&t->generators,
                                                                                     body, &e))
        _exit(7);
}

/* The pilot "idle" answers no reduction until it is woken, and then writes down how the first one
 * was requested. */
static bool note_triage(struct twin *t, const struct json *body)
{
    struct err e;
    if (!behaves(t, "idle"))
        return true;
    if (file_stat(path_join(&t->arena, t->out, "awake")).kind == FILE_MISSING)
        return false;
    const char *how = json_get_bool(body, "whole", false) ? "whole" : "shrunk";
    if (str_is(json_get_str(body, "name", STR("")), "triage/00000000") &&
        !file_write(path_join(&t->arena, t->out, how), "", 0, &e))
        _exit(9);
    return true;
}

/* Keys end in one of six bugs; every third reduction meets another failure on the way. */
static void run_triage(struct twin *t, const struct json *body)
{
    struct arena a;
    struct str key = json_get_str(body, "key", STR("")), name = json_get_str(body, "name", STR(""));
    struct hash h = hash_of(key.at, key.n);
    int64_t case_at = json_get_i64(body, "case_at", 0);
    if (!note_triage(t, body))
        return;
    if (behaves(t, "ruinous") && str_is(name, "triage/00000001") && !is_cured(t))
        _exit(9);
    maybe_be_killed(t, h.bytes[5]);
    arena_init(&a);
    clock_sleep_ms((int64_t)(hash_mix64((uint64_t)getpid() + h.bytes[3]) % 20));
    const char *final = arena_printf(&a, "bug%d", h.bytes[0] % 6);
    const struct store_bug bug = {.id = store_bug_id(str_of(final), &a),
                                  .key = str_of(final),
                                  .campaign = 1,
                                  .title = str_of(final),
                                  .state = behaves(t, "doubtful") ? STR("needs-second-opinion")
                                                                  : STR("confirmed"),
                                  .severity = STR("S1"),
                                  .nodes = h.bytes[1] % 3,
                                  .case_at = case_at,
                                  .folder = json_get_str(body, "folder", STR(""))};
    struct json_out w = message_begin(&t->text);
    json_pair_str(&w, "name", name);
    json_pair_cstr(&w, "state", "confirmed");
    json_pair_cstr(&w, "final_key", final);
    json_key(&w, "rows");
    json_begin_array(&w);
    message_put_row(&w, &(struct store_change){.kind = STORE_BUG, .bug = &bug});
    for (int64_t i = 0; i < 10; i++) {
        const struct store_run run = {.bug = bug.id, .kind = STR("fork"), .at = i, .failed = 1};
        message_put_row(&w, &(struct store_change){.kind = STORE_RUN, .run = &run});
    }
    json_end_array(&w);
    json_key(&w, "others");
    json_begin_array(&w);
    if (h.bytes[2] % 3 == 0) {
        json_begin_object(&w);
        json_pair_cstr(&w, "key", arena_printf(&a, "s%d", h.bytes[4] % 8));
        json_pair_cstr(&w, "folder", "side");
        json_end_object(&w);
    }
    json_end_array(&w);
    write_message(t, MESSAGE_TRIAGED, &w);
    arena_done(&a);
}

static int twin_main(void *ctx)
{
    struct twin t = {.fd = HUNT_PILOT_FD};
    enum message_kind kind;
    const struct json *body;
    struct err e;
    (void)ctx;
    arena_init(&t.arena);
    learning_init(&t.generators.learning, 1);
    if (!read_message(t.fd, &t.arena, &kind, &body) || kind != MESSAGE_START ||
        !hunt_options_from_json(json_get(body, "settings"), &t.arena, &t.options, &e))
        return 8;
    t.seed = json_get_i64(body, "seed", 0);
    t.out = str_dup(&t.arena, json_get_str(body, "out", STR("")));
    if (behaves(&t, "stillborn"))
        return 6;
    struct json_out w = message_begin(&t.text);
    json_pair_cstr(&w, "sandbox", "none");
    write_message(&t, MESSAGE_READY, &w);
    while (read_message(t.fd, &t.arena, &kind, &body)) {
        if (kind == MESSAGE_REWARDS || kind == MESSAGE_STATE)
            learn(&t, kind, body);
        else if (kind == MESSAGE_RANGE)
            run_range(&t, body);
        else if (kind == MESSAGE_TRIAGE)
            run_triage(&t, body);
    }
    return 0;
}

/* ---- campaigns ---- */

struct seen {
    size_t n_cases, n_bug_calls;
    int64_t last_case;
    bool in_order;
};

static void on_case(void *ctx, const struct store_result *r)
{
    struct seen *s = ctx;
    s->in_order &= r->case_at > s->last_case;
    s->last_case = r->case_at;
    s->n_cases++;
}

static void on_bug(void *ctx, const struct store_bug *bug, const char *folder, bool is_new)
{
    (void)bug;
    (void)folder;
    (void)is_new;
    ((struct seen *)ctx)->n_bug_calls++;
}

static struct hunt_options options_of(const char *out, const char *how, uint32_t n_pilots)
{
    return (struct hunt_options){.out = out,
                                 .seed = 42,
                                 .n_cases = N_CASES,
                                 .strategy = how,
                                 .n_pilots = n_pilots,
                                 .pilot_entry = twin_main};
}

static void run(const struct hunt_options *o, struct seen *seen)
{
    struct hunt_end end;
    struct err e;
    struct hunt_listener listener = {.on_case = on_case, .on_bug = on_bug, .ctx = seen};
    *seen = (struct seen){.last_case = -1, .in_order = true};
    if (!hunt_run(o, &listener, &end, &e))
        fail_msg("%s", e.text);
    hunt_end_done(&end);
}

/* All that must be equal, as text: cases with their ids, and bugs with their reproducers. */
static struct str picture(const char *out, struct arena *a)
{
    struct store *s;
    struct err e;
    struct store_results results;
    struct store_bugs bugs;
    struct strbuf b = {0};
    char hex[HASH_HEX_SIZE];
    assert_true(store_open(path_join(a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_results(s, 1, 0, INT64_MAX, a, &results, &e));
    assert_true(store_bugs(s, STR(""), a, &bugs, &e));
    for (size_t i = 0; i < results.n; i++) {
        hash_to_hex(&results.at[i].case_id, hex);
        strbuf_printf(&b, "%lld %.12s " STR_FMT, (long long)results.at[i].case_at, hex,
                      STR_ARG(results.at[i].keys));
        strbuf_addc(&b, '\n');
    }
    for (size_t i = 0; i < bugs.n; i++)
        strbuf_printf(&b, STR_FMT " " STR_FMT " %lld nodes at %lld in " STR_FMT " %lld/%lld\n",
                      STR_ARG(bugs.at[i].id), STR_ARG(bugs.at[i].key), (long long)bugs.at[i].nodes,
                      (long long)bugs.at[i].case_at, STR_ARG(bugs.at[i].folder),
                      (long long)bugs.at[i].k, (long long)bugs.at[i].n);
    store_close(s);
    struct str text = strbuf_dup(&b, a);
    strbuf_done(&b);
    return text;
}

static const char *temp_dir(struct arena *a)
{
    const char *dir;
    struct err e;
    assert_true(file_make_temp_dir(a, "hunt", &dir, &e));
    return dir;
}

static void remove_dir(const char *dir)
{
    struct err e;
    assert_true(file_remove_tree(dir, &e));
}

static struct str picture_of_run(const char *how, uint32_t n_pilots, struct arena *a)
{
    const char *out = temp_dir(a);
    struct hunt_options o = options_of(out, how, n_pilots);
    struct seen seen;
    run(&o, &seen);
    assert_int_equal(seen.n_cases, N_CASES);
    assert_true(seen.in_order);
    assert_true(seen.n_bug_calls > 0);
    struct str text = picture(out, a);
    remove_dir(out);
    return text;
}

static void assert_same(struct str a, struct str b)
{
    struct str line, other;
    assert_true(a.n > 0);
    while (str_split(&a, '\n', &line) && str_split(&b, '\n', &other))
        if (!str_eq(line, other))
            fail_msg("pictures differ: \"" STR_FMT "\" and \"" STR_FMT "\"", STR_ARG(line),
                     STR_ARG(other));
    assert_true(a.at == NULL && (b.at == NULL || b.n == 0));
}

static void pilots_do_not_change_cases_or_bugs(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    struct str one = picture_of_run("plain", 1, &a);
    assert_same(one, picture_of_run("plain", 4, &a));
    assert_same(one, picture_of_run("plain", 3, &a));
    arena_done(&a);
}

/* Runs the campaign in a child and kills it with SIGKILL when the store holds n results. */
static void run_and_kill(const struct hunt_options *o, size_t n, struct arena *a)
{
    struct err e;
    struct store *s;
    size_t n_there = 0;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct hunt_end end;
        hunt_run(o, NULL, &end, &e);
        _exit(0);
    }
    while (n_there < n && waitpid(pid, &status, WNOHANG) == 0) {
        struct store_totals t = {0};
        clock_sleep_ms(5);
        if (!store_open(path_join(a, o->out, "store.sqlite"), STORE_READ, &s, &e))
            continue;
        if (store_totals(s, 1, &t, &e))
            n_there = (size_t)t.n_cases;
        store_close(s);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
}

static void killed_and_resumed_is_the_same_campaign(void **state)
{
    struct arena a;
    struct seen seen;
    (void)state;
    arena_init(&a);
    struct str whole = picture_of_run("plain", 1, &a);
    const char *out = temp_dir(&a);
    for (size_t n = 200; n <= 1400; n += 400) {
        struct hunt_options o = options_of(out, "plain", n % 800 ? 4 : 1);
        o.resume = n > 200;
        run_and_kill(&o, n, &a);
    }
    struct hunt_options o = options_of(out, "plain", 2);
    o.resume = true;
    run(&o, &seen);
    assert_same(whole, picture(out, &a));
    remove_dir(out);
    arena_done(&a);
}

static void dying_pilots_cost_nothing(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    /* strategies are not part of the double's digest, so the pictures may be compared */
    assert_same(picture_of_run("plain", 1, &a), picture_of_run("clumsy", 3, &a));
    arena_done(&a);
}

static void a_case_that_kills_each_pilot_is_lost_alone(void **state)
{
    struct arena a;
    struct seen seen;
    struct err e;
    struct store *s;
    struct store_results rows;
    struct store_events events;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "deadly", 2);
    run(&o, &seen);
    assert_int_equal(seen.n_cases, N_CASES);
    assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_results(s, 1, 0, N_CASES, &a, &rows, &e));
    assert_int_equal(rows.n, N_CASES);
    for (size_t i = 0; i < rows.n; i++)
        assert_int_equal(str_is(rows.at[i].kind, "lost"), i == DEADLY_INDEX);
    assert_true(store_events(s, STR("campaign/1"), &a, &events, &e));
    assert_int_equal(events.n, 1);
    assert_non_null(strstr(events.at[0].text.at, "case 1033"));
    store_close(s);
    remove_dir(out);
    arena_done(&a);
}

/* Pilots are killed from outside often, also on the same cases and reductions. */
static void pilots_killed_from_outside_cost_nothing(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    struct str whole = picture_of_run("plain", 1, &a);
    assert_same(whole, picture_of_run("killed", 1, &a));
    assert_same(whole, picture_of_run("killed", 3, &a));
    arena_done(&a);
}

static void cure(const char *out, struct arena *a)
{
    struct err e;
    assert_true(file_write(path_join(a, out, "cured"), "", 0, &e));
}

/* The line of a picture that begins with this text. */
static struct str line_of(struct str picture, const char *begin)
{
    struct str line;
    while (str_split(&picture, '\n', &line))
        if (str_starts(line, str_of(begin)))
            return line;
    return STR("");
}

static void a_lost_case_is_run_when_the_campaign_is_resumed(void **state)
{
    struct arena a;
    struct seen seen;
    struct err e;
    struct store *s;
    struct store_results lost;
    (void)state;
    arena_init(&a);
    struct str whole = picture_of_run("plain", 1, &a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "deadly", 2);
    run(&o, &seen);
    assert_false(str_eq(line_of(whole, "1033 "), line_of(picture(out, &a), "1033 ")));
    cure(out, &a);
    o.resume = true;
    run(&o, &seen);
    assert_int_equal(seen.n_cases, 1);
    assert_same(line_of(whole, "1033 "), line_of(picture(out, &a), "1033 "));
    assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_lost(s, 1, &a, &lost, &e));
    assert_int_equal(lost.n, 0);
    store_close(s);
    remove_dir(out);
    arena_done(&a);
}

static size_t count_dead(const char *out, struct arena *a)
{
    struct err e;
    struct store *s;
    struct store_jobs jobs;
    assert_true(store_open(path_join(a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_jobs(s, 1, STR("dead"), a, &jobs, &e));
    store_close(s);
    return jobs.n;
}

static void a_reduction_given_up_is_tried_when_the_campaign_is_resumed(void **state)
{
    struct arena a;
    struct seen seen;
    (void)state;
    arena_init(&a);
    struct str whole = picture_of_run("plain", 1, &a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "ruinous", 2);
    run(&o, &seen);
    assert_int_equal(count_dead(out, &a), 1);
    cure(out, &a);
    o.resume = true;
    run(&o, &seen);
    assert_int_equal(count_dead(out, &a), 0);
    assert_same(whole, picture(out, &a));
    remove_dir(out);
    arena_done(&a);
}

static void put_nothing(const char *out, struct arena *a)
{
    (void)out;
    (void)a;
}

static void put_file(const char *out, struct arena *a)
{
    struct err e;
    (void)a;
    remove_dir(out);
    assert_true(file_write(out, "x", 1, &e));
}

static void put_empty_store(const char *out, struct arena *a)
{
    struct store *s;
    struct err e;
    assert_true(store_open(path_join(a, out, "store.sqlite"), STORE_CREATE, &s, &e));
    store_close(s);
}

static void put_text_as_store(const char *out, struct arena *a)
{
    static const char text[] = "this is no database, and it is long enough that SQLite notices it";
    struct err e;
    assert_true(file_write(path_join(a, out, "store.sqlite"), text, sizeof text, &e));
}

static void what_cannot_go_on_says_why(void **state)
{
    static const struct {
        const char *how, *says;
        void (*put)(const char *out, struct arena *a);
        bool resume;
        enum err_code code;
    } rows[] = {
        {"stillborn", "ended without a result", put_nothing, false, ERR_INTERNAL},
        {"plain", "--resume: no campaign in", put_nothing, true, ERR_USAGE},
        {"plain", "--resume: no campaign in", put_empty_store, true, ERR_USAGE},
        {"plain", "not an SQLite database", put_text_as_store, true, ERR_DATA},
        {"plain", "not an SQLite database", put_text_as_store, false, ERR_DATA},
        {"plain", "a folder is expected", put_file, false, ERR_IO},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        struct hunt_end end;
        arena_init(&a);
        const char *out = temp_dir(&a);
        struct hunt_options o = options_of(out, rows[i].how, 1);
        o.resume = rows[i].resume;
        rows[i].put(out, &a);
        ASSERT_ROW(!hunt_run(&o, NULL, &end, &e), rows[i].how);
        if (e.code != rows[i].code || !strstr(e.text, rows[i].says))
            fail_msg("row %zu: \"%s\" instead of \"%s\"", i, e.text, rows[i].says);
        ASSERT_ROW(rows[i].put != put_nothing || !rows[i].resume || /* nothing is left behind */
                       file_stat(path_join(&a, out, "store.sqlite")).kind == FILE_MISSING,
                   rows[i].says);
        remove_dir(out);
        arena_done(&a);
    }
}

/* Has the campaign's row been written by the process that runs it? */
static bool has_owner(const char *out, struct arena *a)
{
    struct store *s;
    struct store_campaigns all = {0};
    struct err e;
    if (!store_open(path_join(a, out, "store.sqlite"), STORE_READ, &s, &e))
        return false;
    bool ok = store_campaigns(s, a, &all, &e) && all.n > 0 && all.at[0].owner.n > 0;
    store_close(s);
    return ok;
}

static void a_running_campaign_is_not_taken_over(void **state)
{
    struct arena a;
    struct err e = {0};
    struct hunt_end end;
    int status;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "plain", 1);
    o.n_cases = 0;
    o.seconds = 100000;
    pid_t pid = fork();
    if (pid == 0) {
        hunt_run(&o, NULL, &end, &e);
        _exit(0);
    }
    while (!has_owner(out, &a))
        clock_sleep_ms(5);
    assert_false(hunt_run(&o, NULL, &end, &e));
    assert_non_null(strstr(e.text, "is being run by"));
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    o.resume = true;
    o.n_cases = 40;                            /* a limit by cases from now on: ends at once */
    assert_true(hunt_run(&o, NULL, &end, &e)); /* the owner is dead */
    hunt_end_done(&end);
    remove_dir(out);
    arena_done(&a);
}

static void run_some(const struct hunt_options *o)
{
    struct hunt_end end;
    struct err e;
    if (!hunt_run(o, NULL, &end, &e))
        fail_msg("%s", e.text);
    hunt_end_done(&end);
}

/* Resumes with these options; says: part of the refusal, NULL: it goes on. */
static void assert_resumes(const struct hunt_options *o, const char *says, size_t row)
{
    struct hunt_end end;
    struct err e = {0};
    bool goes_on = hunt_run(o, NULL, &end, &e);
    if (goes_on)
        hunt_end_done(&end);
    if (goes_on != !says || (says && (e.code != ERR_USAGE || !strstr(e.text, says))))
        fail_msg("row %zu: \"%s\"", row, e.text);
}

/* Cases and bits of the reference depend on both. */
static void another_version_or_cpu_does_not_go_on(void **state)
{
    static const struct {
        const char *says; /* the error; NULL: the campaign is resumed */
        const char *version, *cpu;
    } rows[] = {{NULL, "0.1", "avx2"},
                {NULL, "", ""},
                {"begun with version 0.1, here it is 0.2;", "0.2", "avx2"},
                {"avx2, here it is avx2 avx512f;", "0.1", "avx2 avx512f"}};
    struct arena a;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "plain", 1);
    o.n_cases = 8;
    o.version = rows[0].version;
    o.cpu = rows[0].cpu;
    run_some(&o);
    o.resume = true;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        o.version = rows[i].version;
        o.cpu = rows[i].cpu;
        assert_resumes(&o, rows[i].says, i);
    }
    remove_dir(out);
    arena_done(&a);
}

static void what_contradicts_the_campaign_is_refused(void **state)
{
    static const char *const odd[] = {"odd"}, *const two[] = {"mutate", "odd"};
    static const struct {
        const char *says; /* the error; NULL: the campaign is resumed */
        unsigned asked;
        uint64_t seed;
        const char *strategy;
        struct hunt_names generators, targets;
    } rows[] = {
        {NULL, 0, 43, "fast", {odd, 1}, {odd, 1}}, /* the user gave no setting */
        {NULL, HUNT_ASKED_SEED | HUNT_ASKED_STRATEGY, 42, "plain", {odd, 1}, {odd, 1}},
        {"--seed 42, not with --seed 43;", HUNT_ASKED_SEED, 43, "plain", {0}, {0}},
        {"--strategy plain, not with --strategy fast", HUNT_ASKED_STRATEGY, 42, "fast", {0}, {0}},
        {"--generator mutate, not with --generator mutate,odd",
         HUNT_ASKED_GENERATORS,
         42,
         "plain",
         {two, 2},
         {0}},
        {"--target ort, not with --target odd", HUNT_ASKED_TARGETS, 42, "plain", {0}, {odd, 1}},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "plain", 1);
    o.n_cases = 8;
    run_some(&o);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        o.resume = true;
        o.asked = rows[i].asked;
        o.seed = rows[i].seed;
        o.strategy = rows[i].strategy;
        o.generators = rows[i].generators;
        o.targets = rows[i].targets;
        assert_resumes(&o, rows[i].says, i);
    }
    remove_dir(out);
    arena_done(&a);
}

/* Makes a campaign whose first reduction was begun n_times and never ended. */
static void begin_in_vain(const char *out, int64_t n_times, struct arena *a)
{
    struct store *s;
    struct err e;
    struct store_jobs jobs;
    assert_true(store_open(path_join(a, out, "store.sqlite"), STORE_WRITE, &s, &e));
    assert_true(store_jobs(s, 1, STR(""), a, &jobs, &e));
    assert_true(jobs.n > 0);
    const struct store_job first = jobs.at[0];
    for (int64_t i = first.attempts; i < n_times; i++) {
        const struct store_claim claim = {.campaign = 1,
                                          .owner = STR("nobody"),
                                          .name = first.name,
                                          .now_ms = (INT64_MAX / 4) + 2 * i,
                                          .lease_ms = 1,
                                          .n_most = 1};
        assert_true(store_claim(s, &claim, a, &jobs, &e) && jobs.n == 1);
    }
    store_close(s);
}

static void what_never_ends_is_given_up(void **state)
{
    static const struct {
        int64_t n_times;
        const char *state, *seen; /* of the job; what the pilot saw */
    } rows[] = {
        {TRIAGE_TRIES, "done", "shrunk"}, /* the last does not count: the program was killed */
        {TRIAGE_TRIES + 1, "done", "whole"},
        {(int64_t)2 * TRIAGE_TRIES + 1, "dead", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        struct store *s;
        struct store_jobs jobs;
        arena_init(&a);
        const char *out = temp_dir(&a);
        struct hunt_options o = options_of(out, "idle", 1);
        o.n_cases = 64;
        run_and_kill(&o, 64, &a);
        begin_in_vain(out, rows[i].n_times, &a);
        o.resume = true;
        assert_true(file_write(path_join(&a, out, "awake"), "", 0, &e));
        run_some(&o);
        assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
        assert_true(store_jobs(s, 1, STR(""), &a, &jobs, &e));
        if (!str_is(jobs.at[0].state, rows[i].state))
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(jobs.at[0].state));
        for (size_t k = 0; k < COUNT_OF(rows) - 1; k++) {
            bool seen = file_stat(path_join(&a, out, rows[k].seen)).kind == FILE_REGULAR;
            ASSERT_ROW(seen == (i == k), rows[k].seen);
        }
        store_close(s);
        remove_dir(out);
        arena_done(&a);
    }
}

/* The events of each bug are: new, reduced, confirmed, once each and in this order. */
static void each_bug_has_its_events(void **state)
{
    static const char *const lives[] = {"new", "reduced", "confirmed"};
    struct arena a;
    struct err e;
    struct store *s;
    struct store_bugs bugs;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "plain", 2);
    run_some(&o);
    assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_bugs(s, STR(""), &a, &bugs, &e));
    assert_true(bugs.n > 0);
    for (size_t i = 0; i < bugs.n; i++) {
        struct store_events events;
        assert_true(store_events(s, bugs.at[i].id, &a, &events, &e));
        assert_true(events.n >= COUNT_OF(lives));
        for (size_t k = 0; k < COUNT_OF(lives); k++)
            assert_true(str_is(events.at[k].what, lives[k]));
        assert_non_null(strstr(events.at[2].text.at, "failed 10 of 10"));
        for (size_t k = COUNT_OF(lives); k < events.n; k++) /* a better reproducer */
            assert_true(str_is(events.at[k].what, "reduced"));
    }
    store_close(s);
    remove_dir(out);
    arena_done(&a);
}

/* Bugs that need a second opinion are counted apart. The next campaign may have another engine: it
 * judges them again, but confirmed ones count as known. */
static void what_needs_a_second_opinion_is_asked_again(void **state)
{
    static const struct {
        const char *how, *event;
        bool in_doubt;
    } rows[] = {{"plain", "failed 10 of 10", false}, {"doubtful", "cannot show which", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct hunt_end first, second;
        struct store_events events;
        struct store *s;
        struct err e;
        arena_init(&a);
        const char *out = temp_dir(&a);
        struct hunt_options o = options_of(out, rows[i].how, 2);
        assert_true(hunt_run(&o, NULL, &first, &e));
        size_t n = first.bugs.n, n_doubt = first.statistics.n_bugs_in_doubt;
        ASSERT_ROW(n > 0 && n_doubt == (rows[i].in_doubt ? n : 0), rows[i].how);
        ASSERT_ROW(first.statistics.n_bugs_new == n - n_doubt, rows[i].how);
        ASSERT_ROW(first.statistics.n_top == n - n_doubt, rows[i].how);
        assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
        assert_true(store_events(s, first.bugs.at[0].id, &a, &events, &e));
        ASSERT_ROW(events.n >= 3 && strstr(events.at[2].text.at, rows[i].event), rows[i].how);
        store_close(s);
        hunt_end_done(&first);
        assert_true(hunt_run(&o, NULL, &second, &e));
        ASSERT_ROW((second.statistics.n_bugs_known == 0) == rows[i].in_doubt, rows[i].how);
        hunt_end_done(&second);
        remove_dir(out);
        arena_done(&a);
    }
}

/* The project's file names one of a campaign's bugs: that is counted as known, is no top bug and
 * does not count at the end; its row in the store stays as it was. */
static void what_the_projects_file_names_is_known(void **state)
{
    struct arena a;
    struct err e;
    struct hunt_end end;
    struct known_list known;
    struct store *s;
    struct store_bug row;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "plain", 2);
    assert_true(hunt_run(&o, NULL, &end, &e));
    struct str id = str_of(str_dup(&a, end.bugs.at[0].id));
    size_t n = end.bugs.n;
    assert_true(n > 1);
    hunt_end_done(&end);
    remove_dir(out);
    const char *text =
        arena_printf(&a, "[[known]]\nkey = \"" STR_FMT "\"\nreason = \"r\"\n", STR_ARG(id));
    assert_true(known_read(str_of(text), "known", STR("2026-11-22"), &a, &known, &e));
    out = temp_dir(&a);
    o = options_of(out, "plain", 2);
    o.known = &known;
    assert_true(hunt_run(&o, NULL, &end, &e));
    assert_int_equal(end.bugs.n, n);
    assert_int_equal(end.statistics.n_bugs_new, n - 1);
    assert_int_equal(end.statistics.n_bugs_named, 1);
    assert_int_equal(end.statistics.n_bugs_known, 1);
    for (size_t i = 0; i < n; i++)
        assert_true(store_bug_counts(&end.bugs.at[i]) == !str_eq(end.bugs.at[i].id, id));
    for (size_t i = 0; i < end.statistics.n_top; i++)
        assert_false(str_eq(end.statistics.top[i].id, id));
    hunt_end_done(&end);
    assert_true(store_open(path_join(&a, out, "store.sqlite"), STORE_READ, &s, &e));
    assert_true(store_bug(s, id, &a, &row, &e) && str_is(row.state, "confirmed"));
    store_close(s);
    remove_dir(out);
    arena_done(&a);
}

/* Cases that fail faster than failures can be reduced wait for the reductions: what is left at the
 * end is what the last ranges added. */
static void failures_do_not_pile_up(void **state)
{
    enum { N_PILOTS = 2, N_FAILING = HUNT_RANGE / 2 /* of a range, at most */ };
    struct arena a;
    struct hunt_end end;
    struct err e;
    (void)state;
    arena_init(&a);
    const char *out = temp_dir(&a);
    struct hunt_options o = options_of(out, "fruitful", N_PILOTS);
    o.n_cases = 0;
    o.seconds = 2;
    assert_true(hunt_run(&o, NULL, &end, &e));
    assert_true(end.statistics.totals.n_cases > 10 * HUNT_RANGE);
    assert_in_range(end.statistics.remains.n_waiting, 1, HUNT_BACKLOG + N_PILOTS * N_FAILING);
    hunt_end_done(&end);
    remove_dir(out);
    arena_done(&a);
}

TEST_SUITE(hunt_campaign, TEST(each_bug_has_its_events),
           TEST(another_version_or_cpu_does_not_go_on),
           TEST(what_contradicts_the_campaign_is_refused), TEST(what_never_ends_is_given_up),
           TEST(pilots_do_not_change_cases_or_bugs), TEST(killed_and_resumed_is_the_same_campaign),
           TEST(dying_pilots_cost_nothing), TEST(a_case_that_kills_each_pilot_is_lost_alone),
           TEST(pilots_killed_from_outside_cost_nothing),
           TEST(a_lost_case_is_run_when_the_campaign_is_resumed),
           TEST(a_reduction_given_up_is_tried_when_the_campaign_is_resumed),
           TEST(what_cannot_go_on_says_why), TEST(a_running_campaign_is_not_taken_over),
           TEST(what_needs_a_second_opinion_is_asked_again),
           TEST(what_the_projects_file_names_is_known), TEST(failures_do_not_pile_up))
