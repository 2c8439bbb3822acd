/*
 * Reduction of programs: a state is Python source; a trial is a candidate if it parses without
 * errors. Only its answer says whether it still fails in the same way, and whether it runs without
 * optimisations.
 */
#include "case/subject.h"
#include "python/reading.h"
#include "reduce/program_p.h"

static const struct pass passes[] = {
#define PASS(id, name, start, share) {name, start, share, pass__count_##id, pass__apply_##id},
#include "reduce/program_passes.def"
#undef PASS
};

static bool open_program(const struct tcase *c, uint32_t input_set, struct str family,
                         struct arena *a, struct state *out, struct err *e)
{
    struct err no_table;
    (void)input_set;
    out->program = case_program(c);
    struct reader *reader = arena_new(a, struct reader);
    if (!reader_open(reader, str_dup(a, family), &no_table))
        return py_parser_open(&out->parser, e);
    out->reader = reader;
    out->parser = reader->parser;
    return true;
}

static void close_program(struct state *first)
{
    if (first->reader)
        reader_close(first->reader);
    else
        py_parser_close(first->parser);
}

static void begin(const struct state *from, struct trial *t)
{
    t->source = from->program->source;
}

/* The functions of a program for several frameworks: they make the same call, and stay as they are.
 * Empty: the program is of one framework, and all of it may change. */
static struct str fixed_part(const struct program *p)
{
    struct str mark = STR("\nSYMBOLS = ");
    size_t at = p->framework.n ? p->source.n : str_find(p->source, mark);
    return str_sub(p->source, at, p->source.n);
}

static bool settle(struct trial *t, const struct state *first, struct state *out)
{
    struct tree tree;
    if (!str_ends(t->source, fixed_part(first->program)))
        return false;
    if (!program__parse(first->parser, t->source, t->a, &tree) || tree.damage.n > 0)
        return false;
    struct program *p = arena_dup(t->a, t->from->program, sizeof *p);
    p->source = t->source;
    out->program = p;
    out->parser = first->parser;
    out->reader = first->reader;
    out->inputs = t->inputs;
    return true;
}

static void fill(const struct state *s, struct tcase *c)
{
    c->program = s->program;
}

const struct reduce_subject reduce__program = {
    passes, COUNT_OF(passes), open_program, close_program,
    begin,  settle,           fill,         pass__count_statements};
