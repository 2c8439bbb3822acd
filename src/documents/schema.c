/* Decides how the text of a schema is read. Must not know what its types mean. */
#include "documents/schema.h"

/* "Tensor(a!) self" -> Tensor, self; without default. */
static struct schema_parameter read_parameter(struct str text)
{
    struct str s = str_trim(text);
    s = str_sub(s, 0, str_find_byte(s, '='));
    size_t space = s.n;
    while (space && s.at[space - 1] != ' ')
        space--;
    struct str type = str_trim(str_sub(s, 0, space));
    size_t mark = str_find_byte(type, '(');
    struct str behind = str_sub(type, str_find_byte(type, ')') + 1, type.n);
    if (mark < type.n && !behind.n)
        type = str_sub(type, 0, mark);
    return (struct schema_parameter){type, str_sub(s, space, s.n)};
}

void schema_read(struct str text, struct schema *out)
{
    size_t end = str_find(text, STR(") -> ")), from = 0;
    struct str inner = str_sub(text, str_find_byte(text, '(') + 1, end);
    int depth = 0;
    *out = (struct schema){.n_positional = SIZE_MAX};
    out->writes_out = str_find(inner, STR("(a!) out")) < inner.n;
    for (size_t i = 0; i <= inner.n && out->n < SCHEMA_PARAMETERS_MAX; i++) {
        char c = i < inner.n ? inner.at[i] : ',';
        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
        if (c != ',' || (depth && i < inner.n))
            continue;
        struct str part = str_trim(str_sub(inner, from, i));
        from = i + 1;
        if (str_is(part, "*"))
            out->n_positional = out->n;
        else if (part.n)
            out->at[out->n++] = read_parameter(part);
    }
    out->n_positional = out->n_positional < out->n ? out->n_positional : out->n;
}
