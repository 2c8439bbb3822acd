/*
 * Qualified names as a tree of words: each path is its parent and one more word, found by a hash of
 * both. Shared by all files of a session; the names of APIs and of Python's builtins come first and
 * stay.
 */
#include "base/hash.h"
#include "python/names_p.h"

struct path_node {
    uint32_t parent, word;
};

struct paths {
    struct py_parser *parser;
    VEC(struct path_node) nodes; /* heap */
    uint32_t *table;             /* path + 1, open addressing, at most half full */
    uint32_t n_table;
    uint32_t builtins, suppress;
};

static const char *const builtin_names[] = {
#define BUILTIN(name) #name,
#include "python/builtin.def"
#undef BUILTIN
};

static uint32_t slot_of(const struct paths *p, uint32_t parent, uint32_t word)
{
    uint32_t mask = p->n_table - 1;
    uint32_t at = (uint32_t)hash_mix64((uint64_t)parent << 32 | word) & mask;
    for (; p->table[at]; at = (at + 1) & mask) {
        const struct path_node *node = &p->nodes.at[p->table[at] - 1];
        if (node->parent == parent && node->word == word)
            break;
    }
    return at;
}

static void rehash(struct paths *p, uint32_t n_table)
{
    free(p->table);
    p->n_table = n_table;
    p->table = mem_alloc(n_table * sizeof *p->table);
    memset(p->table, 0, n_table * sizeof *p->table);
    for (uint32_t i = 0; i < p->nodes.n; i++)
        p->table[slot_of(p, p->nodes.at[i].parent, p->nodes.at[i].word)] = i + 1;
}

struct paths *paths_new(struct py_parser *parser)
{
    struct paths *p = mem_alloc(sizeof *p);
    *p = (struct paths){.parser = parser};
    rehash(p, 1024);
    p->builtins = paths_add(p, STR("builtins"));
    for (size_t i = 0; i < COUNT_OF(builtin_names); i++)
        paths_add_word(p, p->builtins, py_parser_word(parser, str_of(builtin_names[i])));
    p->suppress = paths_add(p, STR("contextlib.suppress"));
    return p;
}

void paths_free(struct paths *p)
{
    if (!p)
        return;
    vec_free(&p->nodes);
    free(p->table);
    free(p);
}

uint32_t paths_find_word(const struct paths *p, uint32_t parent, uint32_t word)
{
    uint32_t found = p->table[slot_of(p, parent, word)];
    return found ? found - 1 : (uint32_t)PATH_NONE;
}

uint32_t paths_add_word(struct paths *p, uint32_t parent, uint32_t word)
{
    uint32_t at = slot_of(p, parent, word);
    if (p->table[at])
        return p->table[at] - 1;
    vec_push(&p->nodes, NULL, (struct path_node){parent, word});
    p->table[at] = (uint32_t)p->nodes.n;
    if (p->nodes.n * 2 > p->n_table)
        rehash(p, p->n_table * 2);
    return (uint32_t)p->nodes.n - 1;
}

/* A relative name keeps its dots as one first component: "..a.b" is "..", "a", "b". */
static struct str take_dots(struct str *dotted)
{
    size_t n = 0;
    while (n < dotted->n && dotted->at[n] == '.')
        n++;
    struct str dots = str_sub(*dotted, 0, n);
    *dotted = str_sub(*dotted, n, dotted->n);
    return dots;
}

uint32_t paths_add(struct paths *p, struct str dotted)
{
    uint32_t path = PATH_NONE;
    struct str dots = take_dots(&dotted), part;
    if (dots.n)
        path = paths_add_word(p, path, py_parser_word(p->parser, dots));
    while (dotted.n && str_split(&dotted, '.', &part))
        path = paths_add_word(p, path, py_parser_word(p->parser, part));
    return path;
}

uint32_t paths_find(const struct paths *p, struct str dotted)
{
    uint32_t path = PATH_NONE;
    struct str part;
    while (str_split(&dotted, '.', &part)) {
        uint32_t word = py_parser_find_word(p->parser, part);
        if (word == WORD_NONE || (path = paths_find_word(p, path, word)) == PATH_NONE)
            return PATH_NONE;
    }
    return path;
}

uint32_t paths_parent(const struct paths *p, uint32_t path)
{
    return path == PATH_NONE ? path : p->nodes.at[path].parent;
}

uint32_t paths_known_word(const struct paths *p, struct str text)
{
    return py_parser_find_word(p->parser, text);
}

uint32_t paths_word(const struct paths *p, uint32_t path)
{
    return path == PATH_NONE ? (uint32_t)WORD_NONE : p->nodes.at[path].word;
}

void paths_text(const struct paths *p, uint32_t path, struct strbuf *out)
{
    enum { MAX_SHOWN = 64 };
    uint32_t words[MAX_SHOWN];
    size_t n = 0;
    for (; path != PATH_NONE && n < MAX_SHOWN; path = p->nodes.at[path].parent)
        words[n++] = p->nodes.at[path].word;
    for (bool first = true; n; first = false) {
        struct str text = py_parser_text(p->parser, words[--n]);
        if (!first && out->n && out->at[out->n - 1] != '.')
            strbuf_addc(out, '.');
        strbuf_addstr(out, text);
    }
}

bool paths_is_below(const struct paths *p, uint32_t path, uint32_t above)
{
    while (path != PATH_NONE && path != above)
        path = p->nodes.at[path].parent;
    return path == above;
}

size_t paths_count(const struct paths *p)
{
    return p->nodes.n;
}

void paths_trim(struct paths *p, size_t n_kept)
{
    if (n_kept >= p->nodes.n)
        return;
    /* Slots were filled in order of numbers. Emptied in reverse order, they leave every chain of
     * probes as it was before. */
    while (p->nodes.n > n_kept) {
        const struct path_node *last = &vec_last(&p->nodes);
        p->table[slot_of(p, last->parent, last->word)] = 0;
        p->nodes.n--;
    }
}

uint32_t paths__suppress(const struct paths *p)
{
    return p->suppress;
}

uint32_t paths__builtins(const struct paths *p)
{
    return p->builtins;
}
