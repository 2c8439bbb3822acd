/*
 * Decides which part of a reply is the answer: a program, fenced or among prose, or a JSON value.
 * Tolerates unclosed fences, reasoning in tags and prose around it. The answer is always a part of
 * the reply's bytes.
 */
#include "llm/llm_p.h"

static struct str without_reasoning(struct str reply)
{
    static const char *const ends[] = {"</think>", "</thinking>", "</reasoning>"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t at = str_find(reply, str_of(ends[i]));
        if (at < reply.n)
            return str_sub(reply, at + strlen(ends[i]), reply.n);
    }
    return reply;
}

static bool is_code_line(struct str line)
{
    static const char *const words[] = {"import ", "from ", "def ", "class ", "@",
                                        "print(",  "with ", "for ", "if ",    "#"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_starts(line, str_of(words[i])))
            return true;
    return str_find(line, STR(" = ")) < line.n || str_starts(line, STR("    "));
}

/* The lines from the first import to the last one that looks like code. */
static struct str unfenced(struct str reply)
{
    struct str rest = reply, line, found = {0};
    while (str_split(&rest, '\n', &line)) {
        if (!found.at && !str_starts(line, STR("import ")) && !str_starts(line, STR("from ")))
            continue;
        if (!found.at)
            found = (struct str){line.at, 0};
        if (is_code_line(line) || (line.n && line.at[line.n - 1] == ')'))
            found.n = (size_t)(line.at + line.n - found.at);
    }
    return found;
}

struct str llm_extract_code(struct str reply, struct str *rest, struct arena *a)
{
    struct str text = without_reasoning(reply), fence = STR("```");
    size_t open = str_find(text, fence);
    struct str found;
    if (rest)
        *rest = (struct str){0};
    if (open == text.n) {
        found = unfenced(text);
    } else {
        struct str inside = str_sub(text, open + fence.n, text.n);
        size_t line = str_find_byte(inside, '\n'); /* after the name of the language */
        inside = str_sub(inside, line + (line < inside.n), inside.n);
        size_t close = str_find(inside, fence);
        found = str_sub(inside, 0, close);
        if (rest && close < inside.n)
            *rest = str_sub(inside, close + fence.n, inside.n);
    }
    return (struct str){str_dup(a, found), found.n};
}

struct str llm_extract_json(struct str reply)
{
    struct str text = without_reasoning(reply);
    size_t from = 0, depth = 0;
    bool in_string = false;
    while (from < text.n && text.at[from] != '{' && text.at[from] != '[')
        from++;
    for (size_t i = from; i < text.n; i++) {
        char c = text.at[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return str_sub(text, from, i + 1);
        }
    }
    return (struct str){0};
}
