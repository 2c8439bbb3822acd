/*
 * Decides what a run frame says and what a result frame means. Must not know processes. Invariant:
 * indices, names, files and shapes in a result are checked against the request; what does not fit
 * is ERR_DATA.
 */
#include "target/pool_p.h"

#include "base/path.h"
#include "onnx/io.h"
#include "target/pack_p.h"
#include "target/subject_p.h"

enum { HISTOGRAM_MAX = 256 };
#define RESULT_BYTES_MAX ((size_t)1 << 30)

static void put_modes(const struct job *job, size_t n_modes, struct json_out *w)
{
    json_key(w, "modes");
    json_begin_array(w);
    for (size_t i = 0; i < n_modes; i++) {
        const struct target_mode *mode = job->steps[job->step_at + i].mode;
        json_begin_object(w);
        json_pair_str(w, "name", mode->name);
        json_pair_i64(w, "threads", mode->n_threads);
        json_key(w, "options");
        json_put_json(w, mode->options);
        json_end_object(w);
    }
    json_end_array(w);
}

void job__write_body(struct job *job, size_t n_modes, bool alone, struct strbuf *out)
{
    const struct ticket *t = job->ticket;
    struct json_out w = json_open(out, JSON_COMPACT);
    char hex[HASH_HEX_SIZE], prefix[64];
    hash_to_hex(&t->request.c->id, hex);
    snprintf(prefix, sizeof prefix, "c%sj%ua%u-", t->folder, job->number, job->n_attempts++);
    json_begin_object(&w);
    json_pair_cstr(&w, "case", hex);
    json_pair_cstr(&w, "folder", t->folder);
    json_pair_cstr(&w, "prefix", prefix);
    json_pair_i64(&w, "repeats", t->n_repeats);
    json_pair_bool(&w, "dump", t->request.dump_rewrites);
    json_pair_bool(&w, "alone", alone);
    json_key(&w, "disable");
    json_begin_array(&w);
    for (size_t i = 0; i < t->request.n_disabled_optimizers; i++)
        json_put_cstr(&w, t->request.disabled_optimizers[i]);
    json_end_array(&w);
    put_modes(job, n_modes, &w);
    target__subject(t->request.c)->add_keys(job, &w);
    json_key(&w, "sets");
    json_put_raw(&w, t->sets_json);
    json_end_object(&w);
}

/* Puts the observation into every slot of the step. */
static void put_observation(struct job *job, const struct step *step, size_t set, uint32_t repeat,
                            const struct observation *seen)
{
    for (size_t i = 0; i < step->n_slots; i++) {
        struct observation *o = ticket__observation(job->ticket, step->slots[i], set, repeat);
        o->outcome = seen->outcome;
        o->signal = seen->signal;
        o->outputs = seen->outputs;
        o->inner = seen->inner;
        o->gradients = seen->gradients;
        o->usage = seen->usage;
        o->message = seen->message;
        o->rewrites = seen->rewrites;
        o->captures = seen->captures;
        o->reached = seen->reached;
    }
}

static void put_everywhere(struct job *job, const struct step *step, const struct observation *seen)
{
    for (size_t set = 0; set < job->ticket->n_sets; set++)
        for (uint32_t repeat = 0; repeat < job->ticket->n_repeats; repeat++)
            put_observation(job, step, set, repeat, seen);
}

void job__take_death(struct job *job, struct step *step, const struct death *death)
{
    struct observation seen = {0};
    outcome__of_death(death, job->ticket->request.arena, &seen);
    put_everywhere(job, step, &seen);
}

void job__refuse(struct job *job, struct step *step, enum outcome outcome, const char *type,
                 struct str text)
{
    struct arena *a = job->ticket->request.arena;
    struct observation seen = {
        .outcome = outcome,
        .message = {.raw = {str_dup(a, text), text.n},
                    .type = str_of(arena_strdup(a, type)),
                    .raised_by = RAISED_BY_FRAMEWORK},
    };
    put_everywhere(job, step, &seen);
}

static struct str kept_text(const struct json *j, const char *key, struct arena *a)
{
    struct str text = json_get_str(j, key, STR(""));
    text = str_sub(text, 0, POOL_MESSAGE_MAX);
    return (struct str){str_dup(a, text), text.n};
}

static bool read_file(const struct job *job, const struct json *result, const char *key,
                      struct arena *a, struct str *out, struct err *e)
{
    struct str name;
    if (!json_need_str(result, key, &name, e))
        return false;
    if (str_find_byte(name, '/') < name.n)
        return err_set(e, ERR_DATA, "a file outside the folder of results");
    const char *file = str_dup(&job->ticket->arena, name);
    /* A read that fails on our side says nothing about the worker: try once more before it is
     * blamed. */
    bool ok = scratch_get(job->results, file, RESULT_BYTES_MAX, a, out, e) ||
              (e->code == ERR_IO && scratch_get(job->results, file, RESULT_BYTES_MAX, a, out, e));
    scratch_remove(job->results, file);
    return ok;
}

static bool take_measures(const struct json *c, struct arena *a, struct capture *out, struct err *e)
{
    const struct json *j = json_get(c, "measures");
    if (!j || j->kind == JSON_KIND_NULL)
        return true;
    struct capture_measures *m = arena_new(a, struct capture_measures);
    struct str word = json_get_str(j, "differs", STR(""));
    if (!differs_find(word, &m->differs))
        return err_set(e, ERR_DATA, "no difference is called \"" STR_FMT "\"", STR_ARG(word));
    m->error = json_get_double(j, "error", 0);
    m->base_error = json_get_double(j, "base_error", 0);
    m->noise = json_get_double(j, "noise", 0);
    m->n_noise = (uint32_t)json_get_i64(j, "n_noise", 0);
    m->excess = json_get_double(j, "excess", 0);
    m->unit = json_get_double(j, "unit", 0);
    m->text = kept_text(j, "text", a);
    out->measures = m;
    return true;
}

/* Reads what each output of a program is. */
static bool take_captures(const struct job *job, const struct json *run, struct observation *seen,
                          struct err *e)
{
    struct arena *a = job->ticket->request.arena;
    const struct json *list;
    if (!json_need(run, "captures", JSON_KIND_ARRAY, &list, e))
        return false;
    if (list->n != seen->outputs.n)
        return err_set(e, ERR_DATA, "%zu captures of %zu outputs", list->n, seen->outputs.n);
    struct capture *captures = arena_new_array(a, struct capture, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct json *c = &list->items[i];
        captures[i] = (struct capture){.site = (uint32_t)json_get_i64(c, "site", 0),
                                       .call = (uint32_t)json_get_i64(c, "call", 0),
                                       .symbol = kept_text(c, "symbol", a),
                                       .path = kept_text(c, "path", a)};
        if (!take_measures(c, a, &captures[i], e))
            return false;
    }
    seen->captures = captures;
    return true;
}

/* Reads tensors whose names outlive the frame. */
static bool read_tensors(const struct json *list, struct str bytes, struct arena *a,
                         struct tensors *out, struct err *e)
{
    if (list->kind != JSON_KIND_ARRAY)
        return err_set(e, ERR_DATA, "tensors are not a list");
    if (!pack__read(list, bytes, a, out, e))
        return false;
    for (size_t i = 0; i < out->n; i++)
        out->at[i].name.at = str_dup(a, out->at[i].name);
    return true;
}

static bool take_tensors(const struct job *job, const struct json *run, struct str bytes,
                         struct observation *seen, struct err *e)
{
    const struct ticket *t = job->ticket;
    const struct json *list;
    const struct json *gradients = json_get(run, "gradients");
    struct tensors all;
    if (!json_need(run, "tensors", JSON_KIND_ARRAY, &list, e))
        return false;
    size_t n_outputs = t->n_outputs == TICKET_ANY_OUTPUTS ? list->n : t->n_outputs;
    if (list->n != n_outputs + t->n_exposed)
        return err_set(e, ERR_DATA, "%zu outputs instead of %zu", list->n,
                       t->n_outputs + t->n_exposed);
    if (!read_tensors(list, bytes, t->request.arena, &all, e) ||
        (gradients && !read_tensors(gradients, bytes, t->request.arena, &seen->gradients, e)))
        return false;
    seen->outputs = (struct tensors){all.at, n_outputs};
    seen->inner = (struct tensors){all.at + n_outputs, t->n_exposed};
    return t->n_outputs != TICKET_ANY_OUTPUTS || take_captures(job, run, seen, e);
}

static bool take_outcome(const struct job *job, const struct json *run, struct observation *seen,
                         struct err *e)
{
    struct arena *a = job->ticket->request.arena;
    struct str word;
    enum outcome told;
    if (!json_need_str(run, "outcome", &word, e))
        return false;
    if (!outcome_find(word, &told))
        return err_set(e, ERR_DATA, "no outcome is called \"" STR_FMT "\"", STR_ARG(word));
    seen->message = (struct message){
        .raw = kept_text(run, "message", a),
        .type = kept_text(run, "type", a),
        .stack = kept_text(run, "stack", a),
        .raised_by = RAISED_UNKNOWN,
    };
    if (!raising_module_find(json_get_str(run, "module", STR("unknown")), &seen->message.raised_by))
        seen->message.raised_by = RAISED_UNKNOWN;
    seen->outcome = outcome__of_message(job->installation->description, told, seen->message.type,
                                        seen->message.raw);
    seen->reached = kept_text(run, "reached", a);
    seen->usage.wall_ns = json_get_i64(run, "wall_ns", 0);
    seen->usage.cpu_ns = json_get_i64(run, "cpu_ns", 0);
    return true;
}

static bool take_run(struct job *job, const struct step *step, const struct json *run,
                     struct str bytes, struct observation *seen, struct err *e)
{
    int64_t set, repeat;
    if (!json_need_i64(run, "set", &set, e) || !json_need_i64(run, "repeat", &repeat, e) ||
        !take_outcome(job, run, seen, e))
        return false;
    if (set < 0 || (uint64_t)set >= job->ticket->n_sets || repeat < 0 ||
        repeat >= job->ticket->n_repeats)
        return err_set(e, ERR_DATA, "a run of set %lld, repeat %lld was not requested",
                       (long long)set, (long long)repeat);
    if (seen->outcome == OUTCOME_OK && !take_tensors(job, run, bytes, seen, e))
        return false;
    put_observation(job, step, (size_t)set, (uint32_t)repeat, seen);
    return true;
}

static int compare_strs(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* "Conv 3\nRelu 2\n", by name; empty for a model that we cannot read. */
static struct str histogram(const struct ticket *t, struct str bytes)
{
    struct arena a;
    struct model *m;
    struct err ignored;
    struct strbuf text = {0};
    struct str result = STR("");
    arena_init(&a);
    if (model_read(bytes, NULL, &a, &m, &ignored)) {
        size_t n = m->graph->nodes.n;
        struct str *types = arena_new_array(&a, struct str, n);
        for (size_t i = 0; i < n; i++)
            types[i] = m->graph->nodes.at[i].op_type;
        if (n)
            qsort(types, n, sizeof *types, compare_strs);
        for (size_t i = 0, k; i < n; i = k) {
            for (k = i; k < n && str_eq(types[k], types[i]); k++) {
            }
            strbuf_printf(&text, STR_FMT " %zu\n", STR_ARG(types[i]), k - i);
        }
        result = strbuf_dup(&text, t->request.arena);
    }
    strbuf_done(&text);
    arena_done(&a);
    return result;
}

static struct str read_rewrites(const struct job *job, const struct json *result)
{
    struct arena a;
    struct str bytes, text = STR("");
    struct err ignored;
    if (!json_get(result, "dump"))
        return text;
    arena_init(&a);
    if (read_file(job, result, "dump", &a, &bytes, &ignored))
        text = histogram(job->ticket, bytes);
    arena_done(&a);
    return text;
}

/* A converter says where its model is, or why there is none. */
static bool take_conversion(struct job *job, const struct step *step, const struct json *result,
                            struct err *e)
{
    struct ticket *t = job->ticket;
    const struct json *runs;
    struct observation seen = {0};
    struct str bytes;
    if (json_get(result, "model")) {
        if (!read_file(job, result, "model", t->request.arena, &bytes, e))
            return false;
        if (!bytes.n)
            return err_set(e, ERR_DATA, "a converted model is empty");
        for (size_t i = 0; i < step->n_slots; i++)
            t->converted[step->slots[i]] = bytes;
        return true;
    }
    if (!json_need(result, "runs", JSON_KIND_ARRAY, &runs, e))
        return false;
    if (runs->n != 1)
        return err_set(e, ERR_DATA, "a converter gives neither a model nor exactly one reason");
    if (!take_outcome(job, &runs->items[0], &seen, e))
        return false;
    if (seen.outcome == OUTCOME_OK)
        return err_set(e, ERR_DATA, "a converter succeeded without a model");
    seen.usage.peak_bytes = (uint64_t)json_get_i64(result, "peak_bytes", 0);
    put_everywhere(job, step, &seen);
    return true;
}

bool job__take_result(struct job *job, struct step *step, const struct json *result, struct err *e)
{
    struct ticket *t = job->ticket;
    const struct json *runs;
    struct str bytes = STR("");
    if (job->installation->description->work == TARGET_CONVERTS)
        return take_conversion(job, step, result, e);
    if (!json_need(result, "runs", JSON_KIND_ARRAY, &runs, e))
        return false;
    if (runs->n != t->n_sets * t->n_repeats)
        return err_set(e, ERR_DATA, "%zu runs instead of %zu", runs->n, t->n_sets * t->n_repeats);
    bool any_ok = false;
    for (size_t i = 0; i < runs->n; i++)
        any_ok |= str_is(json_get_str(&runs->items[i], "outcome", STR("")), "ok");
    /* The file is missing when all outputs are empty. */
    struct err missing;
    if (any_ok && !read_file(job, result, "file", t->request.arena, &bytes, &missing))
        bytes = STR("");
    struct observation shared = {
        .usage.peak_bytes = (uint64_t)json_get_i64(result, "peak_bytes", 0),
        .rewrites = read_rewrites(job, result),
    };
    for (size_t i = 0; i < runs->n; i++) {
        struct observation seen = shared;
        if (!take_run(job, step, &runs->items[i], bytes, &seen, e))
            return false;
    }
    return true;
}
