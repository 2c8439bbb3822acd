/*
 * Decides what is run and in which portions. Must not know pairs. Invariant: a call's key is a
 * function of symbol and call text, so stored outputs serve every later run.
 */
#include "align/verify/runs.h"

#include "align/tensors.h"
#include "base/hash.h"
#include "base/path.h"
#include "os/scratch.h"
#include "target/offline.h"

enum { CHUNK_CALLS = 4000, KEY_SIZE = 20, DEADLINE_MS = 1800000 };
#define RESULTS_MAX ((size_t)512 << 20)

struct wanted {
    struct str key, symbol;
    struct call call;
};

struct runs {
    struct runs_options o;
    struct arena *a;
    struct outputs outputs;
    struct map asked; /* keys */
    VEC(struct wanted) wanted;
};

void runs_print_call(struct str symbol, const struct call *c, struct strbuf *out)
{
    strbuf_printf(out, STR_FMT "(", STR_ARG(symbol));
    call_print(c, out);
    strbuf_addc(out, ')');
}

static void key_of(struct str symbol, const struct call *c, char hex[static HASH_HEX_SIZE])
{
    struct strbuf text = {0};
    runs_print_call(symbol, c, &text);
    struct hash h = hash_of(text.at, text.n);
    hash_to_hex(&h, hex);
    hex[KEY_SIZE] = '\0';
    strbuf_done(&text);
}

bool runs_open(const struct runs_options *o, struct arena *a, struct runs **out, struct err *e)
{
    struct runs *r = arena_new(a, struct runs);
    r->o = *o;
    r->a = a;
    *out = r;
    return outputs_open(&r->outputs, o->folder, a, e);
}

void runs_close(struct runs *r)
{
    (void)r; /* all lives in the arena */
}

size_t runs_n(const struct runs *r)
{
    return r->outputs.list.n;
}

void runs_want(struct runs *r, struct str symbol, const struct call *c)
{
    char hex[HASH_HEX_SIZE];
    bool added;
    key_of(symbol, c, hex);
    if (outputs_find(&r->outputs, str_of(hex)))
        return;
    map_at(&r->asked, r->a, str_of(hex), &added);
    if (added)
        vec_push(&r->wanted, r->a, (struct wanted){str_of(arena_strdup(r->a, hex)), symbol, *c});
}

const struct output *runs_output(const struct runs *r, struct str symbol, const struct call *c)
{
    char hex[HASH_HEX_SIZE];
    key_of(symbol, c, hex);
    return outputs_find(&r->outputs, str_of(hex));
}

/* Calls for the worker --------------------------------------------------------------------------*/

struct writing {
    struct json_out w;
    struct tensors_made *tensors;
    struct arena *a;
};

static void put_arg(struct writing *t, const struct arg *v);

static void put_special(struct writing *t, const char *key, struct str text)
{
    json_begin_object(&t->w);
    json_pair_str(&t->w, key, text);
    json_end_object(&t->w);
}

static void put_tensor(struct writing *t, const struct arg *v)
{
    struct json_out *w = &t->w;
    json_begin_object(w);
    json_pair_u64(w, "t", tensors_row(t->tensors, t->a, v));
    if (v->n_perm) {
        json_key(w, "perm");
        json_begin_array(w);
        for (unsigned i = 0; i < v->n_perm; i++)
            json_put_u64(w, v->perm[i]);
        json_end_array(w);
    }
    if (v->cast.n)
        json_pair_str(w, "cast", v->cast);
    json_end_object(w);
}

static void put_list(struct writing *t, const struct arg *v)
{
    struct json_out *w = &t->w;
    if (v->kind == ARG_TUPLE) {
        json_begin_object(w);
        json_key(w, "tuple");
    }
    json_begin_array(w);
    for (size_t i = 0; i < v->n; i++)
        put_arg(t, &v->items[i]);
    json_end_array(w);
    if (v->kind == ARG_TUPLE)
        json_end_object(w);
}

static void put_real(struct writing *t, double x)
{
    struct strbuf text = {0};
    if (x - x != 0) { /* not finite */
        put_special(t, "float", x != x ? STR("nan") : x > 0 ? STR("inf") : STR("-inf"));
        return;
    }
    strbuf_printf(&text, "%.17g", x);
    struct str s = strbuf_str(&text);
    if (str_find_byte(s, '.') == s.n && str_find_byte(s, 'e') == s.n)
        strbuf_adds(&text, ".0");
    json_put_raw(&t->w, strbuf_str(&text));
    strbuf_done(&text);
}

static void put_arg(struct writing *t, const struct arg *v)
{
    struct json_out *w = &t->w;
    switch (v->kind) {
    case ARG_NONE:
        json_put_null(w);
        break;
    case ARG_BOOL:
        json_put_bool(w, v->truth);
        break;
    case ARG_INT:
        json_put_i64(w, v->integer);
        break;
    case ARG_FLOAT:
        put_real(t, v->real);
        break;
    case ARG_STR:
        json_put_str(w, v->text);
        break;
    case ARG_DTYPE:
        put_special(t, "dtype", v->text);
        break;
    case ARG_LIST:
    case ARG_TUPLE:
        put_list(t, v);
        break;
    case ARG_TENSOR:
        put_tensor(t, v);
        break;
    }
}

static void put_part(struct writing *t, const struct call_part *p, const char *args,
                     const char *keys)
{
    struct json_out *w = &t->w;
    size_t n = call_part_n_positional(p);
    json_key(w, args);
    json_begin_array(w);
    for (size_t i = 0; i < n; i++)
        put_arg(t, &p->at[i].value);
    json_end_array(w);
    if (n == p->n)
        return;
    json_key(w, keys);
    json_begin_object(w);
    for (size_t i = n; i < p->n; i++) {
        json_key(w, str_dup(t->a, p->at[i].name));
        put_arg(t, &p->at[i].value);
    }
    json_end_object(w);
}

static void put_call(struct writing *t, const struct wanted *c)
{
    struct json_out *w = &t->w;
    json_begin_object(w);
    json_pair_str(w, "key", c->key);
    json_pair_str(w, "symbol", c->symbol);
    if (c->call.is_step) {
        json_pair_bool(w, "step", true);
        put_part(t, &c->call.make, "make", "keys");
    } else if (c->call.is_class) {
        put_part(t, &c->call.make, "make", "make_keys");
    }
    put_part(t, &c->call.args, "args", c->call.is_step ? "args_keys" : "keys");
    if (c->call.weights.n) {
        json_key(w, "weights");
        json_put_raw(w, c->call.weights);
    }
    json_end_object(w);
}

static bool put_files(struct runs *r, const struct wanted *calls, size_t n, struct scratch *s,
                      struct arena *a, struct err *e)
{
    struct tensors_made tensors = {.bytes = {0}};
    struct strbuf lines = {0}, rows = {0};
    (void)r;
    for (size_t i = 0; i < n; i++) {
        struct writing t = {json_open(&lines, JSON_COMPACT), &tensors, a};
        put_call(&t, &calls[i]);
        strbuf_addc(&lines, '\n');
    }
    tensors_put_json(&tensors, &rows);
    struct str parts[] = {strbuf_str(&lines), strbuf_str(&rows), strbuf_str(&tensors.bytes)};
    bool ok = scratch_put(s, "calls.jsonl", &parts[0], 1, e) &&
              scratch_put(s, "pool.json", &parts[1], 1, e) &&
              scratch_put(s, "pool.bin", &parts[2], 1, e);
    strbuf_done(&lines);
    strbuf_done(&rows);
    tensors_done(&tensors);
    return ok;
}

static bool keep_results(struct runs *r, const struct offline_run *run, struct arena *a,
                         struct err *e)
{
    struct str results, values, end;
    if (!offline_file(run, "results.jsonl", RESULTS_MAX, a, &results, e))
        return false;
    if (!offline_file(run, "values.bin", RESULTS_MAX, a, &values, e))
        return false;
    bool whole = offline_file(run, "end.json", 1 << 16, a, &end, e);
    err_clear(e);
    /* A worker was ended in the middle of a line: keep the lines before it. */
    while (!whole && results.n && results.at[results.n - 1] != '\n')
        results.n--;
    return outputs_add(&r->outputs, results, values, e);
}

static bool run_portion(struct runs *r, const struct wanted *calls, size_t n, struct err *e)
{
    struct arena a;
    struct scratch *given = NULL;
    struct offline_run *run = NULL;
    const char *words[] = {r->o.opens};
    arena_init(&a);
    bool ok = scratch_open(&given, e) && put_files(r, calls, n, given, &a, e);
    const struct offline_job job = {.installation = r->o.installation,
                                    .home = r->o.home,
                                    .script = "calls.py",
                                    .words = words,
                                    .n_words = 1,
                                    .given = given,
                                    .deadline_ms = DEADLINE_MS,
                                    .best_effort = r->o.best_effort};
    ok = ok && offline_run(&job, &run, e);
    if (ok && !keep_results(r, run, &a, e)) {
        struct str said = str_trim(offline_end(run)->err);
        ok = err_wrap(e, "%s: " STR_FMT, r->o.opens,
                      STR_ARG(str_sub(said, said.n > 500 ? said.n - 500 : 0, said.n)));
    }
    offline_close(run);
    scratch_close(given);
    arena_done(&a);
    return ok;
}

bool runs_do(struct runs *r, struct err *e)
{
    size_t n = r->o.stored_only ? 0 : r->wanted.n;
    for (size_t at = 0; at < n; at += CHUNK_CALLS) {
        if (r->o.tell)
            r->o.tell(r->o.ctx, r->o.opens, at, n);
        if (!run_portion(r, r->wanted.at + at, MIN((size_t)CHUNK_CALLS, n - at), e))
            return false;
    }
    r->wanted.n = 0;
    return true;
}
