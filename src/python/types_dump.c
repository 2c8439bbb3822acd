/* The dump of struct types: the objects of each scope whose type is known, and its events in
 * order. */
#include "python/types_p.h"

static void dump_fact(const struct types *k, uint32_t node, struct type_fact f, struct strbuf *out)
{
    struct str text = tree_text(k->names->tree, node);
    uint32_t line = source_line_of(k->names->tree->source, k->names->tree->nodes[node].start);
    strbuf_printf(out, "  %u: " STR_FMT ": %s %s\n", line, STR_ARG(text), type_name(f.type),
                  confidence_name(f.confidence));
}

static void dump_event(const struct types *k, const struct types_event *e, struct strbuf *out)
{
    uint32_t line = source_line_of(k->names->tree->source, k->names->tree->nodes[e->node].start);
    strbuf_printf(out, "  %u: %s", line, role_name(e->role));
    if (e->object != OBJECT_NONE) {
        strbuf_addc(out, ' ');
        types_object_text(k, e->object, out);
    }
    if (e->other != OBJECT_NONE) {
        strbuf_adds(out, " by ");
        types_object_text(k, e->other, out);
    }
    strbuf_printf(out, " %s%s\n", confidence_name(e->confidence),
                  e->is_deep ? e->is_must ? " (inside, always)" : " (inside)" : "");
}

void types_dump(const struct types *k, struct strbuf *out)
{
    for (uint32_t scope = 0; scope < k->names->n_scopes; scope++) {
        const struct name_scope *s = &k->names->scopes[scope];
        const struct cfg *c = s->kind == SCOPE_COMPREHENSION ? NULL : types_cfg(k, scope);
        if (!c)
            continue;
        strbuf_printf(out, "types %s " STR_FMT "\n", scope_kind_name(s->kind),
                      STR_ARG(py_parser_text(k->names->tree->parser, s->name)));
        for (uint32_t i = 0; i < c->n_steps; i++) {
            uint32_t node = c->steps[i].node;
            enum py_kind kind = tree_kind(k->names->tree, node);
            if (c->steps[i].kind != STEP_EVAL ||
                (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE && kind != PY_CALL))
                continue;
            struct type_fact f = types_of(k, node);
            if (f.type != TYPE_UNKNOWN && f.type != TYPE_OTHER)
                dump_fact(k, node, f, out);
        }
        strbuf_printf(out, "events %s " STR_FMT "\n", scope_kind_name(s->kind),
                      STR_ARG(py_parser_text(k->names->tree->parser, s->name)));
        struct types_event_list events = types_events(k, scope);
        for (size_t i = 0; i < events.n; i++)
            dump_event(k, &events.at[i], out);
    }
}
