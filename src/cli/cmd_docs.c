/* assay docs: the documents of an installed framework as records, and as tests. */
#include "cli/command.h"
#include "cli/docs_check.h"
#include "cli/docs_foretell.h"

static void print_strings(const char *what, const struct str *list, size_t n, struct arena *a)
{
    for (size_t i = 0; i < n; i++)
        out_line(str_of(arena_printf(a, "%s  " STR_FMT, what, STR_ARG(list[i]))));
}

static bool show(const struct settings *s, const char *name, struct err *e)
{
    struct docs docs = {0};
    struct str framework = str_sub(str_of(name), 0, str_find_byte(str_of(name), '.'));
    if (!docs_open(s, str_dup(s->arena, framework), &docs, e))
        return false;
    const struct api_record *r = api_records_find(&docs.records, str_of(name));
    if (!r)
        return err_set(e, ERR_USAGE, "no public name \"%s\" in " STR_FMT " " STR_FMT, name,
                       STR_ARG(docs.records.framework), STR_ARG(docs.records.version));
    out_line(str_of(arena_printf(s->arena, STR_FMT "  " STR_FMT "  " STR_FMT, STR_ARG(r->kind),
                                 STR_ARG(r->name), STR_ARG(r->file))));
    print_strings("name", r->names, r->n_names, s->arena);
    print_strings("schema", r->schemas, r->n_schemas, s->arena);
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    if (s->n_args == 2 && strcmp(s->args[0], "check") == 0)
        return docs_check(s, s->args[1], exit_code, e);
    if (s->n_args == 2 && strcmp(s->args[0], "foretell") == 0)
        return docs_foretell(s, s->args[1], exit_code, e);
    if (s->n_args == 1)
        return show(s, s->args[0], e);
    return err_set(
        e, ERR_USAGE,
        "docs: \"check FRAMEWORK\", \"foretell FRAMEWORK\" or the full name of an API is expected");
}

const struct command command_docs = {
    .name = "docs",
    .arguments = "check FRAMEWORK|foretell FRAMEWORK|API",
    .summary = "documents of a framework run as tests, and as records",
    .details = "check runs every documented example of an installed framework in the sandbox and "
               "compares what it prints "
               "with what the\ndocument shows. Findings are candidates for a person: document or "
               "code is wrong. Each has a script that exits 1 while it\nlives. A check that was "
               "stopped goes on where it was.",
    .examples = "  assay docs check torch\n  assay docs torch.addbmm",
    .run = run,
};
