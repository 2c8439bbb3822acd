/* junit: as ruff writes it: one suite per file with findings, one failed case per finding; without
 * findings one case that passed. */
#include "base/path.h"
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

/* The path without its ending, used as the name of a class. */
static struct str class_of(struct str path)
{
    struct str base = path_base(path), end = path_extension(base);
    return str_sub(path, 0, path.n - end.n);
}

static void add_case(const struct file_report *file, const struct finding *f, struct strbuf *out)
{
    strbuf_printf(out, "    <testcase name=\"" STR_FMT "\" classname=\"", STR_ARG(f->code));
    lint__add_xml(out, class_of(file->path));
    strbuf_printf(out,
                  "\" line=\"%u\" column=\"%u\">\n      <properties>\n        <property "
                  "name=\"severity\" value=\"%s\"/>\n      </properties>\n",
                  f->start.line, f->start.column, finding_severity_name(f->severity));
    strbuf_adds(out, "      <failure message=\"");
    lint__add_xml(out, f->message);
    strbuf_printf(out, "\">line %u, col %u, ", f->start.line, f->start.column);
    lint__add_xml(out, f->message);
    strbuf_adds(out, "</failure>\n    </testcase>\n");
}

static void add_counts(struct strbuf *out, uint64_t n_tests, uint64_t n_failures)
{
    strbuf_printf(out, "\" tests=\"%llu\" skipped=\"0\" failures=\"%llu\" errors=\"0\"",
                  (unsigned long long)n_tests, (unsigned long long)n_failures);
}

void lint__write_junit(const struct lint_run *run, struct strbuf *out)
{
    uint64_t n_findings = lint__count(run, false);
    strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay");
    add_counts(out, MAX(n_findings, UINT64_C(1)), n_findings);
    strbuf_adds(out, ">\n");
    if (!n_findings)
        strbuf_adds(out, "  <testsuite name=\"assay\" tests=\"1\" skipped=\"0\" failures=\"0\" "
                         "errors=\"0\" package=\"assay\">\n    <testcase name=\"No errors found\" "
                         "classname=\"assay\"/>\n  </testsuite>\n");
    for (size_t i = 0; i < run->n_files; i++) {
        const struct file_report *file = &run->files[i];
        if (!file->n)
            continue;
        strbuf_adds(out, "  <testsuite name=\"");
        lint__add_xml(out, file->path);
        add_counts(out, file->n, file->n);
        strbuf_adds(out, " package=\"assay\">\n");
        for (size_t k = 0; k < file->n; k++)
            add_case(file, &file->findings[k], out);
        strbuf_adds(out, "  </testsuite>\n");
    }
    strbuf_adds(out, "</testsuites>\n");
}
