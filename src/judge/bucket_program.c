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

/* The next name with dots in front of a parenthesis, from *at on. "": there is none. */
static struct str next_call(struct str line, size_t *at)
{
    while (*at < line.n) {
        size_t start = *at;
        while (*at < line.n &&
               (isalnum((unsigned char)line.at[*at]) || line.at[*at] == '_' || line.at[*at] == '.'))
            (*at)++;
        struct str name = str_sub(line, start, *at);
        bool is_call = *at < line.n && line.at[*at] == '(';
        if (is_call && name.n && name.at[0] != '.' && str_find_byte(name, '.') < name.n)
            return name;
        *at += *at == start;
    }
    return (struct str){0};
}

struct str culprit__called(const struct group *g, struct arena *a)
{
    const struct program *p = g->ev->c->kind == CASE_PROGRAM ? case_program(g->ev->c) : NULL;
    const struct json *table;
    struct err ignored;
    size_t at = 0;
    if (!p || !g->seen ||
        !share_json(arena_printf(a, "decompose/" STR_FMT ".json", STR_ARG(g->family)), a, &table,
                    &ignored))
        return (struct str){0};
    struct str line = line_of_frame(p->source, g->seen->message.raw), name;
    while ((name = next_call(line, &at)).n)
        if (!is_listed(table, name))
            return name;
    return (struct str){0};
}
