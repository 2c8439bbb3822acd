/*
 * An observation as a folder: observation.json, outputs/, inner/. It includes the target's traits,
 * so that it can be judged again without the target. Verdicts are JSON objects.
 */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "case/disk_p.h"
#include "case/npy.h"

enum { OBSERVATION_FORMAT = 1, OBSERVATION_JSON_MAX = 16 << 20 };

static struct str keep(struct arena *a, struct str s)
{
    return (struct str){str_dup(a, s), s.n};
}

static void put_traits(struct json_out *w, const struct target_traits *t)
{
    json_key(w, "traits");
    json_begin_object(w);
    json_key(w, "computes");
    json_begin_object(w);
    for (int d = 1; d < DTYPE_COUNT; d++) {
        if (t->computes[d] != DTYPE_UNDEFINED && (int)t->computes[d] != d)
            json_pair_cstr(w, dtype_name((enum dtype)d), dtype_name(t->computes[d]));
    }
    json_end_object(w);
    json_pair_cstr(w, "int_overflow",
                   t->int_overflow == INT_OVERFLOW_SATURATES ? "saturates" : "wraps");
    json_pair_bool(w, "flushes_denormals", t->flushes_denormals);
    json_pair_bool(w, "no_vnni", t->no_vnni);
    json_pair_i64(w, "largest_opset", t->largest_opset);
    json_end_object(w);
}

/* Writes the fields of a target, without its runner. */
static void put_target_fields(struct json_out *w, const struct target_id *t)
{
    json_pair_str(w, "engine", t->engine);
    json_pair_str(w, "version", t->version);
    json_pair_str(w, "mode", t->mode);
    json_pair_str(w, "family", t->family);
    json_pair_i64(w, "n_threads", t->n_threads);
    json_pair_bool(w, "is_witness", t->is_witness);
    json_pair_bool(w, "is_base", t->is_base);
    json_pair_i64(w, "mode_rank", t->mode_rank);
    if (t->traits)
        put_traits(w, t->traits);
}

static void put_target(struct json_out *w, const struct target_id *t)
{
    json_key(w, "target");
    json_begin_object(w);
    put_target_fields(w, t);
    if (t->runner) { /* a runner has none of its own */
        json_key(w, "runner");
        json_begin_object(w);
        put_target_fields(w, t->runner);
        json_end_object(w);
    }
    json_end_object(w);
}

static bool get_traits(const struct json *j, struct arena *a, const struct target_traits **out,
                       struct err *e)
{
    struct target_traits *t = arena_new(a, struct target_traits);
    const struct json *computes = json_get(j, "computes");
    for (int d = 0; d < DTYPE_COUNT; d++)
        t->computes[d] = (enum dtype)d;
    for (size_t i = 0; computes && computes->kind == JSON_KIND_OBJECT && i < computes->n; i++) {
        enum dtype from = dtype_find(computes->keys[i]);
        enum dtype to = dtype_find(computes->items[i].string);
        if (from == DTYPE_UNDEFINED || to == DTYPE_UNDEFINED)
            return err_set(e, ERR_DATA, "line %u: \"computes\": unknown dtype",
                           computes->items[i].line);
        t->computes[from] = to;
    }
    t->int_overflow = str_is(json_get_str(j, "int_overflow", STR("wraps")), "saturates")
                          ? INT_OVERFLOW_SATURATES
                          : INT_OVERFLOW_WRAPS;
    t->flushes_denormals = json_get_bool(j, "flushes_denormals", false);
    t->no_vnni = json_get_bool(j, "no_vnni", false);
    t->largest_opset = (int)json_get_i64(j, "largest_opset", 0);
    *out = t;
    return true;
}

static bool get_target_fields(const struct json *j, struct arena *a, struct target_id *out,
                              struct err *e)
{
    const struct json *traits = json_get(j, "traits");
    if (!json_need_str(j, "engine", &out->engine, e))
        return false;
    out->engine = keep(a, out->engine);
    out->version = keep(a, json_get_str(j, "version", STR("")));
    out->mode = keep(a, json_get_str(j, "mode", STR("")));
    out->family = keep(a, json_get_str(j, "family", out->engine));
    out->n_threads = (uint32_t)json_get_i64(j, "n_threads", 1);
    out->is_witness = json_get_bool(j, "is_witness", false);
    out->is_base = json_get_bool(j, "is_base", false);
    out->mode_rank = (uint32_t)json_get_i64(j, "mode_rank", 0);
    return !traits || get_traits(traits, a, &out->traits, e);
}

static bool get_target(const struct json *parent, struct arena *a, struct target_id *out,
                       struct err *e)
{
    const struct json *j, *runner;
    if (!json_need(parent, "target", JSON_KIND_OBJECT, &j, e) || !get_target_fields(j, a, out, e))
        return false;
    runner = json_get(j, "runner");
    if (!runner)
        return true;
    struct target_id *t = arena_new(a, struct target_id);
    out->runner = t;
    return get_target_fields(runner, a, t, e);
}

static void put_message(struct json_out *w, const struct message *m)
{
    json_key(w, "message");
    json_begin_object(w);
    json_pair_str(w, "raw", m->raw);
    json_pair_str(w, "type", m->type);
    json_pair_str(w, "stack", m->stack);
    json_pair_cstr(w, "raised_by", raising_module_name(m->raised_by));
    json_end_object(w);
}

static void get_message(const struct json *j, struct arena *a, struct message *out)
{
    out->raw = keep(a, json_get_str(j, "raw", STR("")));
    out->type = keep(a, json_get_str(j, "type", STR("")));
    out->stack = keep(a, json_get_str(j, "stack", STR("")));
    if (!raising_module_find(json_get_str(j, "raised_by", STR("unknown")), &out->raised_by))
        out->raised_by = RAISED_UNKNOWN;
}

static void put_head(struct json_out *w, const struct observation *o)
{
    json_pair_i64(w, "format", OBSERVATION_FORMAT);
    case__pair_hash(w, "case_id", &o->case_id);
    json_pair_i64(w, "input_set", o->input_set);
    json_pair_i64(w, "repeat", o->repeat);
    json_pair_cstr(w, "variant", o->variant == VARIANT_EXPOSED ? "exposed" : "plain");
    put_target(w, &o->target);
    json_pair_cstr(w, "outcome", outcome_name(o->outcome));
    json_pair_i64(w, "signal", o->signal);
    json_pair_i64(w, "wall_ns", o->usage.wall_ns);
    json_pair_i64(w, "cpu_ns", o->usage.cpu_ns);
    case__pair_u64(w, "peak_bytes", o->usage.peak_bytes);
    put_message(w, &o->message);
    json_pair_str(w, "rewrites", o->rewrites);
    json_pair_str(w, "reached", o->reached);
}

static bool write_parts(const char *dir, const struct observation *o, struct arena *a,
                        struct err *e)
{
    struct strbuf b = {0};
    struct json_out w = json_open(&b, JSON_PRETTY);
    json_begin_object(&w);
    put_head(&w, o);
    json_key(&w, "outputs");
    bool ok = tensors_write_dir(path_join(a, dir, "outputs"), &o->outputs, &w, e);
    if (ok) {
        json_key(&w, "inner");
        ok = tensors_write_dir(path_join(a, dir, "inner"), &o->inner, &w, e);
    }
    if (ok && o->gradients.n) {
        json_key(&w, "gradients");
        ok = tensors_write_dir(path_join(a, dir, "gradients"), &o->gradients, &w, e);
    }
    json_end_object(&w);
    strbuf_addc(&b, '\n');
    ok = ok && file_write(path_join(a, dir, "observation.json"), b.at, b.n, e);
    strbuf_done(&b);
    return ok;
}

bool observation_write(const char *dir, const struct observation *o, struct err *e)
{
    struct arena a;
    const char *partial;
    arena_init(&a);
    bool ok = case__make_partial_dir(dir, &a, &partial, e) && write_parts(partial, o, &a, e) &&
              case__replace_dir(partial, dir, e);
    arena_done(&a);
    return ok || err_wrap(e, "observation %s", dir);
}

static bool get_head(const struct json *j, struct arena *a, struct observation *o, struct err *e)
{
    struct str outcome;
    const struct json *message;
    int64_t format;
    if (!json_need_i64(j, "format", &format, e))
        return false;
    if (format != OBSERVATION_FORMAT)
        return err_set(e, ERR_UNSUPPORTED, "format %lld; %d is read", (long long)format,
                       (int)OBSERVATION_FORMAT);
    if (!case__need_hash(j, "case_id", &o->case_id, e) || !get_target(j, a, &o->target, e) ||
        !json_need_str(j, "outcome", &outcome, e) ||
        !json_need(j, "message", JSON_KIND_OBJECT, &message, e) ||
        !case__need_u64(j, "peak_bytes", &o->usage.peak_bytes, e))
        return false;
    if (!outcome_find(outcome, &o->outcome))
        return err_set(e, ERR_DATA, "unknown outcome \"" STR_FMT "\"", STR_ARG(outcome));
    o->input_set = (uint32_t)json_get_i64(j, "input_set", 0);
    o->repeat = (uint32_t)json_get_i64(j, "repeat", 0);
    o->variant = str_is(json_get_str(j, "variant", STR("plain")), "exposed") ? VARIANT_EXPOSED
                                                                             : VARIANT_PLAIN;
    o->signal = (int)json_get_i64(j, "signal", 0);
    o->usage.wall_ns = json_get_i64(j, "wall_ns", 0);
    o->usage.cpu_ns = json_get_i64(j, "cpu_ns", 0);
    o->rewrites = keep(a, json_get_str(j, "rewrites", STR("")));
    o->reached = keep(a, json_get_str(j, "reached", STR("")));
    get_message(message, a, &o->message);
    return true;
}

bool observation_read(const char *dir, struct arena *a, struct observation *out, struct err *e)
{
    const struct json *j, *outputs, *inner, *gradients;
    *out = (struct observation){0};
    if (!json_read_file(path_join(a, dir, "observation.json"), OBSERVATION_JSON_MAX, a, &j, e) ||
        !get_head(j, a, out, e) || !json_need(j, "outputs", JSON_KIND_ARRAY, &outputs, e) ||
        !json_need(j, "inner", JSON_KIND_ARRAY, &inner, e) ||
        !tensors_read_dir(path_join(a, dir, "outputs"), outputs, a, &out->outputs, e) ||
        !tensors_read_dir(path_join(a, dir, "inner"), inner, a, &out->inner, e))
        return err_wrap(e, "observation %s", dir);
    gradients = json_get(j, "gradients");
    if (gradients &&
        !tensors_read_dir(path_join(a, dir, "gradients"), gradients, a, &out->gradients, e))
        return err_wrap(e, "observation %s", dir);
    return true;
}

void verdict_to_json(const struct verdict *v, struct json_out *w)
{
    json_begin_object(w);
    json_pair_cstr(w, "oracle", v->oracle);
    json_pair_cstr(w, "decision", decision_name(v->decision));
    json_pair_cstr(w, "wrong", wrong_kind_name(v->wrong));
    json_pair_double(w, "measure", v->measure);
    json_pair_double(w, "threshold", v->threshold);
    json_pair_double(w, "expected", v->expected);
    json_pair_double(w, "observed", v->observed);
    put_target(w, &v->target);
    json_pair_i64(w, "input_set", v->input_set);
    json_pair_str(w, "output", v->place.output);
    json_pair_str(w, "node", v->place.node);
    json_pair_str(w, "op_type", v->place.op_type);
    if (v->place.element != SIZE_MAX)
        json_pair_i64(w, "element", (int64_t)v->place.element);
    json_pair_str(w, "claim", v->claim);
    json_end_object(w);
}

/* The number of a key, which may be a text for numbers that JSON lacks. */
static double number_of(const struct json *j, const char *key)
{
    const struct json *v = json_get(j, key);
    double x = 0;
    if (v && v->kind == JSON_KIND_STRING)
        return str_to_double(v->string, &x) ? x : 0;
    return json_get_double(j, key, 0);
}

bool verdict_from_json(const struct json *j, struct arena *a, struct verdict *out, struct err *e)
{
    struct str oracle, decision, wrong;
    *out = (struct verdict){0};
    if (!json_need_str(j, "oracle", &oracle, e) || !json_need_str(j, "decision", &decision, e) ||
        !json_need_str(j, "wrong", &wrong, e) || !get_target(j, a, &out->target, e))
        return false;
    if (!decision_find(decision, &out->decision) || !wrong_kind_find(wrong, &out->wrong))
        return err_set(e, ERR_DATA, "line %u: unknown decision or kind of wrong", j->line);
    out->oracle = str_dup(a, oracle);
    out->measure = number_of(j, "measure");
    out->threshold = number_of(j, "threshold");
    out->expected = number_of(j, "expected");
    out->observed = number_of(j, "observed");
    out->input_set = (uint32_t)json_get_i64(j, "input_set", 0);
    out->place.output = keep(a, json_get_str(j, "output", STR("")));
    out->place.node = keep(a, json_get_str(j, "node", STR("")));
    out->place.op_type = keep(a, json_get_str(j, "op_type", STR("")));
    int64_t element = json_get_i64(j, "element", -1);
    out->place.element = element < 0 ? SIZE_MAX : (size_t)element;
    out->claim = keep(a, json_get_str(j, "claim", STR("")));
    return true;
}
