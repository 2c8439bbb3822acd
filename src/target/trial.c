/*
 * Decides what an adapter is sent in its trial and which answers keep the protocol: one row of the
 * table per check, each with a worker of its own. Must not know how a worker is started
 * (trial_talk.c). Invariant: a check fails only where docs/protocol.md is broken. Whether the
 * engine runs a model or refuses it does not matter, as long as the worker reports it.
 */
#include "target/trial.h"

#include "base/path.h"
#include "onnx/io.h"
#include "os/probe.h"
#include "os/sandbox.h"
#include "target/launch_p.h"
#include "target/outcome_p.h"
#include "target/pack_p.h"
#include "target/pool.h"
#include "target/python_p.h"
#include "target/tiny_p.h"
#include "target/trial_p.h"
#include "target/worker.h"

enum {
    DEADLINE_MS = 60000,
    N_SETS = TINY_SETS,
    N_REPEATS = 2,
    N_MODES = 2,
    RESULT_FILE_MAX = 1 << 20,
    WRONG_PROTOCOL = 999,
};
#define MEMORY_BYTES ((uint64_t)4 << 30)

static const char folder[] = "1", results[] = "results", good_model[] = "good.onnx",
                  unknown_model[] = "unknown.onnx", broken_model[] = "broken.onnx";

struct trial {
    const struct trial_options *o;
    struct arena arena;
    struct scratch *scratch;
    struct trial_start start;
    struct tensors sets[N_SETS];
    struct str sets_json;
    enum target_work work;
    int64_t batch; /* the value in its welcome: 0 where it cannot fork */
    uint32_t seq;
};

enum expected { EXPECT_OK, EXPECT_FAILURE, EXPECT_EITHER };

struct order {
    const char *model;
    enum expected expected;
    bool alone;
    bool strange; /* with keys of a future protocol */
};

/* Files ----------------------------------------------------------------------------------------*/

/* Writes the tiny case, with first_op in place of the first Abs. */
static bool put_model(struct trial *t, const char *name, const char *first_op, struct err *e)
{
    struct model *m;
    struct strbuf bytes = {0};
    bool ok = tiny__model(first_op, &t->arena, &m, e) && model_write(m, true, &bytes, e);
    struct str part = strbuf_str(&bytes);
    ok = ok && scratch_put(t->scratch, path_join(&t->arena, folder, name), &part, 1, e);
    strbuf_done(&bytes);
    return ok;
}

static bool put_set(struct trial *t, size_t at, struct json_out *w, struct err *e)
{
    struct pack pack = {0};
    const char *name = arena_printf(&t->arena, "in%zu.bin", at);
    if (!tiny__inputs(at, &t->arena, &t->sets[at], e))
        return false;
    json_begin_object(w);
    json_pair_cstr(w, "file", name);
    json_key(w, "tensors");
    pack__tensors(&t->sets[at], &pack, &t->arena, w);
    json_end_object(w);
    return scratch_put(t->scratch, path_join(&t->arena, folder, name), pack.parts.at, pack.parts.n,
                       e);
}

static bool put_files(struct trial *t, struct err *e)
{
    struct str nonsense = STR("this is no model");
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    bool ok = scratch_make_dir(t->scratch, folder, e) && scratch_make_dir(t->scratch, results, e) &&
              put_model(t, good_model, "Abs", e) &&
              put_model(t, unknown_model, "NoSuchOperator", e) &&
              scratch_put(t->scratch, path_join(&t->arena, folder, broken_model), &nonsense, 1, e);
    json_begin_array(&w);
    for (size_t i = 0; ok && i < N_SETS; i++)
        ok = put_set(t, i, &w, e);
    json_end_array(&w);
    t->sets_json = strbuf_dup(&text, &t->arena);
    strbuf_done(&text);
    return ok;
}

/* A case and its answers ------------------------------------------------------------------------*/

static void put_strange_keys(struct json_out *w)
{
    json_pair_i64(w, "key_of_a_later_version", 7);
    json_key(w, "object_of_a_later_version");
    json_begin_object(w);
    json_pair_cstr(w, "a", "b");
    json_end_object(w);
}

static void put_modes(const struct trial *t, struct json_out *w)
{
    const struct target_mode *mode = t->o->target ? t->o->target->mode : NULL;
    json_key(w, "modes");
    json_begin_array(w);
    for (int i = 0; i < N_MODES; i++) {
        json_begin_object(w);
        json_pair_str(w, "name", mode ? mode->name : STR("default"));
        json_pair_i64(w, "threads", mode ? mode->n_threads : 1);
        json_key(w, "options");
        if (mode && mode->options) {
            json_put_json(w, mode->options);
        } else {
            json_begin_object(w);
            json_end_object(w);
        }
        json_end_object(w);
    }
    json_end_array(w);
}

static bool send_run(struct trial *t, struct talk *k, const struct order *o, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    const struct json *sets;
    t->seq++;
    json_begin_object(&w);
    json_pair_cstr(&w, "case", arena_printf(&t->arena, "%032x", t->seq));
    json_pair_cstr(&w, "folder", folder);
    json_pair_cstr(&w, "prefix", arena_printf(&t->arena, "a%u-", t->seq));
    json_pair_cstr(&w, "model", o->model);
    json_key(&w, "outputs");
    json_begin_array(&w);
    json_put_cstr(&w, "y0");
    json_put_cstr(&w, "y1");
    json_end_array(&w);
    bool ok = json_parse(t->sets_json, "sets", &t->arena, &sets, e);
    json_key(&w, "sets");
    if (ok)
        json_put_json(&w, sets);
    put_modes(t, &w);
    json_pair_i64(&w, "repeats", N_REPEATS);
    json_pair_bool(&w, "dump", false);
    json_key(&w, "disable");
    json_begin_array(&w);
    json_end_array(&w);
    json_pair_bool(&w, "alone", o->alone);
    if (o->strange)
        put_strange_keys(&w);
    json_end_object(&w);
    ok = ok && talk__send(k, FRAME_RUN, t->seq, strbuf_str(&text), e);
    strbuf_done(&text);
    return ok;
}

static bool outputs_are_right(const struct trial *t, const struct tensors *seen, size_t set,
                              struct err *e)
{
    if (seen->n != 2)
        return err_set(e, ERR_DATA, "%zu outputs instead of 2", seen->n);
    for (size_t i = 0; i < seen->n; i++) {
        const struct tensor *got = &seen->at[i].tensor;
        const struct tensor *expected = &t->sets[set].at[i].tensor;
        if (seen->at[i].name.n != 2 || seen->at[i].name.at[0] != 'y' ||
            seen->at[i].name.at[1] != (char)('0' + i))
            return err_set(e, ERR_DATA, "output %zu is called \"" STR_FMT "\", not \"y%zu\"", i,
                           STR_ARG(seen->at[i].name), i);
        if (got->dtype != expected->dtype || got->n != expected->n || got->rank != expected->rank)
            return err_set(e, ERR_DATA, "output y%zu has another dtype or shape", i);
        if (memcmp(got->data, expected->data, dtype_size(got->dtype, got->n)) != 0)
            return err_set(e, ERR_DATA, "output y%zu of set %zu is not |x%zu|", i, set, i);
    }
    return true;
}

static bool run_is_right(const struct trial *t, const struct json *run, struct str bytes,
                         enum expected expected, struct err *e)
{
    int64_t set = json_get_i64(run, "set", 0);
    const struct json *list;
    struct tensors seen;
    struct str word;
    enum outcome outcome;
    struct arena a;
    if (!json_need_str(run, "outcome", &word, e))
        return false;
    if (!outcome_find(word, &outcome))
        return err_set(e, ERR_DATA, "no outcome is called \"" STR_FMT "\"", STR_ARG(word));
    if (outcome != OUTCOME_OK) {
        struct str message = json_get_str(run, "message", STR(""));
        if (!message.n)
            return err_set(e, ERR_DATA, "a failure without a message");
        return expected != EXPECT_OK || err_set(e, ERR_DATA, "the good case fails: " STR_FMT,
                                                STR_ARG(str_sub(message, 0, 300)));
    }
    if (expected != EXPECT_OK)
        return expected == EXPECT_EITHER ||
               err_set(e, ERR_DATA, "a model that cannot be run has the outcome ok");
    arena_init(&a);
    bool ok = json_need(run, "tensors", JSON_KIND_ARRAY, &list, e) &&
              pack__read(list, bytes, &a, &seen, e) && outputs_are_right(t, &seen, (size_t)set, e);
    arena_done(&a);
    return ok;
}

/* Are set and repeat of each run right and in order? */
static bool runs_are_right(const struct trial *t, const struct json *result, enum expected expected,
                           struct err *e)
{
    const struct json *runs;
    struct str file = json_get_str(result, "file", STR("")), bytes = STR("");
    struct arena a;
    if (!json_need(result, "runs", JSON_KIND_ARRAY, &runs, e))
        return false;
    if (runs->n != N_SETS * N_REPEATS)
        return err_set(e, ERR_DATA, "%zu runs for %d sets and %d repeats", runs->n, N_SETS,
                       N_REPEATS);
    arena_init(&a);
    bool ok =
        expected != EXPECT_OK || scratch_get(t->scratch, path_join(&a, results, str_dup(&a, file)),
                                             RESULT_FILE_MAX, &a, &bytes, e);
    for (size_t i = 0; ok && i < runs->n; i++) {
        const struct json *run = &runs->items[i];
        bool in_place = json_get_i64(run, "set", -1) == (int64_t)(i / N_REPEATS) &&
                        json_get_i64(run, "repeat", -1) == (int64_t)(i % N_REPEATS);
        ok = in_place ? run_is_right(t, run, bytes, expected, e)
                      : err_set(e, ERR_DATA, "run %zu is not of set %zu, repeat %zu", i,
                                i / N_REPEATS, i % N_REPEATS);
    }
    arena_done(&a);
    return ok;
}

/* Has a converter's result a model that can be read, or one failure? */
static bool conversion_is_right(const struct trial *t, const struct json *result,
                                enum expected expected, struct err *e)
{
    struct str name = json_get_str(result, "model", STR("")), bytes;
    const struct json *runs = json_get(result, "runs");
    struct model *m;
    struct arena a;
    if (!name.n && (!runs || runs->n != 1))
        return err_set(e, ERR_DATA, "a converter gives neither a model nor exactly one reason");
    if (!name.n)
        return run_is_right(t, &runs->items[0], STR(""), expected, e);
    if (expected == EXPECT_FAILURE)
        return err_set(e, ERR_DATA, "a converter makes a model from a file that is no model");
    arena_init(&a);
    bool ok = scratch_get(t->scratch, path_join(&a, results, str_dup(&a, name)), RESULT_FILE_MAX,
                          &a, &bytes, e) &&
              (expected != EXPECT_OK || model_read(bytes, NULL, &a, &m, e));
    arena_done(&a);
    return ok;
}

/* Sends the case and checks the frames that follow: started, each result and, where it runs alone,
 * exited. */
static bool run_case(struct trial *t, struct talk *k, const struct order *o, int64_t *pid,
                     struct err *e)
{
    struct reply r;
    if (!send_run(t, k, o, e) || !talk__next(k, FRAME_STARTED, &r, e))
        return false;
    *pid = json_get_i64(r.body, "pid", 0);
    if (r.seq != t->seq || *pid <= 1)
        return err_set(e, ERR_DATA, "started of sequence number %u, pid %lld; %u was sent", r.seq,
                       (long long)*pid, t->seq);
    for (int i = 0; i < N_MODES; i++) {
        if (!talk__next(k, FRAME_RESULT, &r, e))
            return false;
        if (r.seq != t->seq || json_get_i64(r.body, "mode", -1) != i)
            return err_set(e, ERR_DATA,
                           "a result of sequence number %u, mode %lld; expected %u, %d", r.seq,
                           (long long)json_get_i64(r.body, "mode", -1), t->seq, i);
        if (!(t->work == TARGET_CONVERTS ? conversion_is_right : runs_are_right)(t, r.body,
                                                                                 o->expected, e))
            return err_wrap(e, "result");
    }
    return true;
}

static bool child_leaves(struct talk *k, int64_t pid, struct err *e)
{
    struct reply r;
    if (!talk__next(k, FRAME_EXITED, &r, e))
        return false;
    if (json_get_i64(r.body, "pid", 0) != pid || json_get_i64(r.body, "signal", -1) != 0 ||
        json_get_i64(r.body, "code", -1) != 0)
        return err_set(e, ERR_DATA,
                       "exited of pid %lld, signal %lld, code %lld; expected %lld, 0, 0",
                       (long long)json_get_i64(r.body, "pid", 0),
                       (long long)json_get_i64(r.body, "signal", -1),
                       (long long)json_get_i64(r.body, "code", -1), (long long)pid);
    return true;
}

/* Greetings -------------------------------------------------------------------------------------*/

static bool take_hello(struct talk *k, struct reply *r, struct err *e)
{
    int64_t protocol, pid, tasks;
    struct str text;
    if (!talk__next(k, FRAME_HELLO, r, e) || !json_need_i64(r->body, "protocol", &protocol, e) ||
        !json_need_str(r->body, "name", &text, e) || !json_need_str(r->body, "version", &text, e) ||
        !json_need_i64(r->body, "pid", &pid, e) || !json_need_i64(r->body, "tasks", &tasks, e))
        return false;
    if (protocol != PROTOCOL_NUMBER)
        return err_set(e, ERR_DATA, "the hello names protocol %lld, this program speaks %d",
                       (long long)protocol, PROTOCOL_NUMBER);
    return pid == process_pid(k->process) ||
           err_set(e, ERR_DATA, "the hello names process %lld, the worker is process %d",
                   (long long)pid, process_pid(k->process));
}

struct welcome {
    int protocol;
    int64_t batch;
    bool strange;
};

static bool send_welcome(struct trial *t, struct talk *k, struct welcome how, struct err *e)
{
    const struct target *target = t->o->target;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_i64(&w, "protocol", how.protocol);
    json_pair_cstr(&w, "scratch", scratch_path(t->scratch));
    json_pair_cstr(&w, "results", path_join(&t->arena, scratch_path(t->scratch), results));
    json_pair_i64(&w, "batch", how.batch);
    json_pair_i64(&w, "tasks", target ? target_n_tasks(target->installation) : 1);
    if (how.strange)
        put_strange_keys(&w);
    json_end_object(&w);
    bool ok = talk__send(k, FRAME_WELCOME, 0, strbuf_str(&text), e);
    strbuf_done(&text);
    return ok;
}

static bool greet(struct trial *t, struct talk *k, struct err *e)
{
    struct reply r;
    return take_hello(k, &r, e) &&
           send_welcome(t, k, (struct welcome){PROTOCOL_NUMBER, t->batch, false}, e);
}

/* Checks ----------------------------------------------------------------------------------------*/

static const struct order good = {good_model, EXPECT_OK, false, false};

static bool check_hello(struct trial *t, struct talk *k, struct err *e)
{
    struct reply r;
    if (!take_hello(k, &r, e))
        return false;
    if (!t->o->target && json_get_i64(r.body, "tasks", 1) > 1)
        t->batch = 0; /* it does not fork; of a target the description says so */
    return true;
}

static bool check_protocol(struct trial *t, struct talk *k, struct err *e)
{
    struct reply r;
    return take_hello(k, &r, e) &&
           send_welcome(t, k, (struct welcome){WRONG_PROTOCOL, t->batch, false}, e) &&
           send_run(t, k, &good, e) && talk__ends(k, e);
}

static bool check_good(struct trial *t, struct talk *k, struct err *e)
{
    int64_t pid;
    return greet(t, k, e) && run_case(t, k, &good, &pid, e);
}

static bool check_strange_keys(struct trial *t, struct talk *k, struct err *e)
{
    struct order strange = {good_model, EXPECT_OK, false, true};
    struct reply r;
    int64_t pid;
    return take_hello(k, &r, e) &&
           send_welcome(t, k, (struct welcome){PROTOCOL_NUMBER, t->batch, true}, e) &&
           run_case(t, k, &strange, &pid, e);
}

static bool check_sequence(struct trial *t, struct talk *k, struct err *e)
{
    int64_t first, next;
    if (!greet(t, k, e) || !run_case(t, k, &good, &first, e))
        return false;
    for (int i = 0; i < 2; i++) {
        if (!run_case(t, k, &good, &next, e))
            return err_wrap(e, "case %d", i + 2);
        if (next != first)
            return err_set(e, ERR_DATA, "case %d is run by another process, within a batch", i + 2);
    }
    return true;
}

static bool refuses(struct trial *t, struct talk *k, const struct order *bad, struct err *e)
{
    int64_t pid;
    if (!greet(t, k, e) || !run_case(t, k, bad, &pid, e))
        return false;
    return run_case(t, k, &good, &pid, e) || err_wrap(e, "a good case after it");
}

static bool check_no_model(struct trial *t, struct talk *k, struct err *e)
{
    return refuses(t, k, &(struct order){broken_model, EXPECT_FAILURE, false, false}, e);
}

/* A converter may leave unknown operators as they are. */
static bool check_unknown_operator(struct trial *t, struct talk *k, struct err *e)
{
    struct order bad = {unknown_model, EXPECT_FAILURE, false, false};
    if (t->work == TARGET_CONVERTS)
        bad.expected = EXPECT_EITHER;
    return refuses(t, k, &bad, e);
}

static bool check_alone(struct trial *t, struct talk *k, struct err *e)
{
    struct order alone = {good_model, EXPECT_OK, true, false};
    int64_t first, second;
    if (!greet(t, k, e) || !run_case(t, k, &alone, &first, e) || !child_leaves(k, first, e) ||
        !run_case(t, k, &alone, &second, e) || !child_leaves(k, second, e))
        return false;
    return first != second ||
           err_set(e, ERR_DATA, "both cases ran in the process %lld", (long long)first);
}

static bool check_bye_child(struct trial *t, struct talk *k, struct err *e)
{
    int64_t pid;
    struct str body = STR("{\"child\":true}");
    return greet(t, k, e) && talk__send(k, FRAME_BYE, t->seq, body, e) && /* no child yet */
           run_case(t, k, &good, &pid, e) && talk__send(k, FRAME_BYE, t->seq, body, e) &&
           child_leaves(k, pid, e) && run_case(t, k, &good, &pid, e);
}

static bool check_no_children(struct trial *t, struct talk *k, struct err *e)
{
    struct reply r;
    int64_t pid;
    if (!take_hello(k, &r, e) ||
        !send_welcome(t, k, (struct welcome){PROTOCOL_NUMBER, 0, false}, e))
        return false;
    for (int i = 0; i < 2; i++) {
        if (!run_case(t, k, &good, &pid, e))
            return false;
        if (pid != process_pid(k->process))
            return err_set(e, ERR_DATA, "a child ran the case, though batch is 0");
    }
    return true;
}

static bool check_bye(struct trial *t, struct talk *k, struct err *e)
{
    int64_t pid;
    struct order alone = {good_model, EXPECT_OK, true, false};
    if (!greet(t, k, e) || !run_case(t, k, &alone, &pid, e) ||
        (t->batch && !child_leaves(k, pid, e)) || !talk__send(k, FRAME_BYE, t->seq, STR("{}"), e) ||
        !talk__ends(k, e))
        return false;
    return (k->end.exited && k->end.exit_code == 0) ||
           err_set(e, ERR_DATA, "it exits with code %d, signal %d", k->end.exit_code, k->end.signo);
}

static bool check_hang_up(struct trial *t, struct talk *k, struct err *e)
{
    int64_t pid;
    if (!greet(t, k, e) || !run_case(t, k, &good, &pid, e))
        return false;
    talk__hang_up(k);
    return talk__ends(k, e);
}

static bool check_half_frame(struct trial *t, struct talk *k, struct err *e)
{
    static const unsigned char half[] = {40, 0, 0, 0, FRAME_RUN, 0, 0, 0, 1, 0, 0, 0, '{'};
    if (!greet(t, k, e))
        return false;
    talk__send_bytes(k, half, sizeof half);
    while (stream_n_unsent(k->stream))
        if (!loop_turn(k->loop, LOOP_MS, e))
            return false;
    talk__hang_up(k);
    return talk__ends(k, e);
}

static bool check_huge_frame(struct trial *t, struct talk *k, struct err *e)
{
    static const unsigned char huge[] = {255, 255, 255, 127, FRAME_RUN, 0, 0, 0, 1, 0, 0, 0};
    if (!greet(t, k, e))
        return false;
    talk__send_bytes(k, huge, sizeof huge);
    return talk__ends(k, e);
}

static const struct {
    const char *name;
    bool (*check)(struct trial *t, struct talk *k, struct err *e);
    bool needs_fork;
} checks[] = {
    {"says hello", check_hello, false},
    {"runs a good model: every mode, set and repeat in order", check_good, false},
    {"does not serve a welcome in another protocol", check_protocol, false},
    {"ignores keys that it does not know", check_strange_keys, false},
    {"runs case after case in one process", check_sequence, false},
    {"reports a file that is no model, and goes on", check_no_model, false},
    {"reports an operator that does not exist, and goes on", check_unknown_operator, false},
    {"runs a case alone in a child, and reports how it ended", check_alone, true},
    {"bye to the child: only the child exits", check_bye_child, true},
    {"runs cases itself where batch is 0", check_no_children, false},
    {"exits on bye", check_bye, false},
    {"exits when the socket closes", check_hang_up, false},
    {"exits on half a frame", check_half_frame, false},
    {"exits on a frame beyond the limit", check_huge_frame, false},
};

/* The trial -------------------------------------------------------------------------------------*/

static bool choose_worker(struct trial *t, struct err *e)
{
    struct arena *a = &t->arena;
    const char *files = NULL, *self;
    t->start.argv = t->o->argv;
    t->work = t->o->work;
    t->batch = POOL_BATCH;
    if (!t->o->target)
        return process_find_program(t->o->argv[0], a, &t->start.program, e);
    const struct target_installation *i = t->o->target->installation;
    const struct target_description *d = i->description;
    t->work = d->work;
    t->batch = d->fork == TARGET_FORK_NEVER ? 0 : d->fork == TARGET_FORK_CASE ? 1 : POOL_BATCH;
    bool is_native = str_is(d->worker, "native");
    if (!probe_self(a, &self, e) || (!is_native && !python__extract(t->o->home, a, &files, e)))
        return false;
    if (is_native && sandbox_is_sanitized())
        t->start.memory_bytes = 0;
    t->start.argv = launch__arguments(i, self, files, a);
    t->start.program = launch__program(i, self, a);
    return true;
}

static bool run_check(struct trial *t, size_t at, struct err *e)
{
    struct talk k;
    bool ok = talk__open(&k, &t->start, e) && checks[at].check(t, &k, e);
    talk__close(&k);
    return ok;
}

bool trial_run(const struct trial_options *o, struct trial_result *out, struct err *e)
{
    struct trial t = {.o = o};
    *out = (struct trial_result){0};
    arena_init(&t.arena);
    t.start.deadline_ms = o->deadline_ms ? o->deadline_ms : DEADLINE_MS;
    t.start.memory_bytes = o->memory_bytes ? o->memory_bytes : MEMORY_BYTES;
    bool ok = scratch_open(&t.scratch, e) && put_files(&t, e) && choose_worker(&t, e);
    t.start.scratch = t.scratch;
    for (size_t i = 0; ok && i < COUNT_OF(checks); i++) {
        struct err why = {0};
        if (checks[i].needs_fork && t.batch == 0)
            continue;
        bool passed = run_check(&t, i, &why);
        out->n_passed += passed;
        out->n_failed += !passed;
        o->tell(o->ctx, checks[i].name, passed ? NULL : why.text);
        if (!passed && (o->first_failure || i == 0)) /* no hello: nothing to test */
            break;
    }
    scratch_close(t.scratch);
    arena_done(&t.arena);
    return ok;
}
