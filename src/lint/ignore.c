/* Where an ignore comment goes: after the statement's last line, or into the list of codes of a
 * comment that is there already. A line that ends in a backslash or inside a string cannot hold one
 * and gets none. */
#include "lint/ignore.h"

#include "base/vec.h"

struct str ignore_edit(struct str line, struct str code, struct arena *a, size_t *start,
                       size_t *end)
{
    size_t at = str_find(line, STR("# assay: ignore["));
    if (at < line.n) {
        struct str rest = str_sub(line, at, line.n);
        size_t close = str_find_byte(rest, ']');
        if (close < rest.n) {
            *start = *end = at + close;
            return str_of(arena_printf(a, ", " STR_FMT, STR_ARG(code)));
        }
    }
    *end = line.n;
    while (*end && (line.at[*end - 1] == '\r' || line.at[*end - 1] == '\n'))
        --*end;
    *start = *end;
    while (*start && (line.at[*start - 1] == ' ' || line.at[*start - 1] == '\t'))
        --*start;
    return str_of(arena_printf(a, "  # assay: ignore[" STR_FMT "]", STR_ARG(code)));
}

/* Codes to add on one line, each once. */
static struct str codes_of_line(const struct file_report *r, uint32_t line, struct arena *a,
                                uint64_t *n)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        if (f->last_line != line || f->is_note)
            continue;
        ++*n;
        if (str_find(strbuf_str(&list), f->code) < list.n)
            continue;
        strbuf_printf(&list, "%s" STR_FMT, list.n ? ", " : "", STR_ARG(f->code));
    }
    struct str result = strbuf_dup(&list, a);
    strbuf_done(&list);
    return result;
}

uint64_t ignore_add_comments(const struct file_report *r, struct str text, struct arena *a,
                             struct str *out)
{
    struct strbuf result = {0};
    uint64_t n = 0;
    uint32_t number = 1;
    while (text.n) {
        size_t length = str_find_byte(text, '\n');
        length = length < text.n ? length + 1 : length;
        struct str line = str_sub(text, 0, length);
        uint64_t n_here = 0;
        struct str codes = codes_of_line(r, number, a, &n_here);
        struct str bare = str_trim(line);
        if (codes.n && !(bare.n && bare.at[bare.n - 1] == '\\')) {
            size_t start, end;
            struct str piece = ignore_edit(line, codes, a, &start, &end);
            strbuf_add(&result, line.at, start);
            strbuf_addstr(&result, piece);
            strbuf_addstr(&result, str_sub(line, end, line.n));
            n += n_here;
        } else {
            strbuf_addstr(&result, line);
        }
        text = str_sub(text, length, text.n);
        number++;
    }
    *out = strbuf_dup(&result, a);
    strbuf_done(&result);
    return n;
}
