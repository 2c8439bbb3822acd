/* Queries on struct tree that need no other layer: relatives, arguments, values of literals, the
 * dump. */
#include "python/tree.h"

uint32_t tree_child(const struct tree *t, uint32_t n, enum py_field field)
{
    for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
        if (t->nodes[c].field == field)
            return c;
    return 0;
}

uint32_t tree_child_kind(const struct tree *t, uint32_t n, enum py_kind kind)
{
    for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
        if (t->nodes[c].kind == kind)
            return c;
    return 0;
}

uint32_t tree_child_at(const struct tree *t, uint32_t n, uint32_t at)
{
    uint32_t c = tree_first(t, n);
    while (c && at--)
        c = tree_next(t, c);
    return c;
}

uint32_t tree_child_count(const struct tree *t, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
        count++;
    return count;
}

uint32_t tree_up(const struct tree *t, uint32_t n, enum py_kind kind)
{
    while (n) {
        n = t->nodes[n].parent;
        if (t->nodes[n].kind == kind)
            return n;
    }
    return 0;
}

uint32_t tree_statement(const struct tree *t, uint32_t n)
{
    while (n && !py_is_statement(tree_kind(t, n)))
        n = t->nodes[n].parent;
    return n;
}

uint32_t tree_function(const struct tree *t, uint32_t n)
{
    while (n) {
        n = t->nodes[n].parent;
        enum py_kind k = tree_kind(t, n);
        if (k == PY_FUNCTION || k == PY_LAMBDA || k == PY_CLASS)
            return n;
    }
    return 0;
}

uint32_t tree_bare(const struct tree *t, uint32_t n)
{
    while (t->nodes[n].kind == PY_PARENTHESES && tree_first(t, n))
        n = tree_first(t, n);
    return n;
}

uint32_t tree_at(const struct tree *t, uint32_t offset)
{
    uint32_t n = 0;
    for (uint32_t c = tree_first(t, 0); c;) {
        if (t->nodes[c].start <= offset && offset < t->nodes[c].end) {
            n = c;
            c = tree_first(t, c);
        } else {
            c = tree_next(t, c);
        }
    }
    return n;
}

struct span tree_span(const struct tree *t, uint32_t n)
{
    return (struct span){t->nodes[n].start, t->nodes[n].end};
}

struct str tree_text(const struct tree *t, uint32_t n)
{
    return str_sub(t->source->text, t->nodes[n].start, t->nodes[n].end);
}

struct node_list tree_list(const struct tree *t, enum py_kind kind)
{
    return t->by_kind[kind];
}

/* ---- arguments ---- */

static uint32_t arguments_of(const struct tree *t, uint32_t call)
{
    return t->nodes[call].kind == PY_CALL ? tree_child(t, call, FIELD_ARGUMENTS) : 0;
}

uint32_t tree_argument(const struct tree *t, uint32_t call, unsigned at, bool *unknown)
{
    uint32_t arguments = arguments_of(t, call);
    if (unknown)
        *unknown = false;
    if (arguments && t->nodes[arguments].kind == PY_GENERATOR)
        return at == 0 ? arguments : 0;
    for (uint32_t c = arguments ? tree_first(t, arguments) : 0; c; c = tree_next(t, c)) {
        enum py_kind k = tree_kind(t, c);
        if (k == PY_LIST_SPLAT || k == PY_DICT_SPLAT || k == PY_ERROR) {
            if (unknown)
                *unknown = true;
            if (k == PY_LIST_SPLAT)
                return 0;
        } else if (k != PY_KEYWORD_ARGUMENT && at-- == 0) {
            return c;
        }
    }
    return 0;
}

uint32_t tree_keyword(const struct tree *t, uint32_t call, uint32_t word, bool *unknown)
{
    uint32_t arguments = arguments_of(t, call);
    if (unknown)
        *unknown = false;
    for (uint32_t c = arguments ? tree_first(t, arguments) : 0; c; c = tree_next(t, c)) {
        if (unknown && (t->nodes[c].kind == PY_DICT_SPLAT || t->nodes[c].kind == PY_ERROR))
            *unknown = true;
        if (t->nodes[c].kind != PY_KEYWORD_ARGUMENT)
            continue;
        uint32_t name = tree_child(t, c, FIELD_NAME);
        if (name && t->nodes[name].word == word && word != WORD_NONE) {
            if (unknown)
                *unknown = false;
            return tree_child(t, c, FIELD_VALUE);
        }
    }
    return 0;
}

uint32_t tree_argument_count(const struct tree *t, uint32_t call, bool *unknown)
{
    uint32_t arguments = arguments_of(t, call), count = 0;
    if (unknown)
        *unknown = false;
    if (arguments && t->nodes[arguments].kind == PY_GENERATOR)
        return 1;
    for (uint32_t c = arguments ? tree_first(t, arguments) : 0; c; c = tree_next(t, c)) {
        enum py_kind k = tree_kind(t, c);
        if (k == PY_LIST_SPLAT && unknown)
            *unknown = true;
        count += k != PY_KEYWORD_ARGUMENT && k != PY_DICT_SPLAT && k != PY_LIST_SPLAT;
    }
    return count;
}

/* ---- literals ---- */

bool tree_string_value(const struct tree *t, uint32_t n, struct str *out)
{
    if (t->nodes[n].kind != PY_STRING || tree_first(t, n))
        return false;
    struct str s = tree_text(t, n);
    size_t i = 0;
    while (i < s.n && s.at[i] != '"' && s.at[i] != '\'')
        i++;
    if (i >= s.n)
        return false;
    char quote = s.at[i];
    size_t width = i + 2 < s.n && s.at[i + 1] == quote && s.at[i + 2] == quote ? 3 : 1;
    if (s.n < i + 2 * width)
        return false;
    *out = str_sub(s, i + width, s.n - width);
    return true;
}

/* Copies the digits without underscores; false when they do not fit. */
static bool plain_digits(struct str s, char *out, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.at[i] == '_')
            continue;
        if (n + 1 >= size)
            return false;
        out[n++] = s.at[i];
    }
    out[n] = 0;
    return n > 0;
}

static bool read_integer(struct str s, int64_t *out)
{
    char digits[80];
    if (!plain_digits(s, digits, sizeof digits))
        return false;
    if (digits[0] != '0' || !digits[1])
        return str_to_i64(str_of(digits), out);
    static const struct {
        char letter;
        int base;
    } bases[] = {{'x', 16}, {'o', 8}, {'b', 2}};
    for (size_t i = 0; i < COUNT_OF(bases); i++) {
        if ((digits[1] | 0x20) != bases[i].letter)
            continue;
        char *end;
        unsigned long long v = strtoull(digits + 2, &end, bases[i].base);
        *out = (int64_t)v;
        return *end == 0 && v <= INT64_MAX;
    }
    return str_to_i64(str_of(digits), out);
}

bool tree_integer_value(const struct tree *t, uint32_t n, int64_t *out)
{
    n = tree_bare(t, n);
    bool is_negative = t->nodes[n].kind == PY_UNARY && t->nodes[n].op == PY_OP_SUB;
    if (is_negative)
        n = tree_child(t, n, FIELD_ARGUMENT);
    if (!n || t->nodes[n].kind != PY_INTEGER || !read_integer(tree_text(t, n), out))
        return false;
    if (is_negative)
        *out = -*out;
    return true;
}

bool tree_number_value(const struct tree *t, uint32_t n, double *out)
{
    int64_t i;
    if (tree_integer_value(t, n, &i)) {
        *out = (double)i;
        return true;
    }
    n = tree_bare(t, n);
    bool is_negative = t->nodes[n].kind == PY_UNARY && t->nodes[n].op == PY_OP_SUB;
    if (is_negative)
        n = tree_child(t, n, FIELD_ARGUMENT);
    char digits[80];
    if (!n || t->nodes[n].kind != PY_FLOAT ||
        !plain_digits(tree_text(t, n), digits, sizeof digits) ||
        !str_to_double(str_of(digits), out))
        return false;
    if (is_negative)
        *out = -*out;
    return true;
}

bool tree_bool_value(const struct tree *t, uint32_t n, bool *out)
{
    n = tree_bare(t, n);
    enum py_kind k = tree_kind(t, n);
    *out = k == PY_TRUE;
    return k == PY_TRUE || k == PY_FALSE;
}

/* ---- dump ---- */

static void dump_text(struct str s, struct strbuf *out)
{
    size_t shown = MIN(s.n, (size_t)40);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c < 0x20 || c >= 0x7F)
            strbuf_printf(out, c == '\n' ? "\\n" : "\\x%02x", c);
        else
            strbuf_addc(out, (char)c);
    }
    if (shown < s.n)
        strbuf_adds(out, "...");
}

void tree_dump(const struct tree *t, struct strbuf *out)
{
    uint32_t depth = 0, parent = 0;
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n];
        if (n) {
            while (parent != node->parent) {
                parent = t->nodes[parent].parent;
                depth--;
            }
        }
        uint32_t shown = depth + (n > 0);
        for (uint32_t i = 0; i < MIN(shown, 60u); i++)
            strbuf_adds(out, "  ");
        if (node->field)
            strbuf_printf(out, "%s: ", py_field_name((enum py_field)node->field));
        strbuf_printf(out, "%s", py_kind_name(tree_kind(t, n)));
        if (node->op)
            strbuf_printf(out, " %s", py_op_text((enum py_op)node->op));
        strbuf_printf(out, " [%u, %u)", node->start, node->end);
        if (node->next == n + 1) {
            strbuf_addc(out, ' ');
            dump_text(tree_text(t, n), out);
        }
        strbuf_addc(out, '\n');
        if (node->next > n + 1) {
            depth += n > 0;
            parent = n;
        }
    }
    for (size_t i = 0; i < t->damage.n; i++)
        strbuf_printf(out, "damage [%u, %u)\n", t->damage.at[i].start, t->damage.at[i].end);
}
