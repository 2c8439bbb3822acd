/*
 * The double's side of the worker protocol, as in target/worker_ort.c: a warm process that forks a
 * child for each batch of cases. Must not know what is planted: the caller decides that. A broken
 * frame or a full disk ends the process with code 70.
 */
#include "double/double.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "os/fork.h"
#include "os/inside.h"
#include "os/scratch.h"
#include "target/pack_p.h"
#include "target/protocol.h"
#include "target/worker.h"

enum { FILE_BYTES_MAX = 1 << 30, BROKEN = 70 };

struct server {
    double_fault_fn decide;
    int fd;
    uint32_t seq; /* of the frame that is answered */
    int64_t batch;
    struct scratch *scratch, *results;
};

struct order {
    const struct json *root, *outputs, *sets, *modes;
    const char *folder, *prefix;
    struct str disabled;
    struct model *m;
    struct tensors *inputs;
};

bool double_has_optimizer(const struct double_run *run, const char *name)
{
    struct str rest = run->disabled, one;
    while (str_split(&rest, ';', &one))
        if (str_is(one, name))
            return false;
    return true;
}

bool double_register(const char *home, const char *engine, const char *version, struct err *e)
{
    struct arena a;
    struct strbuf text = {0};
    arena_init(&a);
    const char *dir = path_join(&a, home, "targets");
    const char *path = path_join(&a, dir, arena_printf(&a, "%s@%s.json", engine, version));
    /* any file will do as its library: the double does not open it */
    strbuf_printf(&text,
                  "{\"engine\": \"%s\", \"version\": \"%s\", \"python\": \"/usr/bin/python3\", "
                  "\"library\": \"/bin/true\", \"roots\": [], \"probe\": {}}",
                  engine, version);
    bool ok = file_make_dirs(dir, e) && file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    arena_done(&a);
    return ok;
}

static bool get_file(const struct server *s, const struct order *o, struct str name,
                     struct arena *a, struct str *out, struct err *e)
{
    const char *path = arena_printf(a, "%s/" STR_FMT, o->folder, STR_ARG(name));
    return scratch_get(s->scratch, path, FILE_BYTES_MAX, a, out, e);
}

static bool read_set(const struct server *s, const struct order *o, size_t at, struct arena *a,
                     struct err *e)
{
    const struct json *set = &o->sets->items[at];
    struct str bytes;
    return get_file(s, o, json_get_str(set, "file", STR("")), a, &bytes, e) &&
           pack__read(json_get(set, "tensors"), bytes, a, &o->inputs[at], e);
}

static bool read_order(const struct server *s, struct str body, struct arena *a, struct order *o,
                       struct err *e)
{
    struct str bytes;
    struct strbuf disabled = {0};
    if (!json_parse(body, "run", a, &o->root, e) ||
        !json_need(o->root, "outputs", JSON_KIND_ARRAY, &o->outputs, e) ||
        !json_need(o->root, "sets", JSON_KIND_ARRAY, &o->sets, e) ||
        !json_need(o->root, "modes", JSON_KIND_ARRAY, &o->modes, e))
        return false;
    o->folder = str_dup(a, json_get_str(o->root, "folder", STR("")));
    o->prefix = str_dup(a, json_get_str(o->root, "prefix", STR("")));
    const struct json *list = json_get(o->root, "disable");
    for (size_t i = 0; list && i < list->n; i++)
        strbuf_printf(&disabled, STR_FMT ";", STR_ARG(list->items[i].string));
    o->disabled = strbuf_dup(&disabled, a);
    strbuf_done(&disabled);
    if (!get_file(s, o, json_get_str(o->root, "model", STR("")), a, &bytes, e) ||
        !model_read(bytes, NULL, a, &o->m, e) || !infer_model(o->m, e))
        return false;
    o->inputs = arena_new_array(a, struct tensors, o->sets->n);
    for (size_t i = 0; i < o->sets->n; i++)
        if (!read_set(s, o, i, a, e))
            return false;
    return true;
}

static void put_exception(struct json_out *w, const char *type, const char *text)
{
    json_pair_cstr(w, "outcome", "exception");
    json_pair_cstr(w, "type", type ? type : "FAIL");
    json_pair_cstr(w, "message", text);
    json_pair_cstr(w, "module", "native");
}

/* The element-wise successor of a value: what the faulty kernel gives. */
static struct value made_wrong(const struct value *right, struct arena *a)
{
    struct value wrong = *right;
    double *f = arena_new_array(a, double, right->n);
    int64_t *i = arena_new_array(a, int64_t, right->n);
    uint8_t *b = arena_new_array(a, uint8_t, right->n);
    for (size_t k = 0; k < right->n; k++) {
        f[k] = right->storage == STORAGE_F64 ? right->f[k] + 1 + right->f[k] / 2 : 0;
        i[k] = right->storage == STORAGE_I64 ? right->i[k] ^ 1 : 0;
        b[k] = right->storage == STORAGE_BOOL ? !right->b[k] : 0;
    }
    if (right->storage == STORAGE_F64)
        wrong.f = f;
    else if (right->storage == STORAGE_I64)
        wrong.i = i;
    else if (right->storage == STORAGE_BOOL)
        wrong.b = b;
    return wrong;
}

static bool eval_wrong(const struct order *o, const struct tensors *inputs, uint32_t at,
                       struct arena *a, struct eval_result *r, struct err *e)
{
    struct value *given = arena_new_array(a, struct value, r->n_values);
    given[at] = made_wrong(&r->values[at], a);
    return eval_run(o->m, inputs, &(struct eval_options){.given = given}, a, r, e);
}

static bool put_outputs(const struct order *o, const struct eval_result *r, struct pack *pack,
                        struct arena *a, struct json_out *w, struct err *e)
{
    struct tensors out = {arena_new_array(a, struct named_tensor, o->outputs->n), o->outputs->n};
    for (size_t i = 0; i < out.n; i++) {
        uint32_t at = graph_find_value(o->m->graph, o->outputs->items[i].string);
        out.at[i].name = o->outputs->items[i].string;
        if (at == VALUE_NONE || !value_to_tensor(&r->values[at], a, &out.at[i].tensor, e))
            return false;
    }
    json_pair_cstr(w, "outcome", "ok");
    json_key(w, "tensors");
    pack__tensors(&out, pack, a, w);
    return true;
}

static bool run_set(const struct server *s, const struct order *o, const struct json *mode,
                    size_t set, struct pack *pack, struct arena *a, struct json_out *w)
{
    struct eval_result r;
    struct err e;
    struct double_fault fault = {0};
    if (!eval_run(o->m, &o->inputs[set], &(struct eval_options){0}, a, &r, &e)) {
        put_exception(w, "NOT_IMPLEMENTED", "NOT_IMPLEMENTED : beyond the double");
        return true;
    }
    const struct double_run run = {
        .m = o->m,
        .level = json_get_i64(json_get(mode, "options"), "level", 0),
        .disabled = o->disabled,
        .right = r.values,
    };
    s->decide(&run, &fault);
    if (fault.refusal[0]) {
        put_exception(w, fault.type, fault.refusal);
        return true;
    }
    return (!fault.is_wrong || eval_wrong(o, &o->inputs[set], fault.wrong_at, a, &r, &e)) &&
           put_outputs(o, &r, pack, a, w, &e);
}

static bool send(const struct server *s, unsigned kind, struct strbuf *body, struct err *e)
{
    bool ok = frame_write(s->fd, kind, s->seq, strbuf_str(body), e);
    strbuf_done(body);
    return ok;
}

static bool run_mode(const struct server *s, const struct order *o, size_t at, struct arena *a,
                     struct err *e)
{
    struct strbuf text = {0};
    struct pack pack = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    char *name = arena_printf(a, "%sout%zu.bin", o->prefix, at);
    int64_t n_repeats = json_get_i64(o->root, "repeats", 1);
    json_begin_object(&w);
    json_pair_u64(&w, "mode", at);
    json_key(&w, "runs");
    json_begin_array(&w);
    for (size_t set = 0; set < o->sets->n; set++)
        for (int64_t repeat = 0; repeat < n_repeats; repeat++) {
            json_begin_object(&w);
            json_pair_u64(&w, "set", set);
            json_pair_i64(&w, "repeat", repeat);
            if (!run_set(s, o, &o->modes->items[at], set, &pack, a, &w))
                return err_set(e, ERR_INTERNAL, "the double has no value");
            json_end_object(&w);
        }
    json_end_array(&w);
    json_pair_cstr(&w, "file", name);
    json_pair_u64(&w, "peak_bytes", fork_usage().peak_bytes);
    json_end_object(&w);
    return (!pack.n_bytes || scratch_put(s->results, name, pack.parts.at, pack.parts.n, e)) &&
           send(s, FRAME_RESULT, &text, e);
}

static bool run_case(struct server *s, const struct frame *frame, struct arena *a, bool *alone,
                     struct err *e)
{
    struct order o = {0};
    struct strbuf text = {0};
    s->seq = frame->seq;
    strbuf_printf(&text, "{\"pid\":%d}", fork_self());
    if (!send(s, FRAME_STARTED, &text, e) || !read_order(s, frame->body, a, &o, e))
        return false;
    *alone = json_get_bool(o.root, "alone", false);
    for (size_t i = 0; i < o.modes->n; i++)
        if (!run_mode(s, &o, i, a, e))
            return false;
    return true;
}

static int run_batch(struct server *s, const struct frame *first)
{
    struct arena a;
    struct err e;
    struct frame frame = *first;
    bool alone = false;
    arena_init(&a);
    for (int64_t n = 1;; n++) {
        if (!run_case(s, &frame, &a, &alone, &e))
            return BROKEN;
        arena_reset(&a);
        if (alone || n == s->batch)
            return 0;
        if (!frame_read(s->fd, FRAME_KIND_COUNT, &a, &frame, &e) || frame.kind != FRAME_RUN)
            return 0;
    }
}

static bool run_in_child(struct server *s, const struct frame *frame, struct err *e)
{
    int pid;
    struct process_end end;
    struct strbuf text = {0};
    s->seq = frame->seq;
    if (!fork_child(&pid, e))
        return false;
    if (pid == 0)
        fork_exit(run_batch(s, frame));
    if (!fork_wait(pid, &end, e))
        return false;
    strbuf_printf(&text, "{\"pid\":%d,\"code\":%d,\"signal\":%d}", pid, end.exit_code, end.signo);
    return send(s, FRAME_EXITED, &text, e);
}

static bool greet(struct server *s, struct arena *a, struct err *e)
{
    struct strbuf text = {0};
    struct frame frame;
    const struct json *root;
    strbuf_printf(&text,
                  "{\"protocol\":%d,\"name\":\"double\",\"version\":\"1\",\"pid\":%d,\"tasks\":1,"
                  "\"capabilities\":[\"fork\",\"disable\"]}",
                  PROTOCOL_NUMBER, fork_self());
    if (!send(s, FRAME_HELLO, &text, e) || !frame_read(s->fd, FRAME_KIND_COUNT, a, &frame, e) ||
        !json_parse(frame.body, "welcome", a, &root, e))
        return false;
    s->batch = json_get_i64(root, "batch", 1);
    return scratch_attach(str_dup(a, json_get_str(root, "scratch", STR(""))), &s->scratch, e) &&
           scratch_attach(str_dup(a, json_get_str(root, "results", STR(""))), &s->results, e);
}

static int serve(double_fault_fn decide, int fd)
{
    struct server s = {.decide = decide, .fd = fd};
    struct arena a;
    struct frame frame;
    struct err e;
    arena_init(&a);
    bool ok = greet(&s, &a, &e);
    while (ok && frame_read(fd, FRAME_KIND_COUNT, &a, &frame, &e)) {
        if (frame.kind == FRAME_RUN)
            ok = run_in_child(&s, &frame, &e);
        else if (frame.kind == FRAME_BYE && str_find(frame.body, STR("true")) == frame.body.n)
            break; /* a bye with "child": true is for a child that has ended already */
        arena_reset(&a);
    }
    scratch_close(s.results);
    scratch_close(s.scratch);
    arena_done(&a);
    return ok ? 0 : BROKEN;
}

bool double_child(int argc, char **argv, double_fault_fn decide, int *code)
{
    if (inside_main(argc, argv, code))
        return true;
    if (argc != 4 || strcmp(argv[1], "worker") != 0 || strcmp(argv[2], "ort") != 0)
        return false;
    *code = serve(decide, WORKER_FD);
    return true;
}
