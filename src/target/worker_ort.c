/*
 * The native worker: serves cases on ONNX Runtime over the protocol. It opens the library once and
 * forks a child for each batch of cases, so that the warm process never loads a case's model; the
 * child reads further cases from the same descriptor until its batch is over. Must not know pools.
 * Invariant: exactly one of the two reads the descriptor at any time; a failure inside the engine
 * is a result, one around it ends the child with a code.
 */
#include "base/clock.h"
#include "base/json.h"
#include "base/path.h"
#include "onnx/io.h"
#include "os/fork.h"
#include "os/probe.h"
#include "os/scratch.h"
#include "target/ort_p.h"
#include "target/pack_p.h"
#include "target/protocol.h"
#include "target/tiny_p.h"
#include "target/worker.h"

enum { MODEL_FILE_MAX = INT32_MAX, TEXT_MAX = 16 << 10, TASK_END_MS = 5000, EXIT_BROKEN = 70 };

struct worker {
    int fd;
    struct ort ort;
    struct scratch *scratch; /* cases */
    struct scratch *results;
    struct arena arena;
    struct scratch *own;   /* holds results, and what cases leave behind */
    struct file_list made; /* what it held before the first case */
    int64_t batch;
    uint32_t seq; /* of the frame that is answered */
};

/* A run frame, taken apart. */
struct order {
    const char *folder, *prefix;
    struct str model;
    const char **outputs;
    size_t n_outputs;
    struct tensors *sets;
    size_t n_sets;
    const struct json *modes;
    int64_t repeats;
    bool dump, alone;
    const char *disabled; /* separated by ';'; NULL: none */
};

/* The result of one mode: the frame that is being built. */
struct answer {
    struct strbuf text;
    struct json_out w;
    struct pack pack;
};

static bool send(const struct worker *worker, unsigned kind, const struct strbuf *body,
                 struct err *e)
{
    return frame_write(worker->fd, kind, worker->seq, strbuf_str(body), e);
}

static bool read_set(const struct worker *worker, const struct order *order, const struct json *j,
                     struct arena *a, struct tensors *out, struct err *e)
{
    const struct json *list;
    struct str file, bytes;
    return json_need_str(j, "file", &file, e) &&
           json_need(j, "tensors", JSON_KIND_ARRAY, &list, e) &&
           scratch_get(worker->scratch,
                       arena_printf(a, "%s/" STR_FMT, order->folder, STR_ARG(file)), MODEL_FILE_MAX,
                       a, &bytes, e) &&
           pack__read(list, bytes, a, out, e);
}

static const char **text_list(const struct json *list, struct arena *a)
{
    const char **texts = arena_new_array(a, const char *, list->n);
    for (size_t i = 0; i < list->n; i++)
        texts[i] = str_dup(a, list->items[i].string);
    return texts;
}

static const char *joined(const struct json *list, struct arena *a)
{
    char *text = NULL;
    for (size_t i = 0; list && i < list->n; i++)
        text = arena_printf(a, "%s%s" STR_FMT, text ? text : "", text ? ";" : "",
                            STR_ARG(list->items[i].string));
    return text;
}

static bool read_order(const struct worker *worker, struct str body, struct arena *a,
                       struct order *out, struct err *e)
{
    const struct json *root, *outputs, *sets;
    struct str folder, model;
    if (!json_parse(body, "run", a, &root, e) || !json_need_str(root, "folder", &folder, e) ||
        !json_need_str(root, "model", &model, e) ||
        !json_need(root, "outputs", JSON_KIND_ARRAY, &outputs, e) ||
        !json_need(root, "sets", JSON_KIND_ARRAY, &sets, e) ||
        !json_need(root, "modes", JSON_KIND_ARRAY, &out->modes, e))
        return false;
    out->folder = str_dup(a, folder);
    out->prefix = str_dup(a, json_get_str(root, "prefix", STR("")));
    out->outputs = text_list(outputs, a);
    out->n_outputs = outputs->n;
    out->sets = arena_new_array(a, struct tensors, sets->n);
    out->n_sets = sets->n;
    out->repeats = json_get_i64(root, "repeats", 1);
    out->dump = json_get_bool(root, "dump", false);
    out->alone = json_get_bool(root, "alone", false);
    out->disabled = joined(json_get(root, "disable"), a);
    for (size_t i = 0; i < sets->n; i++)
        if (!read_set(worker, out, &sets->items[i], a, &out->sets[i], e))
            return false;
    return scratch_get(worker->scratch, arena_printf(a, "%s/" STR_FMT, out->folder, STR_ARG(model)),
                       MODEL_FILE_MAX, a, &out->model, e);
}

static struct ort_mode read_mode(const struct order *order, const struct json *j)
{
    const struct json *options = json_get(j, "options");
    return (struct ort_mode){
        .level = (int)json_get_i64(options, "level", ORT_LEVEL_ALL),
        .n_threads = (int)json_get_i64(j, "threads", 1),
        .disabled = order->disabled,
    };
}

static void put_failure(struct json_out *w, const struct ort_failure *failure)
{
    struct str text = str_of(failure->text);
    json_pair_cstr(w, "outcome", "exception");
    json_pair_cstr(w, "type", failure->type);
    json_pair_str(w, "message", str_sub(text, 0, TEXT_MAX));
    json_pair_cstr(w, "module", "native");
}

struct stopwatch {
    int64_t wall_ns, cpu_ns;
};

static struct stopwatch start_watch(void)
{
    return (struct stopwatch){clock_now_ns(), clock_cpu_ns()};
}

static void put_usage(struct json_out *w, struct stopwatch from)
{
    json_pair_i64(w, "wall_ns", clock_now_ns() - from.wall_ns);
    json_pair_i64(w, "cpu_ns", clock_cpu_ns() - from.cpu_ns);
}

static void begin_run(struct json_out *w, size_t set, int64_t repeat)
{
    json_begin_object(w);
    json_pair_u64(w, "set", set);
    json_pair_i64(w, "repeat", repeat);
}

/* A session that cannot be made fails every run of the mode. */
static void put_all_failed(const struct order *order, const struct ort_failure *failure,
                           struct stopwatch from, struct json_out *w)
{
    for (size_t set = 0; set < order->n_sets; set++)
        for (int64_t repeat = 0; repeat < order->repeats; repeat++) {
            begin_run(w, set, repeat);
            put_failure(w, failure);
            put_usage(w, from);
            json_end_object(w);
        }
}

/* The engine's values are copied: they live only until the next run, but the file is written after
 * the last. */
static void put_outputs(struct answer *answer, const struct tensors *outputs, struct arena *a)
{
    struct tensors copies = {arena_new_array(a, struct named_tensor, outputs->n), outputs->n};
    for (size_t i = 0; i < outputs->n; i++) {
        copies.at[i] = outputs->at[i];
        const struct tensor *t = &outputs->at[i].tensor;
        if (t->dtype != DTYPE_STRING)
            copies.at[i].tensor.data = arena_dup(a, t->data, dtype_size(t->dtype, t->n));
    }
    json_pair_cstr(&answer->w, "outcome", "ok");
    json_key(&answer->w, "tensors");
    pack__tensors(&copies, &answer->pack, a, &answer->w);
}

static void run_once(const struct worker *worker, const struct order *order,
                     struct ort_session *session, const struct tensors *inputs, struct arena *a,
                     struct answer *answer)
{
    struct ort_feed feed;
    struct ort_outputs outputs = {0};
    struct ort_failure failure;
    struct stopwatch from = start_watch();
    bool ok = ort__feed(&worker->ort, inputs, a, &feed, &failure) &&
              ort__run(&worker->ort, session, &feed, order->outputs, order->n_outputs, a, &outputs,
                       &failure);
    put_usage(&answer->w, from);
    if (ok)
        put_outputs(answer, &outputs.tensors, a);
    else
        put_failure(&answer->w, &failure);
    ort__outputs_done(&worker->ort, &outputs);
    ort__feed_done(&worker->ort, &feed);
}

static void run_sets(const struct worker *worker, const struct order *order,
                     struct ort_session *session, struct arena *a, struct answer *answer)
{
    for (size_t set = 0; set < order->n_sets; set++)
        for (int64_t repeat = 0; repeat < order->repeats; repeat++) {
            begin_run(&answer->w, set, repeat);
            run_once(worker, order, session, &order->sets[set], a, answer);
            json_end_object(&answer->w);
        }
}

/* The optimised model is written by a session of its own, so that the one that runs is not
 * affected. */
static void dump_optimised(const struct worker *worker, const struct order *order,
                           struct ort_mode mode, size_t at, struct arena *a, struct json_out *w)
{
    struct ort_session *session;
    struct ort_failure ignored;
    char *name = arena_printf(a, "%soptimised%zu.onnx", order->prefix, at);
    mode.dump = path_join(a, scratch_path(worker->results), name);
    if (!ort__load(&worker->ort, order->model, &mode, a, &session, &ignored))
        return;
    worker->ort.call.release_session(session);
    json_pair_cstr(w, "dump", name);
}

static bool run_mode(const struct worker *worker, const struct order *order, size_t at,
                     struct arena *a, struct err *e)
{
    struct answer answer = {0};
    struct ort_mode mode = read_mode(order, &order->modes->items[at]);
    struct ort_session *session = NULL;
    struct ort_failure failure;
    struct stopwatch from = start_watch();
    char *name = arena_printf(a, "%sout%zu.bin", order->prefix, at);
    answer.w = json_open(&answer.text, JSON_COMPACT);
    json_begin_object(&answer.w);
    json_pair_u64(&answer.w, "mode", at);
    json_key(&answer.w, "runs");
    json_begin_array(&answer.w);
    bool loaded = ort__load(&worker->ort, order->model, &mode, a, &session, &failure);
    if (loaded)
        run_sets(worker, order, session, a, &answer);
    else
        put_all_failed(order, &failure, from, &answer.w);
    json_end_array(&answer.w);
    if (loaded)
        worker->ort.call.release_session(session);
    if (loaded && order->dump)
        dump_optimised(worker, order, mode, at, a, &answer.w);
    json_pair_cstr(&answer.w, "file", name);
    json_pair_u64(&answer.w, "peak_bytes", fork_usage().peak_bytes);
    json_end_object(&answer.w);
    bool ok = (!answer.pack.n_bytes ||
               scratch_put(worker->results, name, answer.pack.parts.at, answer.pack.parts.n, e)) &&
              send(worker, FRAME_RESULT, &answer.text, e);
    strbuf_done(&answer.text);
    return ok;
}

static bool say_started(const struct worker *worker, struct err *e)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "{\"pid\":%d}", fork_self());
    bool ok = send(worker, FRAME_STARTED, &text, e);
    strbuf_done(&text);
    return ok;
}

static bool run_case(struct worker *worker, const struct frame *frame, struct arena *a, bool *alone,
                     struct err *e)
{
    struct order order = {0};
    worker->seq = frame->seq;
    if (!say_started(worker, e) || !read_order(worker, frame->body, a, &order, e))
        return false;
    *alone = order.alone;
    for (size_t i = 0; i < order.modes->n; i++) {
        struct arena_mark mark = arena_mark(a);
        if (!run_mode(worker, &order, i, a, e))
            return false;
        arena_return(a, mark);
    }
    return true;
}

/* Something around the engine is broken (a full disk, a wrong frame): tells the pool. The process
 * ends. */
static int give_up(const struct worker *worker, const struct err *failure)
{
    struct strbuf text = {0};
    struct err ignored;
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "type", err_code_name(failure->code));
    json_pair_cstr(&w, "message", failure->text);
    json_end_object(&w);
    if (!send(worker, FRAME_ERROR, &text, &ignored))
        err_clear(&ignored);
    strbuf_done(&text);
    return EXIT_BROKEN;
}

/* The child: runs this frame, then others until the batch is over. Returns the exit code. */
static int run_batch(struct worker *worker, const struct frame *first)
{
    struct arena a;
    struct err e;
    struct frame frame = *first;
    bool alone = false;
    arena_init(&a);
    for (int64_t n = 1;; n++) {
        if (!run_case(worker, &frame, &a, &alone, &e))
            return give_up(worker, &e);
        arena_reset(&a);
        if (alone || n == worker->batch)
            return 0;
        if (!frame_read(worker->fd, FRAME_KIND_COUNT, &a, &frame, &e))
            return e.code == ERR_NONE ? 0 : give_up(worker, &e);
        if (frame.kind != FRAME_RUN)
            return 0;
    }
}

static bool say_exited(const struct worker *worker, int pid, const struct process_end *end,
                       struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_i64(&w, "pid", pid);
    json_pair_i64(&w, "code", end->exit_code);
    json_pair_i64(&w, "signal", end->signo);
    json_pair_i64(&w, "cpu_ns", end->usage.cpu_ns);
    json_pair_u64(&w, "peak_bytes", end->usage.peak_bytes);
    json_end_object(&w);
    bool ok = send(worker, FRAME_EXITED, &text, e);
    strbuf_done(&text);
    return ok;
}

static bool run_in_child(struct worker *worker, const struct frame *frame, struct err *e)
{
    int pid;
    struct process_end end;
    worker->seq = frame->seq;
    if (!fork_child(&pid, e))
        return false;
    if (pid == 0)
        fork_exit(fork_report_crashes(e) ? run_batch(worker, frame) : EXIT_BROKEN);
    bool ok = fork_wait(pid, &end, e) && fork_end_orphans(e);
    if (ok)
        scratch_remove_others(worker->own, &worker->made);
    return ok && say_exited(worker, pid, &end, e);
}

static bool say_hello(const struct worker *worker, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_i64(&w, "protocol", PROTOCOL_NUMBER);
    json_pair_cstr(&w, "name", "ort");
    json_pair_cstr(&w, "version", worker->ort.version);
    json_pair_i64(&w, "pid", fork_self());
    json_pair_u64(&w, "tasks", probe_n_tasks(fork_self()));
    json_key(&w, "capabilities");
    json_begin_array(&w);
    json_put_cstr(&w, "fork");
    json_put_cstr(&w, "dump");
    json_put_cstr(&w, "disable");
    json_end_array(&w);
    json_end_object(&w);
    bool ok = send(worker, FRAME_HELLO, &text, e);
    strbuf_done(&text);
    return ok;
}

static bool take_welcome(struct worker *worker, struct arena *a, struct err *e)
{
    struct frame frame;
    const struct json *root;
    struct str scratch, results;
    int64_t protocol;
    if (!frame_read(worker->fd, FRAME_KIND_COUNT, a, &frame, e))
        return false;
    if (frame.kind != FRAME_WELCOME || !json_parse(frame.body, "welcome", a, &root, e) ||
        !json_need_i64(root, "protocol", &protocol, e) ||
        !json_need_str(root, "scratch", &scratch, e) ||
        !json_need_str(root, "results", &results, e) ||
        !json_need_i64(root, "batch", &worker->batch, e))
        return err_wrap(e, "welcome");
    if (protocol != PROTOCOL_NUMBER)
        return err_set(e, ERR_DATA, "the pool speaks protocol %lld, this worker %d",
                       (long long)protocol, PROTOCOL_NUMBER);
    return scratch_attach(str_dup(a, scratch), &worker->scratch, e) &&
           scratch_attach(str_dup(a, results), &worker->results, e) &&
           scratch_attach(str_dup(a, path_dir(results)), &worker->own, e);
}

/* false with ERR_NONE: the pool is done with this worker. */
static bool serve_one(struct worker *worker, struct arena *a, struct err *e)
{
    struct frame frame;
    bool alone;
    arena_reset(a);
    if (!frame_read(worker->fd, FRAME_KIND_COUNT, a, &frame, e))
        return false;
    if (frame.kind == FRAME_RUN)
        return worker->batch ? run_in_child(worker, &frame, e)
                             : run_case(worker, &frame, a, &alone, e);
    /* a bye to a child that had ended already */
    const struct json *body;
    if (frame.kind == FRAME_BYE && json_parse(frame.body, "bye", a, &body, e) &&
        json_get_bool(body, "child", false))
        return true;
    err_clear(e);
    return false;
}

/* A thread of the engine may hold a lock at a fork, which the child could then never take. A thread
 * that has just ended may be listed a moment longer. n_before: tasks before the engine was opened.
 */
static bool has_no_threads(uint32_t n_before, struct err *e)
{
    uint32_t n = probe_n_tasks(fork_self());
    for (int i = 0; n > n_before && i < TASK_END_MS; i++) {
        clock_sleep_ms(1);
        n = probe_n_tasks(fork_self());
    }
    return n <= n_before ||
           err_set(e, ERR_ENVIRONMENT, "%u threads before the first case: it cannot fork", n);
}

/* With its first session the engine builds tables of kernels and optimisers, which take longer than
 * a case: made here, every child inherits them. A failure here shows again in the cases. */
static bool make_tables(const struct ort *ort, struct arena *a, struct err *e)
{
    static const struct ort_mode mode = {.level = ORT_LEVEL_ALL, .n_threads = 1};
    struct model *m;
    struct strbuf bytes = {0};
    struct ort_session *session;
    struct ort_failure ignored;
    bool ok = tiny__model("Abs", a, &m, e) && model_write(m, true, &bytes, e);
    if (ok && ort__load(ort, strbuf_str(&bytes), &mode, a, &session, &ignored))
        ort->call.release_session(session);
    strbuf_done(&bytes);
    return ok;
}

int worker_ort_main(const char *library_path, int fd)
{
    struct worker worker = {.fd = fd};
    struct arena a;
    struct err e;
    arena_init(&a);
    arena_init(&worker.arena);
    uint32_t n_tasks = probe_n_tasks(fork_self()); /* an emulator has one of its own */
    bool ok = ort__open(library_path, &worker.ort, &e) && ort__begin(&worker.ort, &e) &&
              make_tables(&worker.ort, &a, &e) && has_no_threads(n_tasks, &e) &&
              say_hello(&worker, &e) && take_welcome(&worker, &a, &e);
    /* QEMU does not know the call; what a case leaves behind is then the sandbox's init's. */
    if (ok && !fork_adopt_orphans(&e)) {
        ok = n_tasks > 1;
        if (ok)
            err_clear(&e);
    }
    if (ok)
        scratch_list(worker.own, &worker.arena, &worker.made);
    while (ok)
        ok = serve_one(&worker, &a, &e);
    int code = e.code == ERR_NONE ? 0 : give_up(&worker, &e);
    scratch_close(worker.own);
    scratch_close(worker.results);
    arena_done(&worker.arena);
    scratch_close(worker.scratch);
    arena_done(&a);
    return code;
}
