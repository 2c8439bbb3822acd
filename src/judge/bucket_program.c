/*
 * Names what a program called when its process died: no observation can say it, but the
 * interpreter's last words name the line. Must not know how it died.
 */
#include <ctype.h>

#include "base/share.h"
#include "case/subject.h"
#include "judge/bucket_p.h"

/* The program's line of the innermost of its frames: `File ".../program.py", line 7 in f`. */
static struct str line_of_frame(struct str source, struct str message)
{
    const struct str mark = STR("program.py\", line ");
    struct str rest = source, line = {0};
    size_t at = str_find(message, mark);
    uint64_t n = 0;
    for (size_t i = at + mark.n; at < message.n && i < message.n; i++) {
        if (!isdigit((unsigned char)message.at[i]) || n > UINT32_MAX)
            break;
        n = 10 * n + (uint64_t)(message.at[i] - '0');
    }
    for (; n && str_split(&rest, '\n', &line); n--)
        if (n == 1)
            return line;
    return (struct str){0};
}

/* Does the framework's table name it as what makes inputs, or as an optimiser? */
static bool is_listed(const struct json *table, struct str name)
{
    const struct json *lists[] = {json_get(table, "factories"), json_get(table, "optimizers")};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; lists[k] && i < lists[k]->n; i++) {
            const struct json *row = &lists[k]->items[i];
            struct str known = row->kind == JSON_KIND_STRING
                                   ? row->string
                                   : json_get_str(row, "symbol", (struct str){0});
            if (str_eq(known, name))
                return true;
        }
    return false;
}

/* The offset behind the parenthesis that closes the one at `open`; the end, if it is not closed. */
static size_t behind_group(struct str line, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < line.n; i++) {
        depth += line.at[i] == '(' ? 1 : line.at[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return line.n;
}

/*
 * The first call by a name with dots that the table does not list. What encloses comes before what
 * it encloses: of "a.f(a.g(x))" g alone would be left if it were at fault. The arguments of a
 * lambda that is called come before its body, which runs after them. "": there is none.
 */
static struct str first_call(const struct json *table, struct str text)
{
    for (size_t at = 0; at < text.n;) {
        size_t start = at;
        if (str_starts(str_sub(text, at, text.n), STR("(lambda "))) {
            size_t end = behind_group(text, at), last = end;
            if (end < text.n && text.at[end] == '(')
                last = behind_group(text, end);
            struct str name = first_call(table, str_sub(text, end, last));
            if (!name.n)
                name = first_call(table, str_sub(text, at + 1, end));
            if (name.n)
                return name;
            at = last;
            continue;
        }
        while (at < text.n &&
               (isalnum((unsigned char)text.at[at]) || text.at[at] == '_' || text.at[at] == '.'))
            at++;
        struct str name = str_sub(text, start, at);
        bool is_call = at < text.n && text.at[at] == '(';
        if (is_call && name.n && name.at[0] != '.' && str_find_byte(name, '.') < name.n &&
            !is_listed(table, name))
            return name;
        at += at == start;
    }
    return (struct str){0};
}

struct str culprit__called(const struct group *g, struct arena *a)
{
    const struct program *p = g->ev->c->kind == CASE_PROGRAM ? case_program(g->ev->c) : NULL;
    const struct json *table;
    struct err ignored;
    if (!p || !g->seen ||
        !share_json(arena_printf(a, "decompose/" STR_FMT ".json", STR_ARG(g->family)), a, &table,
                    &ignored))
        return (struct str){0};
    return first_call(table, line_of_frame(p->source, g->seen->message.raw));
}
