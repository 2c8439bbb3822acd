/*
 * Decides how text from outside is written in Markdown (CommonMark 0.31, and GitHub's tables) so
 * that it is shown and cannot be markup, whatever a model's author called a node. Control
 * characters are escaped as on a terminal.
 */
#include "report/markdown_text_p.h"

#include <string.h>

#include "base/compiler.h"

void markdown__text(struct str s, struct strbuf *out)
{
    static const char marks[] = "\\`*_[]<>|#&~";
    struct strbuf line = {0};
    strbuf_add_line(&line, s);
    for (size_t i = 0; i < line.n; i++) {
        if (strchr(marks, line.at[i]))
            strbuf_addc(out, '\\');
        strbuf_addc(out, line.at[i]);
    }
    strbuf_done(&line);
}

/* The length of the longest run of backticks. */
static size_t longest_run(struct str s)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < s.n; i++) {
        run = s.at[i] == '`' ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    return longest;
}

static void add_backticks(size_t n, struct strbuf *out)
{
    for (size_t i = 0; i < n; i++)
        strbuf_addc(out, '`');
}

/* Readers strip one space at each end: with these the text may begin or end with backticks. */
void markdown__code(struct str s, struct strbuf *out)
{
    struct strbuf line = {0};
    strbuf_add_line(&line, s);
    struct str text = strbuf_str(&line);
    size_t n = longest_run(text) + 1;
    const char *gap = n > 1 || text.n == 0 ? " " : "";
    add_backticks(n, out);
    strbuf_adds(out, gap);
    strbuf_addstr(out, text);
    strbuf_adds(out, gap);
    add_backticks(n, out);
    strbuf_done(&line);
}

void markdown__block(struct str s, const char *language, struct strbuf *out)
{
    size_t n = MAX(longest_run(s) + 1, (size_t)3);
    struct str rest = str_ends(s, STR("\n")) ? str_sub(s, 0, s.n - 1) : s, line;
    add_backticks(n, out);
    strbuf_printf(out, "%s\n", language);
    while (str_split(&rest, '\n', &line)) {
        strbuf_add_line(out, line);
        strbuf_addc(out, '\n');
    }
    add_backticks(n, out);
    strbuf_addc(out, '\n');
}

/* Where a '>' would end the comment it is written as an HTML entity. */
void markdown__comment(struct str s, struct strbuf *out)
{
    struct strbuf line = {0};
    strbuf_add_line(&line, s);
    strbuf_adds(out, "<!-- ");
    for (size_t i = 0; i < line.n; i++)
        if (line.at[i] == '>' && i > 0 && (line.at[i - 1] == '-' || line.at[i - 1] == '!'))
            strbuf_adds(out, "&gt;");
        else
            strbuf_addc(out, line.at[i]);
    strbuf_adds(out, " -->\n");
    strbuf_done(&line);
}
