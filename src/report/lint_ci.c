/* github, azure, gitlab, rdjson, pylint: what continuous integration reads as annotations. */
#include "base/hash.h"
#include "report/lint_p.h"

/* Commands of GitHub and Azure end at a newline, which is escaped, like what would end a property
 * (`also`). */
static void add_escaped(struct strbuf *out, struct str text, const char *also)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '%' || c < 0x20 || strchr(also, (char)c))
            strbuf_printf(out, "%%%02X", c);
        else
            strbuf_addc(out, (char)c);
    }
}

static void for_each(const struct lint_run *run, struct strbuf *out,
                     void (*fn)(const struct file_report *, const struct finding *,
                                struct strbuf *))
{
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            fn(&run->files[i], &run->files[i].findings[k], out);
}

static void add_github(const struct file_report *file, const struct finding *f, struct strbuf *out)
{
    static const char *const commands[] = {"notice", "warning", "error"};
    strbuf_printf(out, "::%s title=assay (" STR_FMT "),file=", commands[f->severity],
                  STR_ARG(f->code));
    add_escaped(out, file->path, ",:");
    strbuf_printf(out, ",line=%u,col=%u,endLine=%u,endColumn=%u::", f->start.line, f->start.column,
                  f->end.line, f->end.column);
    add_escaped(out, file->path, "");
    strbuf_printf(out, ":%u:%u: " STR_FMT " ", f->start.line, f->start.column, STR_ARG(f->code));
    add_escaped(out, f->message, "");
    strbuf_addc(out, '\n');
}

void lint__write_github(const struct lint_run *run, struct strbuf *out)
{
    for_each(run, out, add_github);
}

static void add_azure(const struct file_report *file, const struct finding *f, struct strbuf *out)
{
    strbuf_printf(out, "##vso[task.logissue type=%s;sourcepath=",
                  f->severity == SEVERITY_ERROR ? "error" : "warning");
    add_escaped(out, file->path, ";]");
    strbuf_printf(out, ";linenumber=%u;columnnumber=%u;code=" STR_FMT ";]", f->start.line,
                  f->start.column, STR_ARG(f->code));
    add_escaped(out, f->message, "");
    strbuf_addc(out, '\n');
}

void lint__write_azure(const struct lint_run *run, struct strbuf *out)
{
    for_each(run, out, add_azure);
}

static void add_pylint(const struct file_report *file, const struct finding *f, struct strbuf *out)
{
    strbuf_printf(out, STR_FMT ":%u: [" STR_FMT "] ", STR_ARG(file->path), f->start.line,
                  STR_ARG(f->code));
    for (size_t i = 0; i < f->message.n; i++)
        strbuf_addc(out, f->message.at[i] == '\n' ? ' ' : f->message.at[i]);
    strbuf_addc(out, '\n');
}

void lint__write_pylint(const struct lint_run *run, struct strbuf *out)
{
    for_each(run, out, add_pylint);
}

/* Code Climate's format; the fingerprint stays the same when lines move. */
static void put_gitlab(const struct file_report *file, const struct finding *f, size_t nth,
                       struct json_out *w)
{
    static const char *const severities[] = {"info", "minor", "major"};
    char hex[HASH_HEX_SIZE];
    struct hasher h;
    hasher_init(&h);
    hasher_add_str(&h, file->path);
    hasher_add_str(&h, f->code);
    hasher_add_str(&h, f->context);
    hasher_add_u64(&h, nth);
    struct hash id = hasher_done(&h);
    hash_to_hex(&id, hex);
    json_begin_object(w);
    json_pair_str(w, "check_name", f->code);
    json_pair_str(w, "description", f->message);
    json_pair_cstr(w, "severity", severities[f->severity]);
    json_pair_cstr(w, "fingerprint", hex);
    json_key(w, "location");
    json_begin_object(w);
    json_pair_str(w, "path", file->path);
    json_key(w, "positions");
    json_begin_object(w);
    const struct source_place *const ends[] = {&f->start, &f->end};
    for (int i = 0; i < 2; i++) {
        json_key(w, i ? "end" : "begin");
        json_begin_object(w);
        json_pair_u64(w, "line", ends[i]->line);
        json_pair_u64(w, "column", ends[i]->column);
        json_end_object(w);
    }
    json_end_object(w);
    json_end_object(w);
    json_end_object(w);
}

void lint__write_gitlab(const struct lint_run *run, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < run->n_files; i++) {
        const struct file_report *file = &run->files[i];
        for (size_t k = 0; k < file->n; k++) {
            size_t nth = 0;
            for (size_t before = 0; before < k; before++)
                nth += str_eq(file->findings[before].code, file->findings[k].code) &&
                       str_eq(file->findings[before].context, file->findings[k].context);
            put_gitlab(file, &file->findings[k], nth, &w);
        }
    }
    json_end_array(&w);
    strbuf_addc(out, '\n');
}

static void put_rdjson_range(struct json_out *w, const struct source_place *start,
                             const struct source_place *end)
{
    const struct source_place *const ends[] = {start, end};
    json_key(w, "range");
    json_begin_object(w);
    for (int i = 0; i < 2; i++) {
        json_key(w, i ? "end" : "start");
        json_begin_object(w);
        json_pair_u64(w, "line", ends[i]->line);
        json_pair_u64(w, "column", ends[i]->column);
        json_end_object(w);
    }
    json_end_object(w);
}

/* Lines of a notebook's findings count within cells, not in the file, so a fix could not be applied
 * by them. */
static void put_suggestions(const struct file_report *file, const struct finding *f,
                            struct json_out *w)
{
    if (f->fix.safety == SAFETY_NONE || file->is_notebook)
        return;
    json_key(w, "suggestions");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->fix.n_edits; i++) {
        json_begin_object(w);
        put_rdjson_range(w, &f->fix.edits[i].from, &f->fix.edits[i].to);
        json_pair_str(w, "text", f->fix.edits[i].text);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_rdjson(const struct file_report *file, const struct finding *f, struct json_out *w)
{
    static const char *const severities[] = {"INFO", "WARNING", "ERROR"};
    struct strbuf url = {0};
    lint_rule_url(f, &url);
    json_begin_object(w);
    json_key(w, "code");
    json_begin_object(w);
    if (url.n)
        json_pair_str(w, "url", strbuf_str(&url));
    json_pair_str(w, "value", f->code);
    json_end_object(w);
    json_key(w, "location");
    json_begin_object(w);
    json_pair_str(w, "path", file->path);
    put_rdjson_range(w, &f->start, &f->end);
    json_end_object(w);
    json_pair_str(w, "message", f->message);
    json_pair_cstr(w, "severity", severities[f->severity]);
    put_suggestions(file, f, w);
    json_end_object(w);
    strbuf_done(&url);
}

void lint__write_rdjson(const struct lint_run *run, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    json_begin_object(&w);
    json_key(&w, "diagnostics");
    json_begin_array(&w);
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            put_rdjson(&run->files[i], &run->files[i].findings[k], &w);
    json_end_array(&w);
    json_pair_cstr(&w, "severity", "WARNING");
    json_key(&w, "source");
    json_begin_object(&w);
    json_pair_cstr(&w, "name", "assay");
    json_end_object(&w);
    json_end_object(&w);
    strbuf_addc(out, '\n');
}
