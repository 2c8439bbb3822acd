/* The dump of struct cfg: one line per block, its steps, its edges. */
#include "python/cfg.h"

static const char *const step_names[] = {"eval",  "store", "delete", "enter",
                                         "leave", "next",  "test"};
static const char *const edge_names[] = {"next", "true", "false", "exception", "back"};

const char *step_kind_name(enum step_kind kind)
{
    return step_names[kind];
}

const char *edge_kind_name(enum edge_kind kind)
{
    return edge_names[kind];
}

/* The first line of a node's text, at most 32 bytes. */
static void add_short_text(const struct tree *t, uint32_t node, struct strbuf *out)
{
    struct str text = tree_text(t, node);
    size_t n = MIN(str_find_byte(text, '\n'), (size_t)32);
    strbuf_addstr(out, str_sub(text, 0, n));
    if (n < text.n)
        strbuf_adds(out, "...");
}

void cfg_dump(const struct cfg *c, struct strbuf *out)
{
    const struct tree *t = c->names->tree;
    const struct name_scope *scope = &c->names->scopes[c->scope];
    strbuf_printf(out, "cfg %s " STR_FMT "\n", scope_kind_name(scope->kind),
                  STR_ARG(py_parser_text(t->parser, scope->name)));
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        const struct cfg_block *block = &c->blocks[i];
        if (!block->is_reachable && block->first == block->end)
            continue;
        strbuf_printf(out, "  block %u", i);
        strbuf_adds(out, i == CFG_ENTRY   ? " entry"
                         : i == CFG_EXIT  ? " exit"
                         : i == CFG_RAISE ? " raise"
                                          : "");
        if (block->loop != LOOP_NONE)
            strbuf_printf(out, " loop %u", block->loop);
        if (!block->is_reachable)
            strbuf_adds(out, " unreachable");
        for (uint32_t e = 0; e < block->n_out; e++) {
            const struct cfg_edge *edge = &c->out[block->first_out + e];
            strbuf_printf(out, " %s->%u", edge_kind_name((enum edge_kind)edge->kind), edge->to);
        }
        strbuf_addc(out, '\n');
        for (uint32_t s = block->first; s < block->end; s++) {
            strbuf_printf(out, "    %u %s ", s, step_kind_name((enum step_kind)c->steps[s].kind));
            add_short_text(t, c->steps[s].node, out);
            strbuf_addc(out, '\n');
        }
    }
}
