/*
 * Where values come from and go to, with a worklist that visits each expression node once. The
 * visitor knows what calls mean; this file only knows which parts of an expression carry its value.
 * Also the dump.
 */
#include "python/flow_p.h"

struct item {
    uint32_t node, def;
    uint32_t from; /* forwards: the argument of the call `node` that the value is in; 0 */
};

struct tracer {
    const struct flow *f;
    const struct tree *t;
    const struct flow_trace *trace;
    struct arena work;
    VEC(struct item) worklist;
    uint64_t *seen;
    uint32_t base, n_range;
};

static void push_from(struct tracer *r, uint32_t node, uint32_t def, uint32_t from)
{
    if (!node || node < r->base || node - r->base >= r->n_range)
        return;
    uint32_t at = node - r->base;
    if (r->seen[at / 64] >> (at % 64) & 1)
        return;
    r->seen[at / 64] |= UINT64_C(1) << (at % 64);
    vec_push(&r->worklist, &r->work, (struct item){node, def, from});
}

static void push(struct tracer *r, uint32_t node, uint32_t def)
{
    push_from(r, node, def, 0);
}

static void open_tracer(struct tracer *r)
{
    arena_init(&r->work);
    r->base = r->f->cfg->first_node;
    r->n_range = r->f->cfg->end_node - r->base;
    r->seen = arena_new_array(&r->work, uint64_t, r->n_range / 64 + 1);
    names_spend(r->f->cfg->names, r->n_range / 64);
}

/* ---- backwards ---- */

/* Pushes the values of a step's definitions; for `x += y` also the target, whose first step reads
 * the old value. */
static void push_definitions(struct tracer *r, uint32_t step)
{
    struct flow_list defs = flow_defs_of(r->f, step);
    for (uint32_t i = 0; i < defs.n; i++) {
        const struct flow_def *d = &r->f->defs[defs.at[i]];
        push(r, d->value, defs.at[i]);
        if (d->kind == DEF_AUGMENTED)
            push(r, r->f->cfg->steps[d->step].node, defs.at[i]);
    }
}

static void push_children(struct tracer *r, uint32_t node)
{
    for (uint32_t c = tree_first(r->t, node); c; c = tree_next(r->t, c))
        push(r, c, DEF_NONE);
}

static void push_arguments(struct tracer *r, uint32_t call)
{
    uint32_t arguments = tree_child(r->t, call, FIELD_ARGUMENTS);
    if (arguments && r->t->nodes[arguments].kind == PY_GENERATOR)
        push(r, arguments, DEF_NONE);
    else if (arguments)
        push_children(r, arguments);
}

static void push_receiver(struct tracer *r, uint32_t call)
{
    uint32_t function = tree_child(r->t, call, FIELD_FUNCTION);
    if (function && r->t->nodes[function].kind == PY_ATTRIBUTE)
        push(r, tree_first(r->t, function), DEF_NONE);
}

/* The argument that comes back in the place that the definition takes. */
static void push_same_part(struct tracer *r, struct item item)
{
    const struct flow_def *d = item.def == DEF_NONE ? NULL : &r->f->defs[item.def];
    bool is_part = d && d->kind == DEF_PART && d->value == item.node && d->part != 255;
    uint32_t argument = is_part ? tree_argument(r->t, item.node, d->part, NULL) : 0;
    if (argument)
        push(r, argument, DEF_NONE);
    else
        push_arguments(r, item.node);
}

static void push_operands(struct tracer *r, uint32_t node)
{
    const struct tree *t = r->t;
    switch (tree_kind(t, node)) {
    case PY_IDENTIFIER:
    case PY_ATTRIBUTE: {
        uint32_t step = cfg_step(r->f->cfg, node);
        bool has_own = step != STEP_NONE && r->f->use_var[step] != VAR_NONE &&
                       r->f->vars[r->f->use_var[step]].n_defs;
        if (has_own)
            push_definitions(r, step);
        else if (t->nodes[node].kind == PY_ATTRIBUTE)
            push(r, tree_first(t, node), DEF_NONE);
        break;
    }
    case PY_CONDITIONAL:
        push(r, tree_child_at(t, node, 0), DEF_NONE);
        push(r, tree_child_at(t, node, 2), DEF_NONE);
        break;
    case PY_SUBSCRIPT:
    case PY_KEYWORD_ARGUMENT:
    case PY_NAMED:
    case PY_PAIR:
        push(r, tree_child(t, node, FIELD_VALUE), DEF_NONE);
        break;
    case PY_LIST_COMPREHENSION:
    case PY_SET_COMPREHENSION:
    case PY_DICT_COMPREHENSION:
    case PY_GENERATOR:
        push(r, tree_child(t, node, FIELD_BODY), DEF_NONE);
        break;
    case PY_CALL:
        if (r->trace->through_calls) {
            push_receiver(r, node);
            push_arguments(r, node);
        }
        break;
    case PY_LAMBDA:
    case PY_FUNCTION:
    case PY_CLASS:
    case PY_STRING:
    case PY_CONCATENATED_STRING:
    case PY_IMPORT:
    case PY_IMPORT_FROM:
        break;
    default:
        push_children(r, node);
        break;
    }
}

bool flow_trace_back(const struct flow *f, uint32_t node, const struct flow_trace *trace)
{
    struct tracer r = {.f = f, .t = f->cfg->names->tree, .trace = trace};
    bool going = true;
    open_tracer(&r);
    push(&r, node, DEF_NONE);
    while (going && r.worklist.n) {
        struct item item = vec_pop(&r.worklist);
        switch (trace->visit(trace->ctx, item.node, item.def)) {
        case TRACE_ON:
            push_operands(&r, item.node);
            break;
        case TRACE_RECEIVER_ONLY:
            push_receiver(&r, item.node);
            break;
        case TRACE_ARGUMENTS_ONLY:
            push_arguments(&r, item.node);
            break;
        case TRACE_SAME_PART:
            push_same_part(&r, item);
            break;
        case TRACE_STOP_HERE:
            break;
        case TRACE_END:
            going = false;
            break;
        }
    }
    arena_done(&r.work);
    return going;
}

/* ---- forwards ---- */

static bool is_wrapping(enum py_kind k)
{
    return k == PY_ARGUMENTS || k == PY_PARENTHESES || k == PY_KEYWORD_ARGUMENT || k == PY_PAIR;
}

/* Pushes the reads of what this value is stored to. */
static void push_readers(struct tracer *r, uint32_t value)
{
    if (!names_spend(r->f->cfg->names, r->f->n_defs))
        return;
    for (uint32_t d = 0; d < r->f->n_defs; d++) {
        if (r->f->defs[d].value != value)
            continue;
        struct flow_list uses = flow_uses_of(r->f, d);
        for (uint32_t i = 0; i < uses.n; i++)
            push(r, r->f->cfg->steps[uses.at[i]].node, d);
    }
}

/* Pushes the reads of the names that take back the argument that the value is in. */
static void push_readers_of_part(struct tracer *r, struct item item)
{
    uint32_t list = tree_child(r->t, item.node, FIELD_ARGUMENTS), at = 0;
    for (uint32_t c = list ? tree_first(r->t, list) : 0; c && c != item.from;
         c = tree_next(r->t, c))
        at++;
    for (uint32_t d = 0; d < r->f->n_defs; d++) {
        const struct flow_def *def = &r->f->defs[d];
        if (def->value != item.node || (def->kind == DEF_PART && def->part != at))
            continue;
        struct flow_list uses = flow_uses_of(r->f, d);
        for (uint32_t i = 0; i < uses.n; i++)
            push(r, r->f->cfg->steps[uses.at[i]].node, d);
    }
}

/* Is it stored to a field or an element, which this scope's flow does not follow? */
static bool is_kept(const struct tree *t, uint32_t assignment, uint32_t value)
{
    enum py_kind k = tree_kind(t, tree_child(t, assignment, FIELD_LEFT));
    return tree_child(t, assignment, FIELD_RIGHT) == value &&
           (k == PY_ATTRIBUTE || k == PY_SUBSCRIPT);
}

static void push_consumers(struct tracer *r, uint32_t node)
{
    const struct tree *t = r->t;
    push_readers(r, node);
    uint32_t n = node, above = t->nodes[node].parent;
    while (above && is_wrapping(tree_kind(t, above))) {
        n = above;
        above = t->nodes[n].parent;
        push_readers(r, n);
    }
    enum py_kind k = tree_kind(t, above);
    if (!above ||
        (k == PY_CALL && t->nodes[n].field == FIELD_FUNCTION && tree_kind(t, n) == PY_IDENTIFIER))
        return;
    if (k == PY_CONDITIONAL && tree_child_at(t, above, 1) == n)
        return;
    if (py_is_expression(k) || k == PY_RETURN || k == PY_AUGMENTED ||
        k == PY_EXPRESSION_STATEMENT || k == PY_FOR || k == PY_FOR_IN ||
        (k == PY_ASSIGNMENT && is_kept(t, above, n))) {
        uint32_t in_call = t->nodes[node].parent;
        push_from(r, above, DEF_NONE, tree_kind(t, in_call) == PY_ARGUMENTS ? node : 0);
    }
    if (k == PY_AUGMENTED || k == PY_FOR || k == PY_FOR_IN)
        push_readers(r, n);
}

bool flow_trace_forward(const struct flow *f, uint32_t node, const struct flow_trace *trace)
{
    struct tracer r = {.f = f, .t = f->cfg->names->tree, .trace = trace};
    bool going = true;
    open_tracer(&r);
    push_consumers(&r, node);
    while (going && r.worklist.n) {
        struct item item = vec_pop(&r.worklist);
        enum trace_next next = trace->visit(trace->ctx, item.node, item.def);
        if (next == TRACE_SAME_PART && item.from)
            push_readers_of_part(&r, item);
        else if (next == TRACE_ON || next == TRACE_SAME_PART)
            push_consumers(&r, item.node);
        going = next != TRACE_END;
    }
    arena_done(&r.work);
    return going;
}

/* ---- dump ---- */

void flow_var_text(const struct flow *f, uint32_t var, struct strbuf *out)
{
    const struct py_parser *words = f->cfg->names->tree->parser;
    const struct flow_var *v = &f->vars[var];
    strbuf_addstr(out, py_parser_text(words, v->root));
    for (uint32_t i = 0; i < v->n_path; i++)
        strbuf_printf(out, "." STR_FMT, STR_ARG(py_parser_text(words, v->path[i])));
}

static void dump_def(const struct flow *f, uint32_t def, struct strbuf *out)
{
    const struct flow_def *d = &f->defs[def];
    strbuf_printf(out, " %s", def_kind_name((enum def_kind)d->kind));
    if (d->part != 255)
        strbuf_printf(out, "[%u]", d->part);
    if (d->step != STEP_NONE) {
        const struct tree *t = f->cfg->names->tree;
        strbuf_printf(out, "@%u",
                      source_line_of(t->source, t->nodes[f->cfg->steps[d->step].node].start));
    }
}

void flow_dump(const struct flow *f, struct strbuf *out)
{
    const struct tree *t = f->cfg->names->tree;
    const struct name_scope *scope = &f->cfg->names->scopes[f->cfg->scope];
    strbuf_printf(out, "defuse %s " STR_FMT "%s\n", scope_kind_name(scope->kind),
                  STR_ARG(py_parser_text(t->parser, scope->name)),
                  f->is_known ? "" : " (too large)");
    for (uint32_t s = 0; s < f->cfg->n_steps; s++) {
        if (f->use_var[s] == VAR_NONE)
            continue;
        struct flow_list defs = flow_defs_of(f, s);
        strbuf_printf(out,
                      "  %u: ", source_line_of(t->source, t->nodes[f->cfg->steps[s].node].start));
        flow_var_text(f, f->use_var[s], out);
        strbuf_adds(out, " <-");
        for (uint32_t i = 0; i < defs.n; i++) {
            if (f->defs[defs.at[i]].var != f->use_var[s]) {
                strbuf_addc(out, ' ');
                flow_var_text(f, f->defs[defs.at[i]].var, out);
                strbuf_addc(out, ':');
            }
            dump_def(f, defs.at[i], out);
        }
        strbuf_addc(out, '\n');
    }
}
