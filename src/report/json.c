/* Decides which fields a bug has for programs; their names never change (campaign.md 5). */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "case/disk.h"
#include "report/report_p.h"

static void put_time(struct json_out *w, const char *key, int64_t wall_ms)
{
    struct strbuf text = {0};
    clock_format_iso(wall_ms, &text);
    json_pair_str(w, key, strbuf_str(&text));
    strbuf_done(&text);
}

static void put_number(struct json_out *w, const char *key, double v)
{
    json_key(w, key);
    if (isnan(v))
        json_put_null(w);
    else
        json_put_double(w, v);
}

static void put_text_or_null(struct json_out *w, const char *key, struct str s)
{
    json_key(w, key);
    if (s.n)
        json_put_str(w, s);
    else
        json_put_null(w);
}

static void put_ops(struct json_out *w, struct str ops)
{
    struct str rest = ops, op;
    json_key(w, "ops");
    json_begin_array(w);
    while (ops.n && str_split(&rest, ' ', &op))
        json_put_str(w, op);
    json_end_array(w);
}

static void put_verdicts(struct json_out *w, const struct verdicts *v)
{
    json_key(w, "verdicts");
    json_begin_array(w);
    for (size_t i = 0; i < v->n; i++)
        verdict_to_json(&v->at[i], w);
    json_end_array(w);
}

/* Writes where the failure shows: the one place of the verdict that represents the bug. */
static void put_places(struct json_out *w, const struct store_bug *b)
{
    json_key(w, "places");
    json_begin_array(w);
    json_begin_object(w);
    put_text_or_null(w, "output", b->output);
    put_text_or_null(w, "node", b->node);
    put_text_or_null(w, "op_type", b->op_type);
    json_pair_i64(w, "element", b->element);
    json_pair_i64(w, "input_set", b->input_set);
    put_number(w, "expected", b->expected);
    put_number(w, "observed", b->observed);
    json_end_object(w);
    json_end_array(w);
}

static void put_notes(struct json_out *w, const struct report_bug *bug)
{
    json_key(w, "notes");
    json_begin_array(w);
    for (size_t i = 0; i < bug->events.n; i++) {
        const struct store_event *x = &bug->events.at[i];
        json_begin_object(w);
        put_time(w, "at", x->at_ms);
        json_pair_str(w, "who", x->who);
        json_pair_str(w, "what", x->what);
        json_pair_str(w, "text", x->text);
        json_end_object(w);
    }
    json_end_array(w);
}

/* The cost of shrinking the case; null where it was not shrunk. */
static void put_reduction(struct json_out *w, const struct store_bug *b)
{
    const struct {
        const char *key;
        int64_t number;
    } rows[] = {{"nodes_before", b->nodes_before},
                {"reduce_runs", b->reduce_runs},
                {"reduce_ms", b->reduce_ms}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_key(w, rows[i].key);
        if (b->nodes_before > 0)
            json_put_i64(w, rows[i].number);
        else
            json_put_null(w);
    }
}

static void put_details(struct json_out *w, const struct report_bug *bug)
{
    const struct store_bug *b = &bug->row;
    put_reduction(w, b);
    put_places(w, b);
    put_text_or_null(w, "outcome", b->outcome);
    put_text_or_null(w, "message", b->message);
    put_text_or_null(w, "sandbox", bug->sandbox);
    put_verdicts(w, &bug->verdicts);
    json_key(w, "failures");
    json_begin_array(w);
    for (size_t i = 0; i < bug->failures.n; i++) {
        json_begin_object(w);
        json_pair_i64(w, "case", bug->failures.at[i].case_at);
        json_pair_str(w, "target", bug->failures.at[i].target);
        json_pair_str(w, "key", bug->failures.at[i].key);
        json_end_object(w);
    }
    json_end_array(w);
    put_notes(w, bug);
}

void report_bug_json(const struct report_bug *bug, bool details, struct json_out *w)
{
    const struct store_bug *b = &bug->row;
    json_begin_object(w);
    json_pair_str(w, "id", b->id);
    json_pair_str(w, "key", b->key);
    json_pair_str(w, "title", b->title);
    json_pair_str(w, "state", b->state);
    json_pair_str(w, "severity", b->severity);
    json_pair_str(w, "class", b->class);
    json_pair_str(w, "oracle", b->oracle);
    json_pair_str(w, "taxonomy", b->taxonomy);
    json_pair_str(w, "engine", b->engine);
    json_pair_str(w, "version", b->version);
    json_pair_str(w, "mode", b->mode);
    put_text_or_null(w, "pass", b->pass);
    put_ops(w, b->ops);
    json_pair_str(w, "dtype", b->dtype);
    json_pair_i64(w, "nodes", b->nodes);
    put_number(w, "measure", b->measure);
    put_number(w, "threshold", b->threshold);
    json_key(w, "reproducibility");
    json_begin_object(w);
    json_pair_i64(w, "k", b->k);
    json_pair_i64(w, "n", b->n);
    json_end_object(w);
    put_text_or_null(w, "first_bad", b->first_bad);
    put_text_or_null(w, "fixed_in", b->fixed_in);
    put_time(w, "first_seen", b->first_seen_ms);
    json_pair_i64(w, "cases_until_found", b->case_at + 1);
    json_pair_cstr(w, "folder", bug->folder);
    json_pair_str(w, "claim", b->claim);
    put_text_or_null(w, "portable", b->portable);
    put_text_or_null(w, "traits", b->traits);
    if (details)
        put_details(w, bug);
    json_end_object(w);
}

bool report__json(const struct report *r, struct strbuf *out, struct err *e)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    (void)e;
    if (r->one && r->n == 1) {
        report_bug_json(&r->bugs[0], true, &w);
    } else {
        json_begin_array(&w);
        for (size_t i = 0; i < r->n; i++)
            report_bug_json(&r->bugs[i], true, &w);
        json_end_array(&w);
    }
    strbuf_addc(out, '\n');
    return true;
}
