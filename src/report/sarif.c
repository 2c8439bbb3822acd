/*
 * SARIF 2.1.0 (OASIS standard): a rule for each oracle and class, a result for each bug; its
 * location is the reproducer's file, its primaryLocationLineHash the strict key.
 */
#include "base/compiler.h"
#include "base/map.h"
#include "report/report_p.h"
#include "report/uri_p.h"

static const char schema[] = "https://json.schemastore.org/sarif-2.1.0.json";

static const char *rule_of(const struct store_bug *b, struct arena *a)
{
    return arena_printf(a, STR_FMT "/" STR_FMT, STR_ARG(b->oracle), STR_ARG(b->class));
}

/* Accepted by a person, or by the project's file of known defects. */
static bool is_accepted(const struct store_bug *b)
{
    return str_is(b->state, "ignored") || store_bug_is_known(b);
}

static const char *level_of(const struct store_bug *b)
{
    if (is_accepted(b) || store_bug_needs_opinion(b))
        return "none";
    return str_cmp(b->severity, STR("S2")) <= 0 ? "error"
           : str_is(b->severity, "S3")          ? "warning"
                                                : "note";
}

static void put_text(struct json_out *w, const char *key, struct str text)
{
    json_key(w, key);
    json_begin_object(w);
    json_pair_str(w, "text", text.n ? text : STR("-"));
    json_end_object(w);
}

static void put_rules(const struct report *r, struct map *rules, struct arena *a,
                      struct json_out *w)
{
    bool added;
    json_key(w, "rules");
    json_begin_array(w);
    for (size_t i = 0; i < r->n; i++) {
        const char *name = rule_of(&r->bugs[i].row, a);
        uint64_t *at = map_at(rules, a, str_of(name), &added);
        if (!added)
            continue;
        *at = rules->entries.n - 1;
        json_begin_object(w);
        json_pair_cstr(w, "id", name);
        put_text(w, "shortDescription", str_of(name));
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_location(const struct report_bug *bug, struct json_out *w)
{
    struct strbuf uri = {0};
    report__add_uri(bug->row.folder, &uri);
    strbuf_adds(&uri, uri.n ? "/reproduce.py" : "reproduce.py");
    json_key(w, "locations");
    json_begin_array(w);
    json_begin_object(w);
    json_key(w, "physicalLocation");
    json_begin_object(w);
    json_key(w, "artifactLocation");
    json_begin_object(w);
    json_pair_str(w, "uri", strbuf_str(&uri));
    json_end_object(w);
    json_key(w, "region");
    json_begin_object(w);
    json_pair_i64(w, "startLine", 1);
    json_end_object(w);
    json_end_object(w);
    json_end_object(w);
    json_end_array(w);
    strbuf_done(&uri);
}

static void put_suppressions(const struct store_bug *b, struct json_out *w)
{
    json_key(w, "suppressions");
    json_begin_array(w);
    json_begin_object(w);
    json_pair_cstr(w, "kind", "external");
    json_pair_cstr(w, "status", "accepted");
    json_pair_str(w, "justification", b->reason);
    json_end_object(w);
    json_end_array(w);
}

static void put_result(const struct report_bug *bug, const struct map *rules, struct arena *a,
                       struct json_out *w)
{
    const struct store_bug *b = &bug->row;
    const char *name = rule_of(b, a);
    struct strbuf text = {0};
    strbuf_printf(&text, STR_FMT ": " STR_FMT, STR_ARG(b->title),
                  STR_ARG(b->claim.n ? b->claim : b->outcome));
    json_begin_object(w);
    json_pair_cstr(w, "ruleId", name);
    json_pair_u64(w, "ruleIndex", *map_get(rules, str_of(name)));
    if (store_bug_needs_opinion(b))
        json_pair_cstr(w, "kind", "review"); /* the standard's word for what a person must decide */
    json_pair_cstr(w, "level", level_of(b));
    put_text(w, "message", strbuf_str(&text));
    put_location(bug, w);
    if (is_accepted(b))
        put_suppressions(b, w);
    json_key(w, "partialFingerprints");
    json_begin_object(w);
    json_pair_str(w, "primaryLocationLineHash", b->key);
    json_end_object(w);
    json_key(w, "properties");
    json_begin_object(w);
    json_pair_str(w, "id", b->id);
    json_pair_str(w, "severity", b->severity);
    json_pair_str(w, "taxonomy", b->taxonomy);
    json_end_object(w);
    json_end_object(w);
    strbuf_done(&text);
}

bool report__sarif(const struct report *r, struct strbuf *out, struct err *e)
{
    struct arena a;
    struct map rules = {0};
    struct json_out w = json_open(out, JSON_PRETTY);
    (void)e;
    arena_init(&a);
    json_begin_object(&w);
    json_pair_cstr(&w, "$schema", schema);
    json_pair_cstr(&w, "version", "2.1.0");
    json_key(&w, "runs");
    json_begin_array(&w);
    json_begin_object(&w);
    json_key(&w, "tool");
    json_begin_object(&w);
    json_key(&w, "driver");
    json_begin_object(&w);
    json_pair_cstr(&w, "name", "assay");
    if (r->version && *r->version)
        json_pair_cstr(&w, "version", r->version);
    put_rules(r, &rules, &a, &w);
    json_end_object(&w);
    json_end_object(&w);
    json_key(&w, "results");
    json_begin_array(&w);
    for (size_t i = 0; i < r->n; i++)
        put_result(&r->bugs[i], &rules, &a, &w);
    json_end_array(&w);
    json_end_object(&w);
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(out, '\n');
    arena_done(&a);
    return true;
}
