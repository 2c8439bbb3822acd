/*
 * Do gradients of a value reach what an optimizer holds? The value is traced back through names,
 * operators and known calls, up to where the graph is cut or a value has none. Invariant: anything
 * unknown (a parameter of the function, a field, unknown code) makes the answer unknown, never
 * "no".
 */
#include "python/types_p.h"

struct gradient_search {
    const struct types *k;
    uint32_t optimizer;
    bool found, unknown;
};

bool types__has_no_graph(enum value_type type)
{
    return type == TYPE_LOADER || type == TYPE_DATASET || type == TYPE_NUMBER ||
           type == TYPE_SIZE || type == TYPE_DEVICE || type == TYPE_ARRAY || type == TYPE_GENERATOR;
}

static enum trace_next at_module(struct gradient_search *s, uint32_t function)
{
    uint32_t module = types_object(s->k, function);
    enum truth held =
        module == OBJECT_NONE ? TRUTH_UNKNOWN : types_holds(s->k, s->optimizer, module);
    s->found |= held == TRUTH_TRUE;
    s->unknown |= held == TRUTH_UNKNOWN;
    return s->found ? TRACE_END : TRACE_ARGUMENTS_ONLY;
}

static enum trace_next at_call(struct gradient_search *s, uint32_t call)
{
    struct call_fact f = types_call(s->k, call);
    const struct api_row *row = api_row_at(s->k->api, f.api);
    uint32_t function = tree_child(s->k->names->tree, call, FIELD_FUNCTION);
    if (row->traits & (TRAIT_CUTS | TRAIT_FRESH | TRAIT_DATA) ||
        types_in_no_grad(s->k, call) == TRUTH_TRUE ||
        types__has_no_graph(types_of(s->k, call).type))
        return TRACE_STOP_HERE;
    if (row->traits & TRAIT_ENABLES || f.role == ROLE_GRADIENT) {
        s->unknown = true;
        return TRACE_END;
    }
    if (f.role == ROLE_FORWARD && function && f.api == API_NONE)
        return at_module(s, function);
    if (f.role == ROLE_COMPARE && f.api == API_NONE && f.scope == SCOPE_NONE)
        return TRACE_ARGUMENTS_ONLY;
    if (f.is_method && row->traits & (TRAIT_IDENTITY | TRAIT_RESHAPES | TRAIT_OF_RECEIVER))
        return TRACE_RECEIVER_ONLY; /* x.to(device): its arguments add nothing */
    if (f.is_resolved && f.api != API_NONE)
        return f.is_method ? TRACE_ON : TRACE_ARGUMENTS_ONLY;
    s->unknown = true;
    return TRACE_END;
}

/* Has every definition that reaches the name a value in this flow? */
static bool is_known_here(const struct types *k, uint32_t node)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || f->use_var[step] == VAR_NONE)
        return false;
    struct flow_list defs = flow_defs_of(f, step);
    for (uint32_t i = 0; i < defs.n; i++)
        if (!f->defs[defs.at[i]].value)
            return false;
    return defs.n > 0;
}

static enum trace_next visit(void *ctx, uint32_t node, uint32_t def)
{
    struct gradient_search *s = ctx;
    enum py_kind kind = tree_kind(s->k->names->tree, node);
    (void)def;
    if (kind == PY_CALL)
        return at_call(s, node);
    if (kind == PY_ATTRIBUTE) {
        uint32_t api = types_attribute(s->k, node);
        if (api_row_at(s->k->api, api)->traits & TRAIT_CUTS)
            return TRACE_STOP_HERE;
    }
    if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE)
        return TRACE_ON;
    struct type_fact f = types_of(s->k, node);
    if (types__has_no_graph(f.type))
        return TRACE_STOP_HERE;
    s->unknown |= f.type == TYPE_PARAMETER || kind == PY_ATTRIBUTE || !is_known_here(s->k, node);
    return s->unknown ? TRACE_END : TRACE_ON;
}

enum truth types_gradient_reaches(const struct types *k, uint32_t value, uint32_t optimizer)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, value));
    struct holding h = types_holding(k, optimizer);
    struct gradient_search s = {.k = k, .optimizer = optimizer};
    struct flow_trace trace = {visit, &s, true};
    if (!f || !h.n || !h.is_complete)
        return TRUTH_UNKNOWN;
    flow_trace_back(f, value, &trace);
    return s.found ? TRUTH_TRUE : s.unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

/* Is the read the whole of what backward is called on: loss.backward(), accelerator.backward(loss),
 * scaler.scale(loss / n).backward()? */
static bool is_subject_of_backward(const struct types *k, uint32_t read)
{
    const struct tree *t = k->names->tree;
    for (uint32_t n = t->nodes[read].parent; n; n = t->nodes[n].parent) {
        enum py_kind kind = tree_kind(t, n);
        if (kind == PY_CALL) {
            enum role role = types_call(k, n).role;
            if (role == ROLE_BACKWARD)
                return tree_is_in(t, read, types_call(k, n).subject);
            if (role != ROLE_SCALE)
                return false;
        } else if (kind != PY_ATTRIBUTE && kind != PY_ARGUMENTS && kind != PY_PARENTHESES &&
                   kind != PY_BINARY) {
            return false;
        }
    }
    return false;
}

bool types__has_backward(const struct types *k, uint32_t node)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    uint32_t def = step == STEP_NONE || f->use_var[step] == VAR_NONE ? (uint32_t)DEF_NONE
                                                                     : flow_only_def(f, step);
    if (def == DEF_NONE || f->defs[def].kind == DEF_ENTRY)
        return false;
    struct flow_list uses = flow_uses_of(f, def);
    for (uint32_t i = 0; i < uses.n; i++)
        if (is_subject_of_backward(k, f->cfg->steps[uses.at[i]].node))
            return true;
    return false;
}
