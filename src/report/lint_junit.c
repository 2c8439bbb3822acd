/* junit: one suite a file, one failed case a finding; a clean file is a passed case. */
#include "report/lint_p.h"

void lint__add_xml(struct strbuf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.at[i];
        switch (c) {
        case '<':
            strbuf_adds(out, "&lt;");
            break;
        case '>':
            strbuf_adds(out, "&gt;");
            break;
        case '&':
            strbuf_adds(out, "&amp;");
            break;
        case '"':
            strbuf_adds(out, "&quot;");
            break;
        default:
            strbuf_addc(out, c < 0x20 && c != '\t' && c != '\n' ? '?' : (char)c);
        }
    }
}

static void add_case(const struct finding *f, struct strbuf *out)
{
    strbuf_printf(out, "    <testcase name=\"" STR_FMT "\" line=\"%u\" column=\"%u\">\n",
                  STR_ARG(f->code), f->start.line, f->start.column);
    strbuf_adds(out, "      <failure message=\"");
    lint__add_xml(out, f->message);
    strbuf_printf(out, "\">line %u, col %u, ", f->start.line, f->start.column);
    lint__add_xml(out, f->message);
    strbuf_adds(out, "</failure>\n    </testcase>\n");
}

void lint__write_junit(const struct lint_run *run, struct strbuf *out)
{
    strbuf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" "
                  "tests=\"%zu\" failures=\"%llu\" errors=\"0\">\n",
                  run->n_files, (unsigned long long)lint__count(run, false));
    for (size_t i = 0; i < run->n_files; i++) {
        const struct file_report *file = &run->files[i];
        strbuf_adds(out, "  <testsuite name=\"");
        lint__add_xml(out, file->path);
        strbuf_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" package=\"assay\">\n",
                      file->n ? file->n : 1, file->n);
        for (size_t k = 0; k < file->n; k++)
            add_case(&file->findings[k], out);
        if (!file->n)
            strbuf_adds(out, "    <testcase name=\"no findings\"/>\n");
        strbuf_adds(out, "  </testsuite>\n");
    }
    strbuf_adds(out, "</testsuites>\n");
}
