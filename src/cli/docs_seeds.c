/*
 * Decides which argument tuples and names a search for seed calls is given: the names of
 * share/foretell/names.json, the tuples of the alignment's table, and those on which verified pairs
 * agree. Must not know which calls work (py/assay_worker/foretold_seeds.py runs them). Invariant:
 * documented examples run in the sandbox of a worker only.
 */
#include "cli/docs_seeds.h"

#include "align/call_json.h"
#include "align/pairs.h"
#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "cli/command.h"
#include "cli/docs_check.h"
#include "target/offline.h"

enum {
    TUPLES_OF_SAMPLE = 12, /* per operator of the alignment's table */
    TUPLES_OF_PAIR = 4,
    DEADLINE_MS = 3600000,
    RECORDS_MAX = 256 << 20,
};

struct ordering {
    struct arena *a;
    struct json_out w;
    struct tensors_made pool;
};

/* Texts of calls, at most `max`, as the worker reads them. */
static bool put_calls(struct ordering *o, const struct json *texts, size_t max, struct err *e)
{
    json_begin_array(&o->w);
    for (size_t i = 0; texts && i < texts->n && i < max; i++) {
        struct call c;
        if (!call_parse(texts->items[i].string, o->a, &c, e))
            return false;
        json_begin_object(&o->w);
        call_put_json(&c, &o->pool, o->a, &o->w);
        json_end_object(&o->w);
    }
    json_end_array(&o->w);
    return true;
}

static bool put_tuples(struct ordering *o, struct str name, const struct json *texts, size_t max,
                       struct err *e)
{
    json_begin_object(&o->w);
    json_pair_str(&o->w, "name", name);
    json_key(&o->w, "calls");
    bool ok = put_calls(o, texts, max, e);
    json_end_object(&o->w);
    return ok || err_wrap(e, STR_FMT, STR_ARG(name));
}

static bool put_pairs(struct ordering *o, struct err *e)
{
    struct pair_files files;
    if (!pairs_load(NULL, o->a, &files, e))
        return false;
    for (size_t i = 0; i < files.n; i++)
        for (size_t k = 0; k < files.at[i].n; k++) {
            const struct pair_row *r = &files.at[i].rows[k];
            const struct json *agree = json_get(r->evidence, "agree");
            if (agree && (!put_tuples(o, r->a, agree, TUPLES_OF_PAIR, e) ||
                          !put_tuples(o, r->b, agree, TUPLES_OF_PAIR, e)))
                return false;
        }
    return true;
}

/* names: the framework's row of names.json, which may have calls of its own. */
static bool put_all_tuples(struct ordering *o, const struct json *names, struct err *e)
{
    const struct json *own = json_get(names, "calls");
    const struct json *calls, *generic, *samples;
    if (!share_json("align/calls.json", o->a, &calls, e) ||
        !json_need(calls, "generic", JSON_KIND_ARRAY, &generic, e) ||
        !json_need(calls, "samples", JSON_KIND_OBJECT, &samples, e))
        return false;
    json_key(&o->w, "generic");
    if (!put_calls(o, generic, generic->n, e))
        return false;
    json_key(&o->w, "tuples");
    json_begin_array(&o->w);
    for (size_t i = 0; own && i < own->n; i++)
        if (!put_tuples(o, own->keys[i], &own->items[i], own->items[i].n, e))
            return false;
    for (size_t i = 0; i < samples->n; i++)
        if (!put_tuples(o, samples->keys[i], &samples->items[i], TUPLES_OF_SAMPLE, e))
            return false;
    if (!put_pairs(o, e))
        return false;
    json_end_array(&o->w);
    return true;
}

static void put_pool(struct ordering *o)
{
    struct strbuf rows = {0}, hex = {0};
    tensors_put_json(&o->pool, &rows);
    for (size_t i = 0; i < o->pool.bytes.n; i++)
        strbuf_printf(&hex, "%02x", (unsigned char)o->pool.bytes.at[i]);
    json_key(&o->w, "pool");
    json_put_raw(&o->w, strbuf_str(&rows));
    json_pair_str(&o->w, "bytes", strbuf_str(&hex));
    strbuf_done(&rows);
    strbuf_done(&hex);
}

/* The lines of the dump, without the first, which is none of a symbol. */
static bool put_records(struct ordering *o, const struct docs *docs, struct err *e)
{
    struct str text, line;
    if (!file_read(path_join(o->a, docs->out, "records.jsonl"), RECORDS_MAX, o->a, &text, e))
        return false;
    json_key(&o->w, "records");
    json_begin_array(&o->w);
    for (bool first = true; text.n && str_split(&text, '\n', &line); first = false)
        if (!first && line.n)
            json_put_raw(&o->w, line);
    json_end_array(&o->w);
    return true;
}

/* The order of a search: {"names": row of names.json, "generic", "tuples", "pool", "bytes",
 * "records"}. */
static bool put_order(struct ordering *o, const struct docs *docs, struct str framework,
                      struct err *e)
{
    const struct json *table, *names;
    if (!share_json("foretell/names.json", o->a, &table, e) ||
        !json_need(table, str_dup(o->a, framework), JSON_KIND_OBJECT, &names, e))
        return false;
    json_begin_object(&o->w);
    json_key(&o->w, "names");
    json_put_json(&o->w, names);
    if (!put_all_tuples(o, names, e) || !put_records(o, docs, e))
        return false;
    put_pool(o);
    json_end_object(&o->w);
    return true;
}

bool docs_seeds(const struct settings *s, const char *framework, struct err *e)
{
    struct docs docs = {0};
    struct strbuf text = {0};
    struct str answer;
    if (!docs_open(s, framework, &docs, e))
        return false;
    struct ordering o = {
        .a = s->arena, .w = json_open(&text, JSON_COMPACT), .pool = {.bytes = {0}}};
    const char *const words[] = {str_dup(s->arena, docs.records.framework)};
    bool ok = put_order(&o, &docs, docs.records.framework, e);
    const struct offline_job job = {.installation = docs.installation,
                                    .home = docs.home,
                                    .script = "foretold_seeds.py",
                                    .words = words,
                                    .n_words = COUNT_OF(words),
                                    .order = strbuf_str(&text),
                                    .deadline_ms = DEADLINE_MS};
    ok = ok && offline_answer(&job, s->arena, &answer, e);
    if (ok)
        out_put(answer);
    tensors_done(&o.pool);
    strbuf_done(&text);
    return ok;
}
