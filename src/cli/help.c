/* Help texts and manual pages, from the command's entry and the rows of settings that apply to it.
 */
#include <ctype.h>

#include "base/str.h"
#include "cli/command.h"

static void add_padded(struct strbuf *out, const char *text, size_t width)
{
    size_t n = strlen(text);
    strbuf_adds(out, text);
    for (; n < width; n++)
        strbuf_addc(out, ' ');
}

/* "-o, --out DIR" */
static void add_flag(struct strbuf *out, const struct setting_row *row)
{
    if (row->letter)
        strbuf_printf(out, "-%c, ", row->letter);
    strbuf_printf(out, "--%s", row->name);
    if (row->argument)
        strbuf_printf(out, " %s", row->argument);
}

/* "one of a|b; default b": what the help says after a row's text */
static void add_limits(struct strbuf *out, const struct setting_row *row)
{
    if (row->kind == SETTING_KIND_CHOICE)
        strbuf_printf(out, " [%s]", row->limits);
    if (row->otherwise && row->kind != SETTING_KIND_FLAG)
        strbuf_printf(out, " (default %s)", row->otherwise);
}

static void print_options(const struct command *c, struct strbuf *out)
{
    enum { FLAG_WIDTH = 26 };
    strbuf_adds(out, "\noptions:\n");
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting_row *row = setting_row((enum setting_id)id);
        struct strbuf flag = {0};
        if (!setting_applies((enum setting_id)id, c->name))
            continue;
        add_flag(&flag, row);
        strbuf_adds(out, "  ");
        add_padded(out, flag.at, FLAG_WIDTH);
        if (flag.n >= FLAG_WIDTH)
            add_padded(out, "\n  ", FLAG_WIDTH + 3);
        strbuf_adds(out, row->help);
        add_limits(out, row);
        strbuf_addc(out, '\n');
        strbuf_done(&flag);
    }
}

struct exit_row {
    int number;
    const char *meaning;
};
static const struct exit_row exit_rows[] = {
#define EXIT_CODE(name, number, meaning) {number, meaning},
#include "cli/exit_codes.def"
#undef EXIT_CODE
};

static void print_program(struct strbuf *out)
{
    strbuf_adds(
        out,
        "assay finds bugs in deep-learning frameworks, compilers and engines, and silent bugs in\n"
        "programs written on them.\n\nusage: assay COMMAND [options]\n\ncommands:\n");
    size_t n;
    const struct command *const *commands = command_list(&n);
    for (size_t i = 0; i < n; i++) {
        if (commands[i]->hidden)
            continue;
        strbuf_adds(out, "  ");
        add_padded(out, commands[i]->name, 10);
        strbuf_printf(out, "%s\n", commands[i]->summary);
    }
    strbuf_adds(out, "\nexit codes (lint: 0, 1, 2):\n");
    for (size_t i = 0; i < COUNT_OF(exit_rows); i++)
        strbuf_printf(out, "  %-9d %s\n", exit_rows[i].number, exit_rows[i].meaning);
    strbuf_adds(
        out, "\nassay COMMAND --help explains one command; assay --version prints the version.\n");
}

void help_print(const struct command *c, struct strbuf *out)
{
    if (!c) {
        print_program(out);
        return;
    }
    strbuf_printf(out, "usage: assay %s [options]%s%s\n\n%s\n", c->name, c->arguments[0] ? " " : "",
                  c->arguments, c->summary);
    if (c->details)
        strbuf_printf(out, "\n%s\n", c->details);
    print_options(c, out);
    if (c->examples)
        strbuf_printf(out, "\nexamples:\n%s\n", c->examples);
}

/* Text for man(7): backslashes and leading dots are escaped, hyphens kept as typed. */
static void add_man_text(struct strbuf *out, const char *text)
{
    bool line_start = true;
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            strbuf_addc(out, '\\');
        if (line_start && (*c == '.' || *c == '\''))
            strbuf_adds(out, "\\&");
        if (*c == '-')
            strbuf_addc(out, '\\');
        strbuf_addc(out, *c);
        line_start = *c == '\n';
    }
}

void help_print_man(const struct command *c, struct strbuf *out)
{
    strbuf_adds(out, ".TH ASSAY\\-");
    for (const char *n = c->name; *n; n++)
        strbuf_addc(out, (char)toupper((unsigned char)*n));
    strbuf_printf(out, " 1\n.SH NAME\nassay\\-%s \\- ", c->name);
    add_man_text(out, c->summary);
    strbuf_printf(out, "\n.SH SYNOPSIS\n.B assay %s\n[options] ", c->name);
    add_man_text(out, c->arguments);
    if (c->details) {
        strbuf_adds(out, "\n.SH DESCRIPTION\n");
        add_man_text(out, c->details);
    }
    strbuf_adds(out, "\n.SH OPTIONS\n");
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting_row *row = setting_row((enum setting_id)id);
        struct strbuf flag = {0}, help = {0};
        if (!setting_applies((enum setting_id)id, c->name))
            continue;
        add_flag(&flag, row);
        strbuf_adds(&help, row->help);
        add_limits(&help, row);
        strbuf_adds(out, ".TP\n.B ");
        add_man_text(out, flag.at);
        strbuf_addc(out, '\n');
        add_man_text(out, help.at);
        strbuf_addc(out, '\n');
        strbuf_done(&flag);
        strbuf_done(&help);
    }
    if (!c->fails_with_two)
        strbuf_adds(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; !c->fails_with_two && i < COUNT_OF(exit_rows); i++) {
        strbuf_printf(out, ".TP\n.B %d\n", exit_rows[i].number);
        add_man_text(out, exit_rows[i].meaning);
        strbuf_addc(out, '\n');
    }
    if (c->examples) {
        strbuf_adds(out, ".SH EXAMPLES\n.nf\n");
        add_man_text(out, c->examples);
        strbuf_adds(out, "\n.fi\n");
    }
}
