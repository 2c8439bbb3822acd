/*
 * Decides how If, Loop and Scan are written: as the language's own statements, as a user writes
 * them. Operators of a subgraph are inside, one per line; they use the outer values by name.
 */
#include "emit/emit_p.h"

bool emit__is_control(const struct node *n)
{
    return !n->domain.n && (str_is(n->op_type, "If") || str_is(n->op_type, "Loop"));
}

/* An expression for the value, kept when it is a weight. */
static bool use(struct emitter *w, const struct emit_scope *s, uint32_t value, struct str *out,
                struct err *e)
{
    *out = emit__name(w, s, value);
    return emit__keep(w, s, value, e);
}

static void add_truth(struct emitter *w, struct str value)
{
    emit__put(&w->body, w->framework->as_bool, STR(""), value, "", STR(""));
}

static bool add_branch(struct emitter *w, const struct emit_scope *s, const struct node *n,
                       const char *name, unsigned indent, struct err *e)
{
    const struct attr *a = node_attr(n, name);
    if (!a || a->kind != ATTR_GRAPH)
        return err_set(e, ERR_DATA, "operator If without %s", name);
    struct emit_scope *inner = emit__scope(w, a->g, s);
    if (!emit__graph(w, inner, indent, e))
        return false;
    for (uint32_t i = 0; i < n->n_outputs && i < a->g->outputs.n; i++) {
        struct str value;
        if (n->outputs[i] == VALUE_NONE)
            continue;
        if (!use(w, inner, a->g->outputs.at[i], &value, e))
            return false;
        strbuf_printf(&w->body, "%*s" STR_FMT " = " STR_FMT "\n", (int)indent, "",
                      STR_ARG(s->names[n->outputs[i]]), STR_ARG(value));
    }
    return true;
}

static bool add_if(struct emitter *w, const struct emit_scope *s, const struct node *n,
                   unsigned indent, struct err *e)
{
    struct str condition;
    if (!use(w, s, n->inputs[0], &condition, e))
        return false;
    strbuf_printf(&w->body, "%*sif ", (int)indent, "");
    add_truth(w, condition);
    strbuf_adds(&w->body, ":\n");
    if (!add_branch(w, s, n, "then_branch", indent + 4, e))
        return false;
    strbuf_printf(&w->body, "%*selse:\n", (int)indent, "");
    return add_branch(w, s, n, "else_branch", indent + 4, e);
}

/* Loop ----------------------------------------------------------------------------------------- */

struct loop_names {
    struct str count, go, limit;
    struct str *carried, *scanned;
    uint32_t n_carried, n_scanned;
};

static bool has_input(const struct node *n, uint32_t i)
{
    return i < n->n_inputs && n->inputs[i] != VALUE_NONE;
}

static bool begin_loop(struct emitter *w, const struct emit_scope *s, const struct node *n,
                       struct loop_names *l, unsigned indent, struct err *e)
{
    struct str value;
    l->count = emit__fresh(w, "step");
    strbuf_printf(&w->body, "%*s" STR_FMT " = 0\n", (int)indent, "", STR_ARG(l->count));
    if (has_input(n, 1)) {
        l->go = emit__fresh(w, "go");
        if (!use(w, s, n->inputs[1], &value, e))
            return false;
        strbuf_printf(&w->body, "%*s" STR_FMT " = ", (int)indent, "", STR_ARG(l->go));
        add_truth(w, value);
        strbuf_addc(&w->body, '\n');
    }
    for (uint32_t i = 0; i < l->n_carried; i++) {
        l->carried[i] = emit__fresh(w, "state");
        if (!use(w, s, n->inputs[i + 2], &value, e))
            return false;
        strbuf_printf(&w->body, "%*s" STR_FMT " = " STR_FMT "\n", (int)indent, "",
                      STR_ARG(l->carried[i]), STR_ARG(value));
    }
    for (uint32_t i = 0; i < l->n_scanned; i++) {
        l->scanned[i] = emit__fresh(w, "parts");
        strbuf_printf(&w->body, "%*s" STR_FMT " = []\n", (int)indent, "", STR_ARG(l->scanned[i]));
    }
    return true;
}

static bool add_head(struct emitter *w, const struct emit_scope *s, const struct node *n,
                     const struct loop_names *l, unsigned indent, struct err *e)
{
    struct str limit;
    strbuf_printf(&w->body, "%*swhile ", (int)indent, "");
    if (l->go.n)
        strbuf_addstr(&w->body, l->go);
    if (has_input(n, 0)) {
        if (!use(w, s, n->inputs[0], &limit, e))
            return false;
        strbuf_printf(&w->body, "%s" STR_FMT " < int(" STR_FMT ")", l->go.n ? " and " : "",
                      STR_ARG(l->count), STR_ARG(limit));
    }
    if (!l->go.n && !has_input(n, 0))
        return err_set(e, ERR_UNSUPPORTED, "operator Loop without an end");
    strbuf_adds(&w->body, ":\n");
    return true;
}

/* Adds a number of the language as a tensor of rank 0. */
static void add_scalar(struct emitter *w, struct str name, struct str value, enum dtype t,
                       unsigned indent)
{
    strbuf_printf(&w->body, "%*s" STR_FMT " = ", (int)indent, "", STR_ARG(name));
    emit__put(&w->body, w->framework->scalar, STR(""), value, w->framework->dtypes[t], STR(""));
    strbuf_addc(&w->body, '\n');
}

static bool add_turn(struct emitter *w, const struct emit_scope *s, const struct graph *body,
                     const struct loop_names *l, unsigned indent, struct err *e)
{
    struct emit_scope *inner = emit__scope(w, body, s);
    struct str value;
    add_scalar(w, inner->names[body->inputs.at[0]], l->count, DTYPE_INT64, indent);
    add_scalar(w, inner->names[body->inputs.at[1]], l->go.n ? l->go : STR("True"), DTYPE_BOOL,
               indent);
    for (uint32_t i = 0; i < l->n_carried; i++)
        strbuf_printf(&w->body, "%*s" STR_FMT " = " STR_FMT "\n", (int)indent, "",
                      STR_ARG(inner->names[body->inputs.at[i + 2]]), STR_ARG(l->carried[i]));
    if (!emit__graph(w, inner, indent, e))
        return false;
    for (uint32_t i = 0; i < body->outputs.n; i++) {
        if (!use(w, inner, body->outputs.at[i], &value, e))
            return false;
        if (i == 0 && !l->go.n)
            continue;
        strbuf_printf(&w->body, "%*s", (int)indent, "");
        if (i == 0) {
            strbuf_printf(&w->body, STR_FMT " = ", STR_ARG(l->go));
            add_truth(w, value);
        } else if (i <= l->n_carried) {
            strbuf_printf(&w->body, STR_FMT " = " STR_FMT, STR_ARG(l->carried[i - 1]),
                          STR_ARG(value));
        } else {
            strbuf_printf(&w->body, STR_FMT ".append(" STR_FMT ")",
                          STR_ARG(l->scanned[i - 1 - l->n_carried]), STR_ARG(value));
        }
        strbuf_addc(&w->body, '\n');
    }
    strbuf_printf(&w->body, "%*s" STR_FMT " += 1\n", (int)indent, "", STR_ARG(l->count));
    return true;
}

static void end_loop(struct emitter *w, const struct emit_scope *s, const struct node *n,
                     const struct loop_names *l, unsigned indent)
{
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        if (n->outputs[i] == VALUE_NONE)
            continue;
        strbuf_printf(&w->body, "%*s" STR_FMT " = ", (int)indent, "",
                      STR_ARG(s->names[n->outputs[i]]));
        if (i < l->n_carried)
            strbuf_addstr(&w->body, l->carried[i]);
        else
            emit__put(&w->body, w->framework->stack, STR(""), l->scanned[i - l->n_carried], "",
                      STR(""));
        strbuf_addc(&w->body, '\n');
    }
}

static bool add_loop(struct emitter *w, const struct emit_scope *s, const struct node *n,
                     unsigned indent, struct err *e)
{
    const struct attr *a = node_attr(n, "body");
    if (!a || a->kind != ATTR_GRAPH || n->n_inputs < 2 || a->g->inputs.n != n->n_inputs ||
        a->g->outputs.n + 1 < n->n_inputs)
        return err_set(e, ERR_UNSUPPORTED, "operator Loop: its body does not fit");
    struct loop_names l = {.n_carried = n->n_inputs - 2};
    l.n_scanned = (uint32_t)a->g->outputs.n - 1 - l.n_carried;
    l.carried = arena_new_array(w->a, struct str, l.n_carried);
    l.scanned = arena_new_array(w->a, struct str, l.n_scanned);
    if (!begin_loop(w, s, n, &l, indent, e) || !add_head(w, s, n, &l, indent, e) ||
        !add_turn(w, s, a->g, &l, indent + 4, e))
        return false;
    end_loop(w, s, n, &l, indent);
    return true;
}

bool emit__control(struct emitter *w, const struct emit_scope *s, const struct node *n,
                   unsigned indent, struct err *e)
{
    if (!w->framework->as_bool)
        return err_set(e, ERR_UNSUPPORTED, "operator " STR_FMT " is not written for %s",
                       STR_ARG(n->op_type), w->framework->name);
    return (str_is(n->op_type, "If") ? add_if : add_loop)(w, s, n, indent, e);
}
