/* The dump of struct kinds: the objects of each scope that are something, and its events in order.
 */
#include "python/kinds_p.h"

static void dump_fact(const struct kinds *k, uint32_t node, struct kind_fact f, struct strbuf *out)
{
    struct str text = tree_text(k->names->tree, node);
    uint32_t line = source_line_of(k->names->tree->source, k->names->tree->nodes[node].start);
    strbuf_printf(out, "  %u: " STR_FMT ": %s %s\n", line, STR_ARG(text), kind_name(f.kind),
                  confidence_name(f.confidence));
}

static void dump_event(const struct kinds *k, const struct kinds_event *e, struct strbuf *out)
{
    uint32_t line = source_line_of(k->names->tree->source, k->names->tree->nodes[e->node].start);
    strbuf_printf(out, "  %u: %s", line, role_name(e->role));
    if (e->object != OBJECT_NONE) {
        strbuf_addc(out, ' ');
        kinds_object_text(k, e->object, out);
    }
    if (e->other != OBJECT_NONE) {
        strbuf_adds(out, " by ");
        kinds_object_text(k, e->other, out);
    }
    strbuf_printf(out, " %s%s\n", confidence_name(e->confidence),
                  e->is_deep ? e->is_must ? " (inside, always)" : " (inside)" : "");
}

void kinds_dump(const struct kinds *k, struct strbuf *out)
{
    for (uint32_t scope = 0; scope < k->names->n_scopes; scope++) {
        const struct name_scope *s = &k->names->scopes[scope];
        const struct cfg *c = s->kind == SCOPE_COMPREHENSION ? NULL : kinds_cfg(k, scope);
        if (!c)
            continue;
        strbuf_printf(out, "kinds %s " STR_FMT "\n", scope_kind_name(s->kind),
                      STR_ARG(py_parser_text(k->names->tree->parser, s->name)));
        for (uint32_t i = 0; i < c->n_steps; i++) {
            uint32_t node = c->steps[i].node;
            enum py_kind kind = tree_kind(k->names->tree, node);
            if (c->steps[i].kind != STEP_EVAL ||
                (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE && kind != PY_CALL))
                continue;
            struct kind_fact f = kinds_of(k, node);
            if (f.kind != KIND_UNKNOWN && f.kind != KIND_OTHER)
                dump_fact(k, node, f, out);
        }
        strbuf_printf(out, "events %s " STR_FMT "\n", scope_kind_name(s->kind),
                      STR_ARG(py_parser_text(k->names->tree->parser, s->name)));
        struct kinds_event_list events = kinds_events(k, scope);
        for (size_t i = 0; i < events.n; i++)
            dump_event(k, &events.at[i], out);
    }
}
