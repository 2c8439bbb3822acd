/*
 * Decides the names of a program's values: those of the model where they are Python names; each is
 * used once in the whole program, and none is one that the language or a framework needs.
 */
#include <ctype.h>

#include "emit/emit_p.h"

static const char *const reserved[] = {
    "False",  "None",     "True",     "and",      "as",        "assert",    "async",    "await",
    "break",  "class",    "def",      "del",      "elif",      "else",      "except",   "finally",
    "for",    "from",     "global",   "if",       "in",        "is",        "lambda",   "not",
    "or",     "pass",     "raise",    "return",   "try",       "while",     "with",     "yield",
    "import", "nonlocal", "continue", "self",     "weights",   "torch",     "F",        "np",
    "jax",    "jnp",      "tf",       "keras",    "ops",       "Model",     "model",    "base64",
    "math",   "lax",      "range",    "list",     "tuple",     "len",       "int",      "float",
    "bool",   "max",      "min",      "sum",      "abs",       "sorted",    "any",      "all",
    "zip",    "slice",    "forward",  "reversed", "enumerate", "bytearray", "training",
};

struct str emit__fresh(struct emitter *w, const char *stem)
{
    struct str name = str_of(stem);
    for (unsigned i = 2; map_get(&w->taken, name); i++)
        name = str_of(arena_printf(w->a, "%s_%u", stem, i));
    map_put(&w->taken, w->a, name, 1);
    return (struct str){str_dup(w->a, name), name.n};
}

static bool is_plain(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static struct str name_of(struct emitter *w, struct str original)
{
    struct strbuf text = {0};
    if (!original.n || !isalpha((unsigned char)original.at[0]))
        strbuf_addc(&text, 'v');
    for (size_t i = 0; i < original.n && i < 40; i++)
        strbuf_addc(&text, is_plain(original.at[i]) ? original.at[i] : '_');
    struct str name = emit__fresh(w, strbuf_dup(&text, w->a).at);
    strbuf_done(&text);
    return name;
}

static void take_reserved(struct emitter *w)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        map_put(&w->taken, w->a, str_of(reserved[i]), 1);
}

struct emit_scope *emit__scope(struct emitter *w, const struct graph *g,
                               const struct emit_scope *outer)
{
    struct emit_scope *s = arena_new(w->a, struct emit_scope);
    if (!outer)
        take_reserved(w);
    *s = (struct emit_scope){.graph = g,
                             .outer = outer,
                             .names = arena_new_array(w->a, struct str, g->values.n),
                             .is_weight = arena_new_array(w->a, bool, g->values.n)};
    for (uint32_t i = 0; i < g->values.n; i++) {
        const struct graph_value *v = &g->values.at[i];
        if (v->origin == ORIGIN_OUTER && outer) {
            s->names[i] = outer->names[v->origin_at];
            s->is_weight[i] = outer->is_weight[v->origin_at];
            continue;
        }
        s->names[i] = name_of(w, v->name);
        s->is_weight[i] = emit__constant(w, s, i) != NULL;
    }
    return s;
}

struct str emit__name(const struct emitter *w, const struct emit_scope *s, uint32_t value)
{
    struct strbuf text = {0};
    if (!s->is_weight[value])
        return s->names[value];
    emit__put(&text, w->framework->use, s->names[value], STR(""), "", STR(""));
    struct str name = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return name;
}
