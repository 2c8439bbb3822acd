/* Decides which writer makes a bug's script: that of its case's kind. */
#include "case/subject.h"
#include "report/report_p.h"
#include "report/script_p.h"

bool report__write_script(const struct report_bug *b, const char *version, struct strbuf *out,
                          struct err *e)
{
    static bool (*const rows[])(const struct report_bug *, const char *, struct strbuf *,
                                struct err *) = {script__write_graph, script__write_program};
    if (!b->c)
        return err_set(e, ERR_DATA, "bug " STR_FMT ": %s", STR_ARG(b->row.id),
                       b->why_no_case ? b->why_no_case : "its case is gone");
    return rows[case_subject(b->c)->kind](b, version, out, e);
}

bool report__script(const struct report *r, struct strbuf *out, struct err *e)
{
    if (r->n != 1)
        return err_set(e, ERR_USAGE, "a script reproduces one bug: name its id");
    return report__write_script(&r->bugs[0], r->version, out, e);
}
