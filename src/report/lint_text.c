/* concise, full, grouped: findings for people. Messages may hold any bytes of the source: control
 * characters are shown as '?'. */
#include "report/lint_p.h"

static const char *const colors[] = {"\033[36m", "\033[33m", "\033[31m"};

static void paint(const struct lint_run *run, struct strbuf *out, const char *color)
{
    if (run->color)
        strbuf_adds(out, color);
}

static void add_plain(struct strbuf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.at[i];
        strbuf_addc(out, c < 0x20 && c != '\t' ? '?' : (char)c);
    }
}

static void add_place(const struct lint_run *run, const struct file_report *file,
                      const struct source_place *p, struct strbuf *out)
{
    paint(run, out, "\033[1m");
    add_plain(out, file->path);
    paint(run, out, "\033[0m");
    if (p->cell)
        strbuf_printf(out, ":cell %u", p->cell);
    strbuf_printf(out, ":%u:%u", p->line, p->column);
}

static void add_head(const struct lint_run *run, const struct finding *f, struct strbuf *out)
{
    paint(run, out, colors[f->severity]);
    strbuf_addstr(out, f->code);
    paint(run, out, "\033[0m");
    strbuf_addc(out, ' ');
    if (lint__is_fixable(run, f))
        strbuf_adds(out, "[*] ");
    add_plain(out, f->message);
    if (f->confidence == CONFIDENCE_LOW)
        strbuf_adds(out, " (low confidence)");
    strbuf_addc(out, '\n');
}

/* Counts the fixes that the user wanted but that were not applied. */
static void add_refused(const struct lint_run *run, struct strbuf *out)
{
    for (size_t i = 0; i < run->n_files; i++) {
        uint32_t n = run->files[i].n_refused;
        if (!n)
            continue;
        add_plain(out, run->files[i].path);
        strbuf_printf(out, ": %u fix%s left out: the file could not be read with %s.\n", n,
                      n == 1 ? "" : "es", n == 1 ? "it" : "them");
    }
}

static void add_closing(const struct lint_run *run, struct strbuf *out)
{
    if (run->quiet)
        return;
    add_refused(run, out);
    uint64_t n = lint__count(run, false), n_fixable = lint__count(run, true), n_unsafe = 0;
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            n_unsafe += run->files[i].findings[k].fix.safety == SAFETY_UNSAFE;
    if (run->n_fixed)
        strbuf_printf(out, "Found %llu finding%s (%llu fixed, %llu remaining).\n",
                      (unsigned long long)n + run->n_fixed, n + run->n_fixed == 1 ? "" : "s",
                      (unsigned long long)run->n_fixed, (unsigned long long)n);
    else if (n)
        strbuf_printf(out, "Found %llu finding%s.\n", (unsigned long long)n, n == 1 ? "" : "s");
    else if (!run->is_incomplete)
        strbuf_adds(out, "All checks passed.\n");
    if (n_fixable)
        strbuf_printf(out, "[*] %llu fixable with --fix%s.\n", (unsigned long long)n_fixable,
                      n_unsafe && !run->unsafe_fixes ? "; more with --unsafe-fixes" : "");
    else if (n_unsafe && !run->unsafe_fixes)
        strbuf_printf(out, "%llu more with --fix --unsafe-fixes.\n", (unsigned long long)n_unsafe);
}

void lint__write_concise(const struct lint_run *run, struct strbuf *out)
{
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++) {
            const struct finding *f = &run->files[i].findings[k];
            add_place(run, &run->files[i], &f->start, out);
            strbuf_adds(out, ": ");
            add_head(run, f, out);
        }
    add_closing(run, out);
}

/* Adds blanks up to the column; tabs are kept, so that the caret is below its column. */
static void add_caret_line(const struct finding *f, struct strbuf *out)
{
    struct str line = f->line_text;
    uint32_t column = 1;
    size_t at = 0;
    for (; at < line.n && column < f->start.column; column++) {
        strbuf_addc(out, line.at[at] == '\t' ? '\t' : ' ');
        at++;
        while (at < line.n && ((unsigned char)line.at[at] & 0xC0) == 0x80)
            at++;
    }
    uint32_t width = 1;
    if (f->end.line == f->start.line && f->end.column > f->start.column)
        width = f->end.column - f->start.column;
    else if (f->end.line > f->start.line)
        for (size_t i = at + 1; i < line.n; i++)
            width += ((unsigned char)line.at[i] & 0xC0) != 0x80;
    for (uint32_t i = 0; i < width && i < 200; i++)
        strbuf_addc(out, '^');
    strbuf_addc(out, '\n');
}

static void add_full(const struct lint_run *run, const struct file_report *file,
                     const struct finding *f, struct strbuf *out)
{
    add_head(run, f, out);
    strbuf_adds(out, "  --> ");
    add_place(run, file, &f->start, out);
    strbuf_adds(out, "\n   |\n");
    strbuf_printf(out, "%3u| ", f->start.line);
    add_plain(out, f->line_text);
    strbuf_adds(out, "\n   | ");
    add_caret_line(f, out);
    for (uint32_t i = 0; i < f->n_related; i++) {
        strbuf_adds(out, "   = ");
        struct file_report there = *file;
        if (f->related[i].path.n)
            there = (struct file_report){.path = f->related[i].path};
        add_place(run, &there, &f->related[i].start, out);
        strbuf_adds(out, ": ");
        add_plain(out, f->related[i].message);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "   = help: ");
    strbuf_addstr(out, f->help);
    if (f->fix.safety != SAFETY_NONE) {
        strbuf_printf(out, "\n   = fix (%s): ", safety_name(f->fix.safety));
        add_plain(out, f->fix.title);
    }
    strbuf_adds(out, "\n\n");
}

void lint__write_full(const struct lint_run *run, struct strbuf *out)
{
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            add_full(run, &run->files[i], &run->files[i].findings[k], out);
    add_closing(run, out);
}

void lint__write_grouped(const struct lint_run *run, struct strbuf *out)
{
    for (size_t i = 0; i < run->n_files; i++) {
        const struct file_report *file = &run->files[i];
        if (!file->n)
            continue;
        add_plain(out, file->path);
        strbuf_adds(out, ":\n");
        for (size_t k = 0; k < file->n; k++) {
            const struct finding *f = &file->findings[k];
            strbuf_adds(out, "  ");
            if (f->start.cell)
                strbuf_printf(out, "cell %u:", f->start.cell);
            strbuf_printf(out, "%u:%u ", f->start.line, f->start.column);
            add_head(run, f, out);
        }
        strbuf_addc(out, '\n');
    }
    add_closing(run, out);
}
