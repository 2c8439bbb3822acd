/* Names of enumerators of the upper layers, and the dump of names. */
#include "python/names.h"

static const char *const truth_names[] = {"false", "true", "unknown"};
static const char *const confidence_names[] = {"none", "low", "medium", "high"};
static const char *const scope_names[] = {"module", "class", "function", "lambda", "comprehension"};
static const char *const bind_names[] = {"assign", "augment",  "unpack",  "for",       "with",
                                         "import", "function", "class",   "parameter", "except",
                                         "walrus", "match",    "declare", "delete"};
static const char *const origin_names[] = {"unbound", "import",     "defined",
                                           "builtin", "convention", "variable"};

const char *truth_name(enum truth t)
{
    return truth_names[t];
}

const char *confidence_name(enum confidence c)
{
    return confidence_names[c];
}

const char *scope_kind_name(enum scope_kind kind)
{
    return scope_names[kind];
}

const char *bind_kind_name(enum bind_kind kind)
{
    return bind_names[kind];
}

const char *name_origin_name(enum name_origin origin)
{
    return origin_names[origin];
}

static void dump_binding(const struct names *n, uint32_t binding, struct strbuf *out)
{
    const struct name_binding *b = &n->bindings[binding];
    strbuf_printf(out, "  " STR_FMT ":", STR_ARG(py_parser_text(n->tree->parser, b->word)));
    for (uint32_t s = b->first_store; s != NAME_STORE_NONE; s = n->stores[s].next) {
        const struct name_store *store = &n->stores[s];
        uint32_t line = source_line_of(n->tree->source, n->tree->nodes[store->node].start);
        strbuf_printf(out, " %s@%u", bind_kind_name((enum bind_kind)store->kind), line);
        if (store->path != PATH_NONE) {
            strbuf_addc(out, '=');
            paths_text(n->paths, store->path, out);
        }
    }
    if (b->flags & BINDING_FLAG_GLOBAL)
        strbuf_adds(out, " (global)");
    if (b->flags & BINDING_FLAG_NONLOCAL)
        strbuf_adds(out, " (nonlocal)");
    strbuf_addc(out, '\n');
}

static void dump_scope(const struct names *n, uint32_t scope, struct arena *a, struct strbuf *out)
{
    const struct name_scope *s = &n->scopes[scope];
    uint32_t line = source_line_of(n->tree->source, n->tree->nodes[s->node].start);
    strbuf_printf(out, "scope %u %s " STR_FMT "@%u", scope, scope_kind_name(s->kind),
                  STR_ARG(py_parser_text(n->tree->parser, s->name)), line);
    if (s->parent != SCOPE_NONE)
        strbuf_printf(out, " in %u", s->parent);
    strbuf_addc(out, '\n');
    uint32_t count = 0;
    for (uint32_t b = s->first_binding; b != BINDING_NONE; b = n->bindings[b].next)
        count++;
    uint32_t *order = arena_new_array(a, uint32_t, count);
    for (uint32_t b = s->first_binding; b != BINDING_NONE; b = n->bindings[b].next)
        order[--count] = b;
    for (uint32_t b = s->first_binding; b != BINDING_NONE; b = n->bindings[b].next)
        dump_binding(n, order[count++], out);
}

static bool is_outermost_dotted(const struct tree *t, uint32_t node)
{
    enum py_kind k = tree_kind(t, node), above = tree_kind(t, t->nodes[node].parent);
    if (k != PY_ATTRIBUTE && k != PY_IDENTIFIER)
        return false;
    if (above == PY_ATTRIBUTE || above == PY_DOTTED_NAME || above == PY_ALIASED_IMPORT)
        return false;
    return t->nodes[node].field != FIELD_NAME && t->nodes[node].field != FIELD_ATTRIBUTE;
}

void names_dump(const struct names *n, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    for (uint32_t s = 0; s < n->n_scopes; s++)
        dump_scope(n, s, &a, out);
    for (uint32_t i = 0; i < n->tree->n_nodes; i++) {
        if (!is_outermost_dotted(n->tree, i))
            continue;
        struct name_ref r = names_resolve(n, i);
        if (r.path == PATH_NONE)
            continue;
        uint32_t line = source_line_of(n->tree->source, n->tree->nodes[i].start);
        strbuf_printf(out, "%u: " STR_FMT " = ", line, STR_ARG(tree_text(n->tree, i)));
        paths_text(n->paths, r.path, out);
        if (!r.is_exact)
            strbuf_printf(out, " + %u", r.depth);
        strbuf_printf(out, " (%s, %s)\n", name_origin_name(r.origin),
                      confidence_name(r.confidence));
    }
    arena_done(&a);
}
