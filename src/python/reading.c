/* Reads programs with their parts. */
#include "python/reading.h"

#include "base/share.h"

bool reader_open(struct reader *r, const char *framework, struct err *e)
{
    struct str text;
    *r = (struct reader){0};
    arena_init(&r->arena);
    const char *name = arena_printf(&r->arena, "decompose/%s.json", framework);
    bool ok = share_find(name, &text) ||
              err_set(e, ERR_USAGE, "no table of the framework \"%s\"", framework);
    ok = ok && framework_table_read(text, name, &r->arena, &r->table, e) &&
         py_parser_open(&r->parser, e);
    if (!ok) {
        arena_done(&r->arena);
        return false;
    }
    r->paths = paths_new(r->parser);
    r->n_words = py_parser_word_count(r->parser);
    r->n_paths = paths_count(r->paths);
    return true;
}

void reader_close(struct reader *r)
{
    paths_free(r->paths);
    py_parser_close(r->parser);
    arena_done(&r->arena);
}

bool reading_make(struct reader *r, struct str text, struct arena *a, struct reading *out)
{
    const struct source_input in = {STR("program.py"), text, SOURCE_FILE};
    struct err ignored;
    *out = (struct reading){0};
    if (!source_open(&in, &(struct source_limits){0}, a, &out->source, &ignored) ||
        !tree_read(r->parser, &out->source, a, &out->tree, &ignored))
        return false;
    names_build(&out->tree, r->paths, &(struct names_options){0}, a, &out->names);
    decompose(&out->tree, &out->names, &r->table, a, &out->parts);
    return true;
}
