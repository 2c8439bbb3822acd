/*
 * JUnit XML in the dialect that Jenkins and GitLab read: a test suite per engine, a test case per
 * bug; bugs that count fail, others are skipped.
 */
#include "base/compiler.h"
#include "report/lint_p.h"
#include "report/report_p.h"

static void add_case(const struct report_bug *bug, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    strbuf_adds(out, "    <testcase classname=\"");
    lint__add_xml(out, b->engine);
    strbuf_adds(out, ".");
    lint__add_xml(out, b->mode);
    strbuf_adds(out, "\" name=\"");
    lint__add_xml(out, b->id);
    strbuf_adds(out, " ");
    lint__add_xml(out, b->title);
    strbuf_adds(out, "\">\n      ");
    bool fails = store_bug_counts(b);
    strbuf_adds(out, fails ? "<failure message=\"" : "<skipped message=\"");
    lint__add_xml(out, fails ? b->claim : b->reason.n ? b->reason : b->state);
    if (fails) {
        strbuf_adds(out, "\">");
        lint__add_xml(out, b->key);
        strbuf_adds(out, "</failure>\n");
    } else {
        strbuf_adds(out, "\"/>\n");
    }
    strbuf_adds(out, "    </testcase>\n");
}

bool report__junit(const struct report *r, struct strbuf *out, struct err *e)
{
    size_t n_failures = 0;
    (void)e;
    for (size_t i = 0; i < r->n; i++)
        n_failures += store_bug_counts(&r->bugs[i].row);
    strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    strbuf_printf(out,
                  "  <testsuite name=\"assay\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
                  r->n, n_failures, r->n - n_failures);
    for (size_t i = 0; i < r->n; i++)
        add_case(&r->bugs[i], out);
    strbuf_adds(out, "  </testsuite>\n</testsuites>\n");
    return true;
}
