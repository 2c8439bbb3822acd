/*
 * Two rules that join programs of a cluster: recombination takes the model of another member, with
 * all that it stands on, for the optimiser here; splicing cuts both between lines, as one does who
 * knows nothing of their structure. Must not know which strategy asks.
 */
#include "generate/diffuse/diffuse_p.h"
#include "python/edit.h"

/* The statement of the module's own block around a node. */
static uint32_t statement_of(const struct tree *t, uint32_t node)
{
    while (node && tree_node(t, node)->parent)
        node = tree_node(t, node)->parent;
    return node;
}

static bool has_wildcard(const struct tree *t)
{
    for (uint32_t n = 1; n < t->n_nodes; n++)
        if (tree_kind(t, n) == PY_WILDCARD_IMPORT)
            return true;
    return false;
}

/* Lines of a text, each four blanks further in. */
static void put_indented(struct str text, struct strbuf *out)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        strbuf_printf(out, line.n ? "    " STR_FMT "\n" : STR_FMT "\n", STR_ARG(line));
}

/* The first optimiser of a program that is called with a model at the top of the module. */
static const struct program_part *top_call(const struct reading *r)
{
    const struct program_part *p = NULL;
    while ((p = parts_next(&r->parts, PART_OPTIMIZER, p)))
        if (!p->is_decorator && p->model && p->row->inputs < 0 && !tree_function(&r->tree, p->node))
            return p;
    return NULL;
}

/* A function that makes their model: what stands in front of its optimiser, then the model. */
static bool put_maker(const struct reading *r, const struct program_part *p, struct strbuf *out)
{
    uint32_t statement = statement_of(&r->tree, p->node);
    struct str text = r->source.text;
    if (has_wildcard(&r->tree) || str_find(text, STR("\"\"\"")) < text.n)
        return false;
    strbuf_adds(out, "def make_other():\n");
    put_indented(str_sub(text, 0, tree_node(&r->tree, statement)->start), out);
    strbuf_printf(out, "    return " STR_FMT "\n\n\n", STR_ARG(tree_text(&r->tree, p->model)));
    return true;
}

struct str diffuse__recombine(struct mutation *m)
{
    struct reading other;
    struct strbuf text = {0};
    const struct program_part *own = top_call(m->was);
    if (!own || !m->n_others || has_wildcard(&m->was->tree))
        return (struct str){0};
    struct str with = diffuse__replace(m, own->model, STR("make_other()"));
    struct str from = m->others[rng_below(m->rng, m->n_others)];
    const struct program_part *theirs =
        reading_make(m->reader, from, m->a, &other) ? top_call(&other) : NULL;
    bool ok = theirs && put_maker(&other, theirs, &text);
    strbuf_addstr(&text, with);
    struct str made = ok ? strbuf_dup(&text, m->a) : (struct str){0};
    strbuf_done(&text);
    return made;
}

/* Up to a line that begins at the margin. */
static size_t draw_cut(struct mutation *m, struct str text)
{
    struct str rest = text, line;
    size_t at = 0, n = 0;
    while (str_split(&rest, '\n', &line)) {
        if (line.n && line.at[0] != ' ' && line.at[0] != '\t' && rng_below(m->rng, ++n) == 0)
            at = (size_t)(line.at - text.at);
    }
    return at;
}

struct str diffuse__splice(struct mutation *m)
{
    if (!m->n_others)
        return (struct str){0};
    struct str own = m->was->source.text, from = m->others[rng_below(m->rng, m->n_others)];
    struct str head = str_sub(own, 0, draw_cut(m, own));
    struct str tail = str_sub(from, draw_cut(m, from), from.n);
    return str_of(arena_printf(m->a, STR_FMT STR_FMT, STR_ARG(head), STR_ARG(tail)));
}
