/* json, json-lines: ruff's field names (code, filename, location, end_location, message, fix with
 * edits of content, location and end_location), and our own: confidence and related. */
#include "report/lint_p.h"

static void put_location(struct json_out *w, const char *key, const struct source_place *p)
{
    json_key(w, key);
    json_begin_object(w);
    json_pair_u64(w, "column", p->column);
    json_pair_u64(w, "row", p->line);
    json_end_object(w);
}

static void put_fix(const struct finding *f, struct json_out *w)
{
    json_key(w, "fix");
    if (f->fix.safety == SAFETY_NONE) {
        json_put_null(w);
        return;
    }
    json_begin_object(w);
    json_pair_cstr(w, "applicability", safety_name(f->fix.safety));
    json_key(w, "edits");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->fix.n_edits; i++) {
        json_begin_object(w);
        json_pair_str(w, "content", f->fix.edits[i].text);
        put_location(w, "end_location", &f->fix.edits[i].to);
        put_location(w, "location", &f->fix.edits[i].from);
        json_end_object(w);
    }
    json_end_array(w);
    json_pair_str(w, "message", f->fix.title);
    json_end_object(w);
}

void lint__json_finding(const struct lint_run *run, const struct file_report *file,
                        const struct finding *f, struct json_out *w)
{
    struct strbuf url = {0};
    (void)run;
    lint_rule_url(f, &url);
    json_begin_object(w);
    json_key(w, "cell");
    if (f->start.cell)
        json_put_u64(w, f->start.cell);
    else
        json_put_null(w);
    json_pair_str(w, "code", f->code);
    json_pair_cstr(w, "confidence", confidence_name(f->confidence));
    put_location(w, "end_location", &f->end);
    json_pair_str(w, "filename", file->path);
    put_fix(f, w);
    put_location(w, "location", &f->start);
    json_pair_str(w, "message", f->message);
    json_pair_str(w, "name", f->name);
    json_pair_u64(w, "noqa_row", f->start.line + (f->last_line - f->first_line));
    json_key(w, "related");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->n_related; i++) {
        json_begin_object(w);
        put_location(w, "location", &f->related[i].start);
        put_location(w, "end_location", &f->related[i].end);
        if (f->related[i].path.n)
            json_pair_str(w, "filename", f->related[i].path);
        json_pair_str(w, "message", f->related[i].message);
        json_end_object(w);
    }
    json_end_array(w);
    json_pair_cstr(w, "severity", finding_severity_name(f->severity));
    json_key(w, "url");
    if (url.n)
        json_put_str(w, strbuf_str(&url));
    else
        json_put_null(w);
    json_end_object(w);
    strbuf_done(&url);
}

void lint__write_json(const struct lint_run *run, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            lint__json_finding(run, &run->files[i], &run->files[i].findings[k], &w);
    json_end_array(&w);
    strbuf_addc(out, '\n');
}

void lint__write_json_lines(const struct lint_run *run, struct strbuf *out)
{
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++) {
            struct json_out w = json_open(out, JSON_COMPACT);
            lint__json_finding(run, &run->files[i], &run->files[i].findings[k], &w);
            strbuf_addc(out, '\n');
        }
}
