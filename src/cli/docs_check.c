/*
 * Decides how documents are run in portions, what is kept between runs, and how findings are
 * listed. Must not know what makes an example wrong (documents/check.h). Invariant: an answer is
 * kept under the hash of its order, so that a check that was stopped continues where it was.
 */
#include "cli/docs_check.h"

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "documents/check.h"
#include "documents/defaults.h"
#include "documents/judged.h"
#include "documents/names.h"
#include "documents/script.h"
#include "target/offline.h"

enum {
    PORTION = 100, /* documents per order */
    SECONDS = 10,  /* for one run of a document */
    DUMP_DEADLINE_MS = 300000,
    RUN_DEADLINE_MS = 1800000,
    RECORDS_MAX = 256 << 20,
    BRIEF_MAX = 150,
};

/* Records --------------------------------------------------------------------------------------*/

static bool dump_records(const struct docs *d, const char *framework, const char *path,
                         struct arena *a, struct err *e)
{
    struct str text;
    const struct offline_job q = {.installation = d->installation,
                                  .home = d->home,
                                  .script = "records.py",
                                  .words = &framework,
                                  .n_words = 1,
                                  .deadline_ms = DUMP_DEADLINE_MS};
    return offline_answer(&q, a, &text, e) && file_make_dirs(d->out, e) &&
           file_write(path, text.at, text.n, e);
}

/* ONNX is no engine: its schemas are read, and its nodes run, where its version converter is. */
static const char *engine_of(const char *framework)
{
    return strcmp(framework, "onnx") == 0 ? "onnx-version-converter" : framework;
}

bool docs_open(const struct settings *s, const char *framework, struct docs *out, struct err *e)
{
    struct arena *a = s->arena;
    struct campaign_place place;
    struct target_list list = {0};
    struct str text;
    if (!campaign_find(s, &place, e) || !targets_load(place.home, a, &out->targets, e) ||
        !targets_resolve(&out->targets, engine_of(framework), a, &list, e))
        return false;
    out->installation = list.at[0]->installation;
    out->home = place.home;
    if (out->installation->library.n)
        return err_set(e, ERR_USAGE, "\"%s\" has no Python documents", framework);
    struct str engine = strcmp(framework, engine_of(framework)) == 0
                            ? out->installation->description->engine
                            : str_of(framework);
    const char *own = arena_printf(a, "%s/docs/" STR_FMT "@" STR_FMT, place.home, STR_ARG(engine),
                                   STR_ARG(out->installation->version));
    out->out = settings_given(s, SETTING_docs_out) ? settings_text(s, SETTING_docs_out) : own;
    const char *path = path_join(a, out->out, "records.jsonl");
    if (file_stat(path).kind == FILE_MISSING && !dump_records(out, str_dup(a, engine), path, a, e))
        return false;
    return file_read(path, RECORDS_MAX, a, &text, e) &&
           api_records_read(text, path, a, &out->records, e);
}

const struct api_record *docs_record(const struct docs *d, struct str symbol, struct arena *a)
{
    if (!str_starts(symbol, STR("tf.")))
        return api_records_find(&d->records, symbol);
    const char *name = arena_printf(a, "tensorflow" STR_FMT, STR_ARG(str_sub(symbol, 2, symbol.n)));
    return api_records_find(&d->records, str_of(name));
}

/* Runs -----------------------------------------------------------------------------------------*/

struct checking {
    const struct settings *s;
    struct docs docs;
    struct arena *a;
    struct document *documents; /* of the records with examples */
    size_t n;
    struct document_findings findings;
    struct document_tally tally;
    struct default_findings defaults;
    struct default_tally default_tally;
    struct name_findings names;
    size_t n_names;
    struct judged judged;
    size_t n_without_text, n_without_example;
};

bool docs_answer(const struct docs *d, const struct docs_job *job, struct str order,
                 struct arena *a, struct str *answer, struct err *e)
{
    char hex[HASH_HEX_SIZE];
    struct hash hash = hash_of(order.at, order.n);
    hash_to_hex(&hash, hex);
    const char *folder = path_join(a, d->out, job->folder);
    const char *path = arena_printf(a, "%s/%.16s.jsonl", folder, hex);
    if (file_stat(path).kind == FILE_REGULAR)
        return file_read(path, job->answer_max, a, answer, e);
    const struct offline_job q = {.installation = d->installation,
                                  .home = d->home,
                                  .script = job->script,
                                  .words = job->words,
                                  .n_words = job->n_words,
                                  .order = order,
                                  .deadline_ms = job->deadline_ms};
    return offline_answer(&q, a, answer, e) && file_make_dirs(folder, e) &&
           file_write(path, answer->at, answer->n, e);
}

/* Runs the documents and gives each its runs. */
static bool run_documents(const struct checking *c, struct document *const *list, size_t n,
                          struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    const struct document_run *runs;
    size_t n_runs;
    struct str answer;
    json_begin_object(&w);
    json_pair_str(&w, "framework", c->docs.records.framework);
    json_pair_i64(&w, "seconds", SECONDS);
    json_key(&w, "documents");
    json_begin_array(&w);
    for (size_t i = 0; i < n; i++)
        document_order(list[i], &w);
    json_end_array(&w);
    json_end_object(&w);
    struct str order = strbuf_dup(&text, c->a);
    strbuf_done(&text);
    const struct docs_job job = {.folder = "runs",
                                 .script = "examples.py",
                                 .deadline_ms = RUN_DEADLINE_MS,
                                 .answer_max = RECORDS_MAX};
    if (!docs_answer(&c->docs, &job, order, c->a, &answer, e) ||
        !document_runs_read(answer, c->a, &runs, &n_runs, e))
        return false;
    if (n_runs != n * DOCUMENT_RUNS)
        return err_set(e, ERR_DATA, "the worker answered for %zu of %zu runs", n_runs,
                       n * (size_t)DOCUMENT_RUNS);
    for (size_t i = 0; i < n; i++)
        document_take(list[i], &runs[i * DOCUMENT_RUNS]);
    return true;
}

static bool run_portion(struct checking *c, struct document *first, size_t n, struct err *e)
{
    struct document **list = arena_new_array(c->a, struct document *, n);
    size_t n_again = 0;
    for (size_t i = 0; i < n; i++)
        list[i] = &first[i];
    if (!run_documents(c, list, n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (document_put_back(&first[i], c->a))
            list[n_again++] = &first[i];
    if (n_again && !run_documents(c, list, n_again, e))
        return false;
    for (size_t i = 0; i < n; i++)
        document_judge(&first[i], c->a, &c->findings, &c->tally);
    return true;
}

static bool run_all(struct checking *c, struct err *e)
{
    for (size_t at = 0; at < c->n; at += PORTION) {
        size_t n = MIN(c->n - at, (size_t)PORTION);
        if (!run_portion(c, &c->documents[at], n, e))
            return err_wrap(e, "documents %zu to %zu", at + 1, at + n);
        log_info("%zu of %zu documents, %zu candidates", at + n, c->n, c->tally.n_wrong);
    }
    return true;
}

/* Takes each text once: methods often share the document of their function. */
static void choose_documents(struct checking *c)
{
    struct map seen = {0};
    c->documents = arena_new_array(c->a, struct document, c->docs.records.n);
    for (size_t i = 0; i < c->docs.records.n; i++) {
        const struct api_record *r = &c->docs.records.at[i];
        bool added;
        c->n_without_text += !r->doc.n;
        if (!r->doc.n)
            continue;
        map_at(&seen, c->a, r->doc, &added);
        if (added) {
            defaults_check(r, c->a, &c->defaults, &c->default_tally);
            names_check(r, c->a, &c->names, &c->n_names);
        }
        struct document *d = &c->documents[c->n];
        document_open(r, c->a, d);
        c->n_without_example += !d->examples.n;
        c->n += d->examples.n && added;
    }
}

/* Findings -------------------------------------------------------------------------------------*/

static const char *const class_names[] = {"ok", "stale", "wrong"};

static struct str brief(struct str text)
{
    struct str line = str_sub(text, 0, str_find_byte(text, '\n'));
    return str_sub(line, 0, BRIEF_MAX);
}

static const char *script_name(const struct checking *c, const struct document_finding *f)
{
    const struct document *d = f->document;
    return arena_printf(c->a, STR_FMT "-%u.py", STR_ARG(d->record->name),
                        d->examples.at[f->at].line);
}

/* "D1", "D3", "right", or "new". */
static const char *verdict_of(const struct checking *c, const char *kind,
                              const struct api_record *r, struct str source)
{
    const struct judged_row *row = judged_find(&c->judged, r->name, kind, source);
    return !row ? "new" : row->class.n ? str_dup(c->a, row->class) : "right";
}

static const char *verdict_of_example(const struct checking *c, const struct document_finding *f)
{
    if (f->class != DOCUMENT_WRONG)
        return class_names[f->class];
    return verdict_of(c, "example", f->document->record, f->document->examples.at[f->at].source);
}

static void finding_to_json(const struct checking *c, const struct document_finding *f,
                            struct json_out *w)
{
    const struct api_record *r = f->document->record;
    const struct example *x = &f->document->examples.at[f->at];
    json_begin_object(w);
    json_pair_str(w, "api", r->name);
    json_pair_str(w, "file", r->file);
    json_pair_i64(w, "line", x->line);
    json_pair_cstr(w, "class", class_names[f->class]);
    json_pair_cstr(w, "verdict", verdict_of_example(c, f));
    json_pair_cstr(w, "kind", f->kind);
    json_pair_bool(w, "follows", f->follows);
    json_pair_str(w, "source", x->source);
    json_pair_str(w, "documented", x->expected);
    json_pair_str(w, "happens", f->printed);
    json_pair_str(w, "detail", f->detail);
    if (f->class == DOCUMENT_WRONG)
        json_pair_cstr(w, "script", script_name(c, f));
    json_end_object(w);
}

static void tally_to_json(const struct checking *c, struct json_out *w)
{
    const struct document_tally *t = &c->tally;
    json_pair_u64(w, "symbols", c->docs.records.n);
    json_pair_u64(w, "without_text", c->n_without_text);
    json_pair_u64(w, "without_example", c->n_without_example);
    json_pair_u64(w, "documents", t->n_documents);
    json_pair_u64(w, "statements", t->n_statements);
    json_pair_u64(w, "with_output", t->n_expected);
    json_pair_u64(w, "equal", t->n_equal);
    json_pair_u64(w, "elided", t->n_elided);
    json_pair_u64(w, "depend_on_seed", t->n_seed);
    json_pair_u64(w, "wrong", t->n_wrong);
    json_pair_u64(w, "stale", t->n_stale);
    json_pair_u64(w, "behind_a_failure", t->n_follow);
    json_key(w, "skipped");
    json_begin_object(w);
    for (size_t i = 0; i < t->skipped.entries.n; i++)
        json_pair_u64(w, str_dup(c->a, t->skipped.entries.at[i].key),
                      t->skipped.entries.at[i].value);
    json_end_object(w);
}

static void defaults_to_json(const struct checking *c, struct json_out *w)
{
    json_pair_u64(w, "defaults_compared", c->default_tally.n_compared);
    json_pair_u64(w, "defaults_not_compared", c->default_tally.n_abstained);
    json_key(w, "defaults");
    json_begin_array(w);
    for (size_t i = 0; i < c->defaults.n; i++) {
        const struct default_finding *f = &c->defaults.at[i];
        json_begin_object(w);
        json_pair_str(w, "api", f->record->name);
        json_pair_str(w, "file", f->record->file);
        json_pair_cstr(w, "verdict", verdict_of(c, "default", f->record, STR("")));
        json_pair_str(w, "parameter", f->parameter);
        json_pair_str(w, "documented", f->documented);
        json_pair_str(w, "actual", f->actual);
        json_pair_str(w, "sentence", f->sentence);
        json_end_object(w);
    }
    json_end_array(w);
}

static void names_to_json(const struct checking *c, struct json_out *w)
{
    json_pair_u64(w, "names_compared", c->n_names);
    json_key(w, "names");
    json_begin_array(w);
    for (size_t i = 0; i < c->names.n; i++) {
        const struct name_finding *f = &c->names.at[i];
        json_begin_object(w);
        json_pair_str(w, "api", f->record->name);
        json_pair_cstr(w, "verdict", verdict_of(c, "name", f->record, STR("")));
        json_pair_str(w, "parameter", f->parameter);
        json_pair_str(w, "instead", f->instead);
        json_pair_str(w, "sentence", f->line);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_json(const struct checking *c, bool all, struct strbuf *text)
{
    struct json_out w = json_open(text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "framework", c->docs.records.framework);
    json_pair_str(&w, "version", c->docs.records.version);
    tally_to_json(c, &w);
    json_key(&w, "findings");
    json_begin_array(&w);
    for (size_t i = 0; i < c->findings.n; i++)
        if (all || c->findings.at[i].class == DOCUMENT_WRONG)
            finding_to_json(c, &c->findings.at[i], &w);
    json_end_array(&w);
    defaults_to_json(c, &w);
    names_to_json(c, &w);
    json_end_object(&w);
}

static void print_line(const struct checking *c, const char *verdict, struct str api,
                       const char *what, struct str text)
{
    if (strcmp(verdict, "right") == 0 && !settings_flag(c->s, SETTING_docs_stale))
        return;
    out_line(str_of(arena_printf(c->a, "%-5s " STR_FMT "  %s  " STR_FMT, verdict, STR_ARG(api),
                                 what, STR_ARG(brief(text)))));
}

static void print_example(const struct checking *c, const struct document_finding *f)
{
    const struct example *x = &f->document->examples.at[f->at];
    const char *what = arena_printf(c->a, "line %u  %s", x->line, f->kind);
    const char *verdict = verdict_of_example(c, f);
    print_line(c, verdict, f->document->record->name, what, f->detail);
    if (strcmp(verdict, "right") != 0)
        out_line(str_of(arena_printf(c->a, "      >>> " STR_FMT, STR_ARG(brief(x->source)))));
}

static void print_findings(const struct checking *c, bool all)
{
    for (size_t i = 0; i < c->findings.n; i++)
        if (all || c->findings.at[i].class == DOCUMENT_WRONG)
            print_example(c, &c->findings.at[i]);
    for (size_t i = 0; i < c->defaults.n; i++) {
        const struct default_finding *f = &c->defaults.at[i];
        const char *what = arena_printf(c->a, "default of " STR_FMT, STR_ARG(f->parameter));
        const char *text = arena_printf(c->a, STR_FMT " is documented, it is " STR_FMT,
                                        STR_ARG(f->documented), STR_ARG(f->actual));
        print_line(c, verdict_of(c, "default", f->record, STR("")), f->record->name, what,
                   str_of(text));
    }
    for (size_t i = 0; i < c->names.n; i++) {
        const struct name_finding *f = &c->names.at[i];
        const char *what = arena_printf(c->a, "name " STR_FMT, STR_ARG(f->parameter));
        print_line(c, verdict_of(c, "name", f->record, STR("")), f->record->name, what, f->line);
    }
}

/* How many findings have each verdict. */
static void count_verdicts(const struct checking *c, struct map *out)
{
    for (size_t i = 0; i < c->findings.n; i++)
        if (c->findings.at[i].class == DOCUMENT_WRONG)
            ++*map_at(out, c->a, str_of(verdict_of_example(c, &c->findings.at[i])), NULL);
    for (size_t i = 0; i < c->defaults.n; i++)
        ++*map_at(out, c->a, str_of(verdict_of(c, "default", c->defaults.at[i].record, STR(""))),
                  NULL);
    for (size_t i = 0; i < c->names.n; i++)
        ++*map_at(out, c->a, str_of(verdict_of(c, "name", c->names.at[i].record, STR(""))), NULL);
}

static size_t count_of(const struct map *m, const char *key)
{
    const uint64_t *n = map_get(m, str_of(key));
    return n ? (size_t)*n : 0;
}

static void print_text(const struct checking *c, bool all)
{
    const struct document_tally *t = &c->tally;
    struct map verdicts = {0};
    print_findings(c, all);
    count_verdicts(c, &verdicts);
    out_putf(STR_FMT " " STR_FMT ": %zu symbols, %zu without text, %zu with text but no example\n",
             STR_ARG(c->docs.records.framework), STR_ARG(c->docs.records.version),
             c->docs.records.n, c->n_without_text, c->n_without_example);
    out_putf("%zu documents with examples, %zu statements, %zu with printed output: %zu equal, %zu "
             "elided, %zu depend on the seed\n",
             t->n_documents, t->n_statements, t->n_expected, t->n_equal, t->n_elided, t->n_seed);
    for (size_t i = 0; i < t->skipped.entries.n; i++)
        out_putf("  %5llu skipped: " STR_FMT "\n",
                 (unsigned long long)t->skipped.entries.at[i].value,
                 STR_ARG(t->skipped.entries.at[i].key));
    out_putf("%zu documented defaults compared, %zu differ; %zu names, %zu unknown\n",
             c->default_tally.n_compared, c->defaults.n, c->n_names, c->names.n);
    out_putf("findings: %zu D1 (wrong document), %zu D3 (wrong code), %zu judged right, %zu new; "
             "%zu stale or cosmetic (D2), %zu after a failure\n",
             count_of(&verdicts, "D1"), count_of(&verdicts, "D3"), count_of(&verdicts, "right"),
             count_of(&verdicts, "new"), t->n_stale, t->n_follow);
    out_putf("scripts in %s\n", path_join(c->a, c->docs.out, "scripts"));
}

static bool write_scripts(const struct checking *c, struct err *e)
{
    const char *folder = path_join(c->a, c->docs.out, "scripts");
    if (!file_remove_tree(folder, e) || !file_make_dirs(folder, e))
        return false;
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct document_finding *f = &c->findings.at[i];
        struct strbuf text = {0};
        if (f->class != DOCUMENT_WRONG)
            continue;
        document_script(f, c->docs.records.framework, &text);
        bool ok = file_write(path_join(c->a, folder, script_name(c, f)), text.at, text.n, e);
        strbuf_done(&text);
        if (!ok)
            return false;
    }
    return true;
}

static bool tell(const struct checking *c, struct err *e)
{
    struct strbuf text = {0};
    put_json(c, true, &text);
    strbuf_addc(&text, '\n');
    bool ok = file_write(path_join(c->a, c->docs.out, "findings.json"), text.at, text.n, e) &&
              write_scripts(c, e);
    strbuf_clear(&text);
    if (!ok) {
        strbuf_done(&text);
        return false;
    }
    if (settings_want_json(c->s)) {
        put_json(c, settings_flag(c->s, SETTING_docs_stale), &text);
        out_json(&text);
        return true;
    }
    strbuf_done(&text);
    print_text(c, settings_flag(c->s, SETTING_docs_stale));
    return true;
}

bool docs_check(const struct settings *s, const char *framework, int *exit_code, struct err *e)
{
    struct checking c = {.s = s, .a = s->arena};
    if (!docs_open(s, framework, &c.docs, e) ||
        !judged_load(c.docs.records.framework, s->arena, &c.judged, e))
        return false;
    choose_documents(&c);
    if (!run_all(&c, e) || !tell(&c, e))
        return false;
    if (c.tally.n_wrong || c.defaults.n || c.names.n)
        *exit_code = EXIT_FOUND;
    return true;
}
