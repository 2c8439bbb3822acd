/*
 * Decides what is run and in which portions. Must not know pairs. Invariant: a call's key is a
 * function of symbol and call text, so stored outputs serve every later run.
 */
#include "align/verify/runs.h"

#include "align/call_json.h"
#include "base/hash.h"
#include "base/path.h"
#include "os/scratch.h"
#include "target/offline.h"

enum { CHUNK_CALLS = 16000, KEY_SIZE = 20, DEADLINE_MS = 1800000 };
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

static void put_call(const struct wanted *c, struct tensors_made *tensors, struct arena *a,
                     struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "key", c->key);
    json_pair_str(w, "symbol", c->symbol);
    call_put_json(&c->call, tensors, a, w);
    json_end_object(w);
}

static bool put_files(struct runs *r, const struct wanted *calls, size_t n, struct scratch *s,
                      struct arena *a, struct err *e)
{
    struct tensors_made tensors = {.bytes = {0}};
    struct strbuf lines = {0}, rows = {0};
    (void)r;
    for (size_t i = 0; i < n; i++) {
        struct json_out w = json_open(&lines, JSON_COMPACT);
        put_call(&calls[i], &tensors, a, &w);
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
