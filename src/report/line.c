/* Decides how a bug looks in one line, for lists and the screen. */
#include "base/compiler.h"
#include "report/report_p.h"

enum { OPS_SHOWN = 60 };

/* "Pad+MaxPool", cut to a maximal length. */
static void add_ops(struct str ops, struct strbuf *out)
{
    struct str rest = ops, op;
    size_t n = 0, begin = out->n;
    while (ops.n && str_split(&rest, ' ', &op)) {
        if (out->n - begin > OPS_SHOWN) {
            strbuf_adds(out, "+...");
            return;
        }
        strbuf_adds(out, n++ ? "+" : "");
        strbuf_add_line(out, op);
    }
}

void report_bug_line(const struct store_bug *b, struct strbuf *out)
{
    strbuf_printf(out, "[" STR_FMT "] " STR_FMT "  ", STR_ARG(b->severity), STR_ARG(b->id));
    report__target(b, out);
    if (b->pass.n) {
        strbuf_addc(out, ':');
        strbuf_add_line(out, b->pass);
    }
    strbuf_adds(out, "  ");
    add_ops(b->ops, out);
    if (b->dtype.n) {
        strbuf_adds(out, " (");
        strbuf_add_line(out, b->dtype);
        strbuf_addc(out, ')');
    }
    if (str_is(b->wrong, "bits"))
        strbuf_adds(out, "  differs when run again");
    else if (str_is(b->class, "wrong-result"))
        strbuf_printf(out, "  wrong " STR_FMT, STR_ARG(b->wrong));
    else
        strbuf_printf(out, "  " STR_FMT, STR_ARG(b->outcome.n ? b->outcome : b->class));
    if (b->threshold > 0 && str_is(b->class, "wrong-result"))
        strbuf_printf(out, " %.0e", b->measure);
    if (b->n > 0)
        strbuf_printf(out, "  %lld/%lld", (long long)b->k, (long long)b->n);
    strbuf_printf(out, "  %lld node%s", (long long)b->nodes, b->nodes == 1 ? "" : "s");
    if (b->traits.n) {
        strbuf_adds(out, "  ");
        strbuf_add_line(out, b->traits);
    }
    if (!str_is(b->state, "confirmed"))
        strbuf_printf(out, "  " STR_FMT, STR_ARG(b->state));
    if (b->merged_into.n)
        strbuf_printf(out, ", merged into " STR_FMT, STR_ARG(b->merged_into));
}
