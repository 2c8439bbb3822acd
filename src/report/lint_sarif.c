/* sarif: Static Analysis Results Interchange Format 2.1.0 (OASIS). Columns are UTF-16 units. */
#include "report/lint_p.h"
#include "report/uri_p.h"

static const char *const levels[] = {"note", "warning", "error"};

static void put_message(struct json_out *w, const char *key, struct str text)
{
    json_key(w, key);
    json_begin_object(w);
    json_pair_str(w, "text", text);
    json_end_object(w);
}

/* Holds the text of the rule's page, since the pages have no public address to link to. */
static void put_help(const struct rule *rule, struct json_out *w)
{
    struct strbuf page = {0};
    rule_page(rule, &page);
    json_key(w, "help");
    json_begin_object(w);
    json_pair_str(w, "text", rule->fix);
    json_pair_str(w, "markdown", strbuf_str(&page));
    json_end_object(w);
    strbuf_done(&page);
}

static void put_rules(const struct lint_run *run, struct json_out *w)
{
    size_t n;
    const struct rule *rules = rule_list(run->rules, &n);
    json_key(w, "rules");
    json_begin_array(w);
    for (size_t i = 0; i < n; i++) {
        json_begin_object(w);
        json_pair_str(w, "id", rules[i].code);
        json_pair_str(w, "name", rules[i].name);
        put_message(w, "shortDescription", rules[i].summary);
        put_message(w, "fullDescription", rules[i].explanation);
        put_help(&rules[i], w);
        json_key(w, "defaultConfiguration");
        json_begin_object(w);
        json_pair_cstr(w, "level", levels[rules[i].severity]);
        json_end_object(w);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_region(struct json_out *w, const char *key, const struct source_place *start,
                       const struct source_place *end)
{
    json_key(w, key);
    json_begin_object(w);
    json_pair_u64(w, "startLine", start->line);
    json_pair_u64(w, "startColumn", start->utf16 + 1);
    json_pair_u64(w, "endLine", end->line);
    json_pair_u64(w, "endColumn", end->utf16 + 1);
    json_end_object(w);
}

static void put_artifact(struct json_out *w, struct str path)
{
    struct strbuf uri = {0};
    report__add_uri(path, &uri);
    json_key(w, "artifactLocation");
    json_begin_object(w);
    json_pair_str(w, "uri", strbuf_str(&uri));
    json_end_object(w);
    strbuf_done(&uri);
}

static void put_location(struct json_out *w, struct str path, const struct source_place *start,
                         const struct source_place *end)
{
    json_key(w, "physicalLocation");
    json_begin_object(w);
    put_artifact(w, path);
    put_region(w, "region", start, end);
    json_end_object(w);
}

/* Lines of a notebook's findings count within cells, not in the file, so a fix could not be applied
 * by them. */
static void put_fixes(const struct file_report *file, const struct finding *f, struct json_out *w)
{
    if (f->fix.safety == SAFETY_NONE || file->is_notebook)
        return;
    json_key(w, "fixes");
    json_begin_array(w);
    json_begin_object(w);
    put_message(w, "description", f->fix.title);
    json_key(w, "artifactChanges");
    json_begin_array(w);
    json_begin_object(w);
    put_artifact(w, file->path);
    json_key(w, "replacements");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->fix.n_edits; i++) {
        json_begin_object(w);
        put_region(w, "deletedRegion", &f->fix.edits[i].from, &f->fix.edits[i].to);
        if (f->fix.edits[i].text.n)
            put_message(w, "insertedContent", f->fix.edits[i].text);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
}

static void put_result(const struct lint_run *run, const struct file_report *file,
                       const struct finding *f, struct json_out *w)
{
    size_t n;
    const struct rule *rules = rule_list(run->rules, &n), *rule = rule_find(run->rules, f->code);
    json_begin_object(w);
    json_pair_str(w, "ruleId", f->code);
    if (rule)
        json_pair_u64(w, "ruleIndex", (uint64_t)(rule - rules));
    json_pair_cstr(w, "level", levels[f->severity]);
    put_message(w, "message", f->message);
    json_key(w, "locations");
    json_begin_array(w);
    json_begin_object(w);
    put_location(w, file->path, &f->start, &f->end);
    json_end_object(w);
    json_end_array(w);
    json_key(w, "relatedLocations");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->n_related; i++) {
        json_begin_object(w);
        json_pair_u64(w, "id", i + 1);
        put_location(w, f->related[i].path.n ? f->related[i].path : file->path,
                     &f->related[i].start, &f->related[i].end);
        put_message(w, "message", f->related[i].message);
        json_end_object(w);
    }
    json_end_array(w);
    put_fixes(file, f, w);
    json_key(w, "properties");
    json_begin_object(w);
    json_pair_cstr(w, "confidence", confidence_name(f->confidence));
    json_end_object(w);
    json_end_object(w);
}

void lint__write_sarif(const struct lint_run *run, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_cstr(&w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_pair_cstr(&w, "version", "2.1.0");
    json_key(&w, "runs");
    json_begin_array(&w);
    json_begin_object(&w);
    json_pair_cstr(&w, "columnKind", "utf16CodeUnits");
    json_key(&w, "tool");
    json_begin_object(&w);
    json_key(&w, "driver");
    json_begin_object(&w);
    json_pair_cstr(&w, "name", "assay");
    json_pair_cstr(&w, "version", run->version);
    put_rules(run, &w);
    json_end_object(&w);
    json_end_object(&w);
    json_key(&w, "results");
    json_begin_array(&w);
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            put_result(run, &run->files[i], &run->files[i].findings[k], &w);
    json_end_array(&w);
    json_end_object(&w);
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(out, '\n');
}
