/*
 * Decides what a program's reproducer consists of: the program as text, how the engine runs it in a
 * mode (PROGRAM_RUNNER of case/subject.h, which the campaign keeps beside the case), and the
 * comparison of the mode at fault with the engine's base mode. It exits 1 while the bug lives, 0
 * when it is gone, 2 when the program does not run at all. A program that is written for several
 * frameworks (oracle pairs) is a plain program itself: the script makes its calls and compares.
 */
#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "case/subject.h"
#include "emit/literal.h"
#include "judge/pair_tolerances.h"
#include "report/python_p.h"
#include "report/report_p.h"
#include "report/script_p.h"

enum { RUNNER_MAX = 1 << 20 };

/* The mode that the others are compared with, as the verdicts name it. */
static struct str base_mode(const struct report_bug *b)
{
    for (size_t i = 0; i < b->verdicts.n; i++) {
        const struct target_id *t = &b->verdicts.at[i].target;
        if (t->is_base && str_eq(t->engine, b->row.engine))
            return t->mode;
    }
    return STR("");
}

static void add_constant(const char *name, struct str text, struct strbuf *out)
{
    strbuf_printf(out, "%s = ", name);
    literal_string(text, out);
    strbuf_addc(out, '\n');
}

/* The program line by line, so that it can be read. */
static void add_source(struct str source, struct strbuf *out)
{
    struct str rest = source, line;
    strbuf_adds(out, "SOURCE = \"\\n\".join([\n");
    while (str_split(&rest, '\n', &line)) {
        strbuf_adds(out, "    ");
        literal_string(line, out);
        strbuf_adds(out, ",\n");
    }
    strbuf_adds(out, "])\n");
}

static void add_docstring(const struct report_bug *b, const char *version, struct strbuf *out)
{
    struct strbuf target = {0};
    report__target(&b->row, &target);
    strbuf_printf(out,
                  "\"\"\"" STR_FMT " in " STR_FMT
                  ". assay %s\n\nExits 1 while the bug lives, 0 when it is gone.\n\"\"\"\n\n",
                  STR_ARG(b->row.title), STR_ARG(strbuf_str(&target)), version ? version : "");
    strbuf_done(&target);
}

/* The oracle's tolerances, coarsest first, for the comparison. */
static void add_tolerances(struct strbuf *out)
{
    static const struct {
        const char *name, *complex_name;
        double relative;
    } rows[] = {
#define PAIR_TOLERANCE(dtype, name, complex_name, relative) {name, complex_name, relative},
#include "judge/pair_tolerances.def"
#undef PAIR_TOLERANCE
    };
    strbuf_adds(out, "TOLERANCES = {");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        strbuf_printf(out, "%s\"%s\": %g", i ? ", " : "", rows[i].name, rows[i].relative);
        if (*rows[i].complex_name)
            strbuf_printf(out, ", \"%s\": %g", rows[i].complex_name, rows[i].relative);
    }
    strbuf_printf(out, "}\nZEROS_SCALE = %g\n", PAIR_ZEROS_SCALE);
}

/* The program, whose functions make one call in each framework, and the comparison. */
static bool write_paired(const struct report_bug *b, const char *version, struct strbuf *out,
                         struct err *e)
{
    const struct program *p = case_program(b->c);
    struct str compare;
    if (!script__part("pairs", &compare, e))
        return false;
    add_docstring(b, version, out);
    strbuf_adds(out, "import os\nimport subprocess\nimport sys\nimport tempfile\n\n");
    strbuf_addstr(out, p->source);
    strbuf_adds(out, "\n\n");
    add_constant("ENTRY", p->entry, out);
    add_constant("BLAMED", b->row.engine, out);
    add_tolerances(out);
    strbuf_adds(out, "\n\n");
    strbuf_addstr(out, compare);
    return true;
}

bool script__write_program(const struct report_bug *b, const char *version, struct strbuf *out,
                           struct err *e)
{
    struct arena a;
    struct str runner, compare, base = base_mode(b);
    const struct program *p = case_program(b->c);
    char id[HASH_HEX_SIZE];
    if (p->entry.n && !p->framework.n)
        return write_paired(b, version, out, e);
    arena_init(&a);
    bool ok = b->folder && base.n && share_find("script/program.py", &compare) &&
              file_read(path_join(&a, b->folder, PROGRAM_RUNNER), RUNNER_MAX, &a, &runner, e);
    if (!ok) {
        arena_done(&a);
        return err_set(e, ERR_UNSUPPORTED,
                       "bug " STR_FMT ": how " STR_FMT
                       " runs a program alone is not known; the program is in its folder",
                       STR_ARG(b->row.id), STR_ARG(b->row.engine));
    }
    add_docstring(b, version, out);
    strbuf_adds(out, "import linecache\nimport os\nimport pickle\nimport subprocess\nimport "
                     "sys\nimport types\n");
    strbuf_addstr(out, runner);
    strbuf_adds(out, "\n\n");
    hash_to_hex(&b->c->id, id);
    add_constant("CASE", str_of(id), out); /* seeds generators, as the worker does */
    add_constant("ENTRY", p->entry, out);
    add_constant("BASE", base, out);
    add_constant("MODE", b->row.mode, out);
    add_constant("PLACE", b->row.output, out);
    strbuf_printf(out, "IF_BASE_RAISES = %d\n",
                  str_starts(b->row.claim, STR("accepts what")) ? 1 : 2);
    add_source(p->source, out);
    strbuf_adds(out, "\n\n");
    strbuf_addstr(out, compare);
    arena_done(&a);
    return true;
}
