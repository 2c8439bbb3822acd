/* Explains a rule: as a page of the manual in Markdown, and as plain text. */
#include "lint/rule.h"

static const char *default_text(const struct rule *r)
{
    return r->is_default ? "on" : "off";
}

static void add_examples(struct strbuf *out, const char *head, const struct str *list, size_t n)
{
    if (!n)
        return;
    strbuf_printf(out, "\n## %s\n", head);
    for (size_t i = 0; i < n; i++)
        strbuf_printf(out, "\n```python\n" STR_FMT "```\n", STR_ARG(list[i]));
}

void rule_page(const struct rule *r, struct strbuf *out)
{
    strbuf_printf(out, "# " STR_FMT ": " STR_FMT "\n\n" STR_FMT ".\n\n", STR_ARG(r->code),
                  STR_ARG(r->name), STR_ARG(r->summary));
    strbuf_printf(out, "Severity: %s. By default: %s.", finding_severity_name(r->severity),
                  default_text(r));
    if (r->pattern)
        strbuf_printf(out, " Pattern %u of the study.", r->pattern);
    if (r->n_supersedes) {
        strbuf_adds(out, " Reported instead of");
        for (size_t i = 0; i < r->n_supersedes; i++)
            strbuf_printf(out, "%s " STR_FMT, i ? "," : "", STR_ARG(r->supersedes[i]));
        strbuf_addc(out, '.');
    }
    strbuf_printf(out, "\n\n## Why\n\n" STR_FMT "\n", STR_ARG(r->explanation));
    if (r->why_off.n)
        strbuf_printf(out, "\n## Why it is off\n\n" STR_FMT "\n", STR_ARG(r->why_off));
    add_examples(out, "Bad", r->bad, r->n_bad);
    add_examples(out, "Good", r->good, r->n_good);
    strbuf_printf(out, "\n## Fix\n\n" STR_FMT "\n", STR_ARG(r->fix));
}

void rule_explain(const struct rule *r, struct strbuf *out)
{
    strbuf_printf(out, STR_FMT " " STR_FMT " (%s, %s by default)\n\n" STR_FMT ".\n\n" STR_FMT "\n",
                  STR_ARG(r->code), STR_ARG(r->name), finding_severity_name(r->severity),
                  default_text(r), STR_ARG(r->summary), STR_ARG(r->explanation));
    if (r->why_off.n)
        strbuf_printf(out, "\nOff by default: " STR_FMT "\n", STR_ARG(r->why_off));
    for (size_t i = 0; i < r->n_bad; i++)
        strbuf_printf(out, "\nBad:\n\n" STR_FMT, STR_ARG(r->bad[i]));
    for (size_t i = 0; i < r->n_good; i++)
        strbuf_printf(out, "\nGood:\n\n" STR_FMT, STR_ARG(r->good[i]));
    strbuf_printf(out, "\nFix: " STR_FMT "\n", STR_ARG(r->fix));
}
