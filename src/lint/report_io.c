/* Reports as JSON and back. Keys are short: the cache is read at every start. */
#include "lint/report_io.h"

#include "base/vec.h"

enum {
    EDIT_FIELDS = 13,
    RELATED_FIELDS = 12
}; /* start, end, text, and two places of five numbers */

static void put_place(struct json_out *w, const struct source_place *p)
{
    json_put_u64(w, p->cell);
    json_put_u64(w, p->line);
    json_put_u64(w, p->column);
    json_put_u64(w, p->utf16);
    json_put_u64(w, p->offset);
}

static void put_finding(const struct finding *f, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "c", f->code);
    json_pair_i64(w, "k", f->confidence);
    json_pair_str(w, "m", f->message);
    json_pair_str(w, "t", f->line_text);
    json_pair_str(w, "x", f->context);
    json_pair_bool(w, "n", f->is_note);
    json_key(w, "p");
    json_begin_array(w);
    put_place(w, &f->start);
    put_place(w, &f->end);
    json_put_u64(w, f->span.start);
    json_put_u64(w, f->span.end);
    json_put_u64(w, f->first_line);
    json_put_u64(w, f->last_line);
    json_end_array(w);
    json_key(w, "r");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->n_related; i++) {
        json_begin_array(w);
        json_put_str(w, f->related[i].message);
        put_place(w, &f->related[i].start);
        put_place(w, &f->related[i].end);
        json_put_str(w, f->related[i].path);
        json_end_array(w);
    }
    json_end_array(w);
    if (f->fix.safety != SAFETY_NONE) {
        json_pair_i64(w, "s", f->fix.safety);
        json_pair_str(w, "ft", f->fix.title);
        json_key(w, "e");
        json_begin_array(w);
        for (uint32_t i = 0; i < f->fix.n_edits; i++) {
            json_put_u64(w, f->fix.edits[i].start);
            json_put_u64(w, f->fix.edits[i].end);
            json_put_str(w, f->fix.edits[i].text);
            put_place(w, &f->fix.edits[i].from);
            put_place(w, &f->fix.edits[i].to);
        }
        json_end_array(w);
    }
    json_end_object(w);
}

void report_write(const struct file_report *r, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "path", r->path);
    json_pair_bool(w, "a", r->is_analysed);
    json_pair_bool(w, "b", r->is_notebook);
    json_pair_bool(w, "f", r->has_failed);
    json_pair_bool(w, "d", r->is_damaged);
    json_key(w, "l");
    json_begin_array(w);
    for (size_t i = 0; i < r->n; i++)
        put_finding(&r->findings[i], w);
    json_end_array(w);
    json_end_object(w);
}

static struct str copy(struct arena *a, struct str s)
{
    return (struct str){str_dup(a, s), s.n};
}

static uint32_t number(const struct json *list, size_t at)
{
    return at < list->n ? (uint32_t)list->items[at].integer : 0;
}

static struct source_place read_place(const struct json *list, size_t at)
{
    return (struct source_place){number(list, at), number(list, at + 1), number(list, at + 2),
                                 number(list, at + 3), number(list, at + 4)};
}

static bool is_related(const struct json *j)
{
    return j->kind == JSON_KIND_ARRAY && j->n == RELATED_FIELDS &&
           j->items[0].kind == JSON_KIND_STRING &&
           j->items[RELATED_FIELDS - 1].kind == JSON_KIND_STRING;
}

/* False: this program does not write such JSON. */
static bool read_related(const struct json *j, struct arena *a, struct finding *out)
{
    const struct json *list = json_get(j, "r");
    struct finding_related *at = arena_new_array(a, struct finding_related, list ? list->n : 0);
    for (size_t i = 0; list && i < list->n; i++) {
        const struct json *one = &list->items[i];
        if (!is_related(one))
            return false;
        at[i] = (struct finding_related){read_place(one, 1), read_place(one, 6),
                                         copy(a, one->items[0].string),
                                         copy(a, one->items[RELATED_FIELDS - 1].string)};
    }
    out->related = at;
    out->n_related = list ? (uint32_t)list->n : 0;
    return true;
}

static void read_fix(const struct json *j, struct arena *a, struct finding *out)
{
    const struct json *list = json_get(j, "e");
    if (!list)
        return;
    struct finding_edit *edits = arena_new_array(a, struct finding_edit, list->n / EDIT_FIELDS);
    for (size_t i = 0; i + EDIT_FIELDS <= list->n; i += EDIT_FIELDS)
        edits[i / EDIT_FIELDS] = (struct finding_edit){
            number(list, i), number(list, i + 1), copy(a, list->items[i + 2].string),
            read_place(list, i + 3), read_place(list, i + 8)};
    out->fix = (struct finding_fix){(enum safety)json_get_i64(j, "s", 0),
                                    copy(a, json_get_str(j, "ft", STR(""))), edits,
                                    (uint32_t)(list->n / EDIT_FIELDS)};
}

static bool read_finding(const struct json *j, const struct rule_set *rules, struct arena *a,
                         struct finding *out)
{
    const struct rule *rule = rule_find(rules, json_get_str(j, "c", STR("")));
    const struct json *places = json_get(j, "p");
    if (!rule || !places || places->kind != JSON_KIND_ARRAY || places->n != 14)
        return false;
    *out = (struct finding){.code = rule->code,
                            .name = rule->name,
                            .severity = rule->severity,
                            .help = rule->fix,
                            .confidence = (enum confidence)json_get_i64(j, "k", 0),
                            .message = copy(a, json_get_str(j, "m", STR(""))),
                            .line_text = copy(a, json_get_str(j, "t", STR(""))),
                            .context = copy(a, json_get_str(j, "x", STR(""))),
                            .is_note = json_get_bool(j, "n", false),
                            .start = read_place(places, 0),
                            .end = read_place(places, 5),
                            .span = {number(places, 10), number(places, 11)},
                            .first_line = number(places, 12),
                            .last_line = number(places, 13)};
    read_fix(j, a, out);
    return read_related(j, a, out);
}

bool report_read(const struct json *j, const struct rule_set *rules, struct arena *a,
                 struct file_report *out)
{
    const struct json *list = json_get(j, "l");
    if (!list || list->kind != JSON_KIND_ARRAY)
        return false;
    *out = (struct file_report){.path = copy(a, json_get_str(j, "path", STR(""))),
                                .is_analysed = json_get_bool(j, "a", false),
                                .is_notebook = json_get_bool(j, "b", false),
                                .has_failed = json_get_bool(j, "f", false),
                                .is_damaged = json_get_bool(j, "d", false),
                                .n = list->n};
    out->findings = arena_new_array(a, struct finding, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!read_finding(&list->items[i], rules, a, &out->findings[i]))
            return false;
    return true;
}
