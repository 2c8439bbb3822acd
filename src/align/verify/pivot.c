/* Decides which names a function's body uses. Must not know which of them are public functions. */
#include "align/verify/pivot.h"

#include "python/names.h"

/* The function at the top of the file in which a node stands; 0: none. */
static uint32_t function_around(const struct tree *t, uint32_t node)
{
    uint32_t found = 0;
    for (uint32_t n = node; n; n = tree_node(t, n)->parent)
        if (tree_kind(t, n) == PY_FUNCTION || tree_kind(t, n) == PY_CLASS)
            found = n;
    return found && tree_kind(t, found) == PY_FUNCTION ? found : 0;
}

static void add_use(struct pivot_body *body, struct str name, struct arena *a)
{
    for (size_t i = 0; i < body->uses.n; i++)
        if (str_eq(body->uses.at[i], name))
            return;
    vec_push(&body->uses, a, (struct str){str_dup(a, name), name.n});
}

static struct pivot_body *body_of(struct pivot *p, const struct tree *t, uint32_t function,
                                  struct arena *a)
{
    struct str name = tree_text(t, tree_child(t, function, FIELD_NAME));
    if (p->bodies.n && str_eq(p->bodies.at[p->bodies.n - 1].name, name))
        return &p->bodies.at[p->bodies.n - 1];
    vec_push(&p->bodies, a, (struct pivot_body){.name = {str_dup(a, name), name.n}});
    return &p->bodies.at[p->bodies.n - 1];
}

static void read_names(const struct names *names, struct arena *a, struct pivot *out)
{
    const struct tree *t = names->tree;
    struct strbuf text = {0};
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        bool is_outermost = tree_kind(t, tree_node(t, n)->parent) != PY_ATTRIBUTE;
        uint32_t function =
            tree_kind(t, n) == PY_ATTRIBUTE && is_outermost ? function_around(t, n) : 0;
        strbuf_clear(&text);
        if (function && names_print(names, n, &text))
            add_use(body_of(out, t, function, a), strbuf_str(&text), a);
    }
    strbuf_done(&text);
}

bool pivot_read(struct str python, struct arena *a, struct pivot *out, struct err *e)
{
    struct py_parser *parser;
    struct arena own;
    struct source source;
    struct tree tree;
    struct names names;
    const struct source_input in = {STR("pivot.py"), python, SOURCE_FILE};
    *out = (struct pivot){0};
    if (!py_parser_open(&parser, e))
        return false;
    struct paths *paths = paths_new(parser);
    arena_init(&own);
    bool ok = source_open(&in, &(struct source_limits){0}, &own, &source, e) &&
              tree_read(parser, &source, &own, &tree, e);
    if (ok) {
        names_build(&tree, paths, &(struct names_options){0}, &own, &names);
        read_names(&names, a, out);
    }
    arena_done(&own);
    paths_free(paths);
    py_parser_close(parser);
    return ok;
}
