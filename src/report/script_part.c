/*
 * What the reproducers of graphs share, as models and as emitted programs: the fixed parts of
 * share/script/, the opening docstring, which check is made, and how far a number may be off.
 */
#include <math.h>

#include "base/compiler.h"
#include "base/share.h"
#include "judge/judge.h"
#include "report/report_p.h"
#include "report/script_p.h"

#define LIMIT_DEFAULT 1e-3
enum { ROUNDINGS = 16 };

bool script__part(const char *name, struct str *text, struct err *e)
{
    char path[200];
    snprintf(path, sizeof path, "script/%s.py", name);
    return share_find(path, text) ||
           err_set(e, ERR_UNSUPPORTED, "no reproducer is known for engine %s", name);
}

/* A paragraph of a docstring: line breaks of a message become blanks. */
static void add_paragraph(struct str text, struct strbuf *out)
{
    struct strbuf line = {0};
    for (struct str part; str_split(&text, '\n', &part);) {
        strbuf_addc(&line, ' ');
        strbuf_add_line(&line, part);
    }
    for (size_t i = 1; i < line.n; i++) {
        if (strchr("\"\\", line.at[i]))
            strbuf_addc(out, '\\');
        strbuf_addc(out, line.at[i]);
    }
    strbuf_adds(out, "\n\n");
    strbuf_done(&line);
}

void script__docstring(const struct report_bug *b, const char *version, struct strbuf *out)
{
    const struct store_bug *row = &b->row;
    strbuf_adds(out, "\"\"\"");
    add_paragraph(row->title, out);
    add_paragraph(row->claim, out);
    strbuf_adds(out, "Found with ");
    report__target(row, out);
    strbuf_printf(out,
                  " by assay %s, bug " STR_FMT ", severity " STR_FMT
                  ".\nExits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked "
                  "here.\n\"\"\"\n\n",
                  version ? version : "", STR_ARG(row->id), STR_ARG(row->severity));
}

/* The mode in the engine's description; NULL: none. */
static const struct json *find_mode(const struct json *description, struct str mode)
{
    const struct json *modes = json_get(description, "modes");
    for (size_t i = 0; modes && i < modes->n; i++)
        if (str_eq(json_get_str(&modes->items[i], "name", STR("")), mode))
            return &modes->items[i];
    return NULL;
}

const struct json *script__mode_options(const struct json *description, struct str mode)
{
    const struct json *found = find_mode(description, mode);
    return found ? json_get(found, "options") : NULL;
}

/* A process that the script starts has another pid, and is then emulated too. */
void script__cpu(const struct json *description, struct str mode, struct strbuf *out)
{
    const struct json *found = find_mode(description, mode);
    struct str cpu = found ? json_get_str(found, "cpu", STR("")) : STR("");
    if (!cpu.n)
        return;
    strbuf_printf(
        out,
        "import os\nimport shutil\nimport sys\n\n"
        "# It shows on a CPU that lacks instructions of this one: QEMU emulates " STR_FMT ".\n"
        "if os.environ.get(\"EMULATED\") != str(os.getpid()):\n"
        "    emulator = shutil.which(\"qemu-x86_64\")\n"
        "    if not emulator:\n"
        "        print(\"cannot be checked here: qemu-x86_64 is missing (Debian: qemu-user)\")\n"
        "        sys.exit(2)\n"
        "    os.environ[\"EMULATED\"] = str(os.getpid())\n"
        "    os.execv(emulator, [emulator, \"-cpu\", \"" STR_FMT
        "\", sys.executable, *sys.argv])\n\n",
        STR_ARG(cpu), STR_ARG(cpu));
}

const char *script__check(const struct store_bug *b)
{
    static const char *const raised[] = {"exception", "internal-error", "assertion",
                                         "oom-allocator"};
    enum against against = oracle_against(b->oracle);
    if (str_is(b->class, "wrong-result"))
        return against == AGAINST_RERUN         ? "bits"
               : against == AGAINST_DIFFERENCES ? "gradient"
                                                : "values";
    for (size_t i = 0; i < COUNT_OF(raised); i++)
        if (str_is(b->outcome, raised[i]))
            return "error";
    return "died";
}

/* The magnitude that the verdict's error is relative to: that of its slice of the output, which may
 * be far below the largest value. NAN: the verdict lacks one of its two numbers. */
static double scale_of(const struct store_bug *b)
{
    double scale = fabs(b->observed - b->expected) / b->measure;
    return str_is(b->wrong, "value") && b->measure > 0 && isfinite(scale) && scale > 0
               ? scale
               : (double)NAN;
}

/* How far an element may be off: the oracle's threshold times the scale that it was measured by. At
 * least the rounding of the largest value, but so little that the observed error does not pass. */
double script__tolerance(const struct store_bug *b, const struct value *v)
{
    double scale = scale_of(b);
    double top = v->scales ? 1e-30 : dtype_unit(v->dtype) * v->noise_scale;
    bool usable = b->threshold > 0 && isfinite(b->threshold) &&
                  (!(b->measure > 0) || b->threshold < b->measure);
    double limit = usable ? b->threshold : LIMIT_DEFAULT;
    if (!dtype_is_float(v->dtype) && !usable)
        return 0;
    for (size_t i = 0; i < v->n; i++) {
        double x = fabs(value_get_double(v, i));
        if (isfinite(x) && !(v->undefined && v->undefined[i]))
            top = MAX(top, x);
    }
    if (isnan(scale))
        return limit * top;
    double allowed = usable ? limit * scale : limit * top;
    allowed = MAX(allowed, ROUNDINGS * dtype_unit(v->dtype) * top);
    return MIN(allowed, fabs(b->observed - b->expected) / 2);
}

size_t script__output_at(const struct graph *g, struct str name)
{
    for (size_t i = 0; i < g->outputs.n; i++)
        if (str_eq(g->values.at[g->outputs.at[i]].name, name))
            return i;
    return 0;
}
