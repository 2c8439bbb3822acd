/* assay docs: the documents of an installed framework as records, and as tests. */
#include "cli/command.h"
#include "cli/docs_check.h"
#include "cli/docs_foretell.h"
#include "cli/docs_seeds.h"
#include "documents/draft.h"
#include "documents/example.h"
#include "documents/sentence.h"

/* Prints one fact of a record: a line that begins with the kind of fact. */
static void print_fact(struct arena *a, const char *what, struct str text)
{
    out_line(str_of(arena_printf(a, "%-10s " STR_FMT, what, STR_ARG(text))));
}

static void print_record(const struct api_record *r, struct arena *a)
{
    struct sentences list;
    struct example_list examples;
    print_fact(a, str_dup(a, r->kind), r->name);
    for (size_t i = 1; i < r->n_names; i++)
        print_fact(a, "also", r->names[i]);
    if (r->file.n)
        print_fact(a, "file", r->file);
    for (size_t i = 0; i < r->n_schemas; i++)
        print_fact(a, "schema", r->schemas[i]);
    for (size_t i = 0; i < r->n_parameters; i++) {
        const struct api_parameter *p = &r->parameters[i];
        print_fact(a, "parameter",
                   str_of(arena_printf(a, STR_FMT "%s" STR_FMT, STR_ARG(p->name),
                                       p->has_default ? "=" : "", STR_ARG(p->value))));
    }
    sentences_of(r->doc, a, &list);
    for (size_t i = 0; i < list.n; i++)
        print_fact(a, list.at[i].constraint ? list.at[i].constraint : "says", list.at[i].text);
    example_find(r->doc, a, &examples);
    print_fact(a, "examples", str_of(arena_printf(a, "%zu statements", examples.n)));
}

static void put_record(const struct api_record *r, struct arena *a)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    struct sentences list;
    json_begin_object(&w);
    json_pair_str(&w, "name", r->name);
    json_pair_str(&w, "op", r->op);
    json_pair_str(&w, "kind", r->kind);
    json_pair_str(&w, "file", r->file);
    json_key(&w, "schemas");
    json_begin_array(&w);
    for (size_t i = 0; i < r->n_schemas; i++)
        json_put_str(&w, r->schemas[i]);
    json_end_array(&w);
    sentences_of(r->doc, a, &list);
    json_key(&w, "sentences");
    json_begin_array(&w);
    for (size_t i = 0; i < list.n; i++) {
        json_begin_object(&w);
        json_pair_str(&w, "text", list.at[i].text);
        if (list.at[i].constraint)
            json_pair_cstr(&w, "constraint", list.at[i].constraint);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    out_json(&text);
}

/* The framework of a name, or the name itself if it is one. */
static struct str framework_of(const char *name)
{
    return str_sub(str_of(name), 0, str_find_byte(str_of(name), '.'));
}

static bool show(const struct settings *s, const char *name, struct err *e)
{
    struct docs docs = {0};
    if (!docs_open(s, str_dup(s->arena, framework_of(name)), &docs, e))
        return false;
    const struct api_record *r = api_records_find(&docs.records, str_of(name));
    if (!r)
        return err_set(e, ERR_USAGE, "no public name \"%s\" in " STR_FMT " " STR_FMT, name,
                       STR_ARG(docs.records.framework), STR_ARG(docs.records.version));
    if (settings_want_json(s))
        put_record(r, s->arena);
    else
        print_record(r, s->arena);
    return true;
}

static bool draft(const struct settings *s, const char *name, struct err *e)
{
    struct strbuf text = {0};
    struct str framework = framework_of(name);
    struct str api = framework.n < strlen(name) ? str_of(name) : STR("");
    size_t n;
    bool ok = document_drafts(framework, api, s->arena, &text, &n, e);
    if (ok && !n)
        ok = err_set(e, ERR_USAGE, "docs draft: no judged defect of \"%s\"", name);
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    return ok;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    if (s->n_args == 2 && strcmp(s->args[0], "draft") == 0)
        return draft(s, s->args[1], e);
    if (s->n_args == 2 && strcmp(s->args[0], "check") == 0)
        return docs_check(s, s->args[1], exit_code, e);
    if (s->n_args == 2 && strcmp(s->args[0], "foretell") == 0)
        return docs_foretell(s, s->args[1], exit_code, e);
    if (s->n_args == 2 && strcmp(s->args[0], "seeds") == 0)
        return docs_seeds(s, s->args[1], e);
    if (s->n_args == 1)
        return show(s, s->args[0], e);
    return err_set(
        e, ERR_USAGE,
        "docs: check, foretell, seeds or draft with a framework, or the full name of an API is "
        "expected");
}

const struct command command_docs = {
    .name = "docs",
    .arguments = "check FRAMEWORK|foretell FRAMEWORK|seeds FRAMEWORK|draft FRAMEWORK|API",
    .summary = "documents of a framework run as tests, and as records",
    .details =
        "check runs every documented example of an installed framework in the sandbox and compares "
        "what it prints with what the\ndocument shows, and documented defaults and names with "
        "signatures. D1: the document is wrong, D3: the code is, new: not\njudged yet. Each "
        "finding has a script that exits 1 while it lives. A stopped check continues where "
        "it was.\nforetell predicts calls with one parameter changed, runs them, and prints "
        "coverage, accuracy and calibration. With --llm a\nlanguage model predicts a sample of "
        "them instead, from the document alone and several times each: the share of equal\n"
        "replies is its confidence; with --corpus the calls that snippets of issues make, as they "
        "stand. seeds searches and prints the calls that foretell changes. draft "
        "prints judged defects of a framework, or of one API,\nin the form of the project's "
        "tracker. An API by its full name: its record,\nits sentences, and which of them state "
        "constraints.",
    .examples = "  assay docs check torch\n  assay docs foretell torch\n  "
                "assay docs foretell torch --corpus all\n  assay docs foretell torch --llm "
                "http://127.0.0.1:8080 --llm-seconds 3600\n  assay "
                "docs torch.addbmm",
    .run = run,
};
