/* Decides how a table of operators is shown as Python. Must not know what a form's braces mean. */
#include "base/share.h"
#include "emit/emit_p.h"

#include <string.h>

static void print_form(const char *form, struct strbuf *out)
{
    static const char rank[] = "{#nd}"; /* a part of a name */
    strbuf_adds(out, "    ");
    for (const char *c = form + (*form == '=' || *form == '*'); *c; c++) {
        if (*c != '{') {
            strbuf_addc(out, *c);
            continue;
        }
        bool is_condition = strchr("?!-", c[1]) != NULL;
        bool is_rank = strncmp(c, rank, sizeof rank - 1) == 0;
        strbuf_adds(out, is_condition ? "" : is_rank ? "2" : "_");
        c = strchr(c, '}');
    }
    strbuf_addc(out, '\n');
}

bool emit_print_table(struct str framework, struct strbuf *out)
{
    const struct emit_framework *f = emit__framework(framework);
    struct str helpers;
    if (!f || !share_find(f->helpers, &helpers))
        return false;
    strbuf_addstr(out, helpers);
    strbuf_printf(out, "\n\n%s", f->imports);
    for (size_t i = 0; i < f->n_rows; i++) {
        strbuf_printf(out, "\n\ndef %s(_):\n", f->rows[i].op_type);
        for (size_t k = 0; k < EMIT_FORMS_MAX && f->rows[i].forms[k]; k++)
            print_form(f->rows[i].forms[k], out);
    }
    return true;
}
