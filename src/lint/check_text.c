/* Texts of edit plans. Knows nothing of rules or of where an edit goes. */
#include "lint/check_text_p.h"

#include "lint/rule_p.h"

/* The offset after the string literal that begins at the quote; the end of the text when it is not
 * closed. */
static size_t skip_string(struct str s, size_t at)
{
    char quote = s.at[at];
    size_t n = at + 2 < s.n && s.at[at + 1] == quote && s.at[at + 2] == quote ? 3 : 1;
    for (at += n; at < s.n; at++) {
        size_t same = 0;
        if (s.at[at] == '\\') {
            at++;
            continue;
        }
        while (same < n && at + same < s.n && s.at[at + same] == quote)
            same++;
        if (same == n)
            return at + n;
    }
    return s.n;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* The next byte outside brackets, strings and comments that is no part of a name; NUL at the
 * end. */
static char next_open(struct str s, size_t *at, int *depth)
{
    while (*at < s.n) {
        char c = s.at[*at];
        if (c == '"' || c == '\'') {
            *at = skip_string(s, *at);
            continue;
        }
        if (c == '#' && *depth > 0) {
            *at += str_find_byte(str_sub(s, *at, s.n), '\n');
            continue;
        }
        ++*at;
        if (c == '(' || c == '[' || c == '{')
            ++*depth;
        else if (c == ')' || c == ']' || c == '}')
            --*depth;
        else if (*depth == 0 && c != '.' && !is_name_byte(c))
            return c;
    }
    return '\0';
}

bool check_text__is_closed(struct str text)
{
    size_t at = 0, n_digits = 0;
    int depth = 0;
    while (n_digits < text.n && text.at[n_digits] >= '0' && text.at[n_digits] <= '9')
        n_digits++;
    return text.n && n_digits < text.n && next_open(text, &at, &depth) == '\0' && depth == 0;
}

bool check_text__has_open_line(struct str text)
{
    size_t at = 0;
    int depth = 0;
    for (char c = next_open(text, &at, &depth); c; c = next_open(text, &at, &depth))
        if (c == '\n' || c == '\r' || c == '#')
            return true;
    return false;
}

/* Is it the "=" of an assignment or a keyword, not of a comparison? */
static bool is_assignment(char before, char c, char behind)
{
    return c == '=' && behind != '=' && (before == '\0' || !strchr("=!<>", before));
}

bool check_text__binds_before(struct str text)
{
    size_t at = 0;
    while (at < text.n && (text.at[at] == ' ' || text.at[at] == '\t'))
        at++;
    if (at == text.n || strchr("),]}:;\n\r#", text.at[at]))
        return false;
    return !is_assignment('\0', text.at[at], at + 1 < text.n ? text.at[at + 1] : '\0');
}

bool check_text__binds_behind(struct str text)
{
    size_t n = text.n;
    while (n && (text.at[n - 1] == ' ' || text.at[n - 1] == '\t'))
        n--;
    if (!n || strchr("(,[{:;\n\r", text.at[n - 1]))
        return false;
    return !is_assignment(n > 1 ? text.at[n - 2] : '\0', text.at[n - 1], '\0');
}

/* Does every store of the binding before the node import the path? */
static bool is_import_of(const struct names *n, const struct name_binding *b, uint32_t path,
                         uint32_t node)
{
    for (uint32_t s = b->first_store; s != NAME_STORE_NONE; s = n->stores[s].next)
        if (n->stores[s].kind != BIND_IMPORT || n->stores[s].path != path ||
            n->stores[s].node >= node)
            return false;
    return b->first_store != NAME_STORE_NONE;
}

/* The visible name that an import gave the path; WORD_NONE: there is none. */
static uint32_t imported_as(const struct names *n, uint32_t path, uint32_t node)
{
    uint32_t scope = names_scope_at(n, node);
    for (uint32_t b = 0; b < n->n_bindings; b++)
        if (is_import_of(n, &n->bindings[b], path, node) &&
            names_lookup(n, scope, n->bindings[b].word) == b)
            return n->bindings[b].word;
    return WORD_NONE;
}

/* Is the name a conventional one in a fragment? A fragment imports nothing, so such names keep
 * their usual meaning. */
static bool is_conventional(const struct names *n, struct str dotted, uint32_t node)
{
    struct str root = str_sub(dotted, 0, str_find_byte(dotted, '.'));
    uint32_t word = py_parser_find_word(n->tree->parser, root);
    return !n->has_import &&
           (word == WORD_NONE || names_lookup(n, names_scope_at(n, node), word) == BINDING_NONE);
}

static bool add_api_name(const struct check_expansion *x, struct str dotted, struct strbuf *out)
{
    const struct names *n = &x->match->file->names;
    for (size_t end = dotted.n; end;) {
        uint32_t path = paths_find(n->paths, str_sub(dotted, 0, end));
        uint32_t word = path == PATH_NONE ? (uint32_t)WORD_NONE : imported_as(n, path, x->at);
        if (word != WORD_NONE) {
            strbuf_addstr(out, py_parser_text(n->tree->parser, word));
            strbuf_addstr(out, str_sub(dotted, end, dotted.n));
            return true;
        }
        while (end && dotted.at[--end] != '.')
            ;
    }
    if (!is_conventional(n, dotted, x->at))
        return false;
    strbuf_addstr(out, dotted);
    return true;
}

static void add_capture(struct check_expansion *x, struct str name, struct str rest,
                        struct strbuf *out)
{
    const struct tree *t = &x->match->file->tree;
    for (uint32_t i = 0; i < x->check->n_captures; i++) {
        if (!str_eq(x->check->capture_names[i], name))
            continue;
        uint32_t node = capture__node(x->match, (uint8_t)i);
        struct str text = tree_text(t, node);
        bool is_bound = check_text__binds_before(rest) || check_text__binds_behind(strbuf_str(out));
        bool is_open =
            py_is_expression(tree_kind(t, node)) && is_bound && !check_text__is_closed(text);
        strbuf_adds(out, is_open ? "(" : "");
        strbuf_addstr(out, text);
        strbuf_adds(out, is_open ? ")" : "");
        vec_push(&x->kept, x->arena, tree_span(t, node));
    }
}

bool check_text__expand(struct check_expansion *x, struct str text)
{
    struct strbuf out = {0};
    struct str plain, name;
    bool ok = true;
    while (ok && template_next(&text, &plain, &name)) {
        strbuf_addstr(&out, plain);
        if (name.at[0] == '$')
            add_capture(x, name, text, &out);
        else if (name.n == 1)
            strbuf_addstr(&out, x->match->note);
        else
            ok = add_api_name(x, str_sub(name, 1, name.n), &out);
    }
    strbuf_addstr(&out, plain);
    x->text = strbuf_dup(&out, x->arena);
    strbuf_done(&out);
    return ok;
}
