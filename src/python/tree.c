/*
 * From bytes to flat nodes: parses within a budget, and chooses between the text as it is and as
 * repaired. Does not know what nodes mean. Invariant: nodes are in preorder, `next` is exact, and
 * every byte that the parser did not understand lies in a damage span.
 */
#include "python/tree_p.h"

/* ---- parsing ---- */

struct budget {
    struct str text;
    uint64_t n_steps, max_steps;
};

static const char *read_text(void *payload, uint32_t byte, TSPoint position, uint32_t *n_read)
{
    const struct budget *b = payload;
    (void)position;
    *n_read = byte < b->text.n ? (uint32_t)b->text.n - byte : 0;
    return *n_read ? b->text.at + byte : "";
}

static bool count_step(TSParseState *state)
{
    struct budget *b = state->payload;
    return ++b->n_steps > b->max_steps;
}

static TSTree *parse(TSParser *parser, struct budget *b)
{
    TSInput input = {.payload = b, .read = read_text, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = b, .progress_callback = count_step};
    return ts_parser_parse_with_options(parser, NULL, input, options);
}

/* ---- the result ---- */

static void list_kinds(struct tree *t)
{
    uint32_t counts[N_PY_KINDS] = {0};
    uint32_t *fill[N_PY_KINDS] = {0};
    for (uint32_t n = 0; n < t->n_nodes; n++)
        counts[t->nodes[n].kind]++;
    for (unsigned k = 0; k < N_PY_KINDS; k++) {
        if (!py_is_listed((enum py_kind)k))
            continue;
        fill[k] = arena_new_array(t->arena, uint32_t, counts[k]);
        t->by_kind[k] = (struct node_list){fill[k], counts[k]};
    }
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        unsigned k = t->nodes[n].kind;
        if (fill[k])
            *fill[k]++ = n;
    }
}

static uint64_t damaged_bytes(const struct py_parser *p)
{
    uint64_t n = 0;
    for (size_t i = 0; i < p->scratch.damage.n; i++)
        n += p->scratch.damage.at[i].end - p->scratch.damage.at[i].start + 1;
    return n;
}

static void keep(struct py_parser *p, const struct source *s, struct arena *a, struct tree *out)
{
    uint64_t n_steps = out->n_steps;
    *out = (struct tree){.source = s, .parser = p, .arena = a, .n_steps = n_steps};
    out->n_nodes = (uint32_t)p->scratch.nodes.n;
    out->nodes = arena_dup(a, p->scratch.nodes.at, p->scratch.nodes.n * sizeof(struct tree_node));
    out->comments.n = p->scratch.comments.n;
    out->comments.at = arena_dup(a, p->scratch.comments.at, out->comments.n * sizeof(struct span));
    out->damage.n = p->scratch.damage.n;
    out->damage.at = arena_dup(a, p->scratch.damage.at, out->damage.n * sizeof(struct span));
    list_kinds(out);
}

static bool parse_and_walk(struct py_parser *p, const struct source *s, struct tree *out,
                           struct err *e)
{
    struct budget b = {s->text, out->n_steps, s->limits.max_steps};
    parse_memory__begin(p->memory);
    TSParser *parser = parser__new();
    TSTree *tree = parse(parser, &b);
    bool is_read = tree != NULL;
    if (is_read)
        tree__walk(p, s->text, tree);
    ts_parser_delete(parser); /* the scanner's memory is the system's; the tree's needs no free */
    parse_memory__end(p->memory);
    out->n_steps = b.n_steps;
    if (!is_read)
        return err_set(e, ERR_LIMIT, "not read within %llu parser steps",
                       (unsigned long long)b.max_steps);
    if (p->scratch.nodes.n * sizeof(struct tree_node) > s->limits.max_arena)
        return err_set(e, ERR_LIMIT, "%zu syntax nodes need more than %llu bytes",
                       p->scratch.nodes.n, (unsigned long long)s->limits.max_arena);
    return true;
}

/* Repair is for pasted code: a large text that is mostly damaged is something else, and costs
 * most. */
static bool is_worth_repair(const struct py_parser *p, const struct source *s)
{
    enum { ALWAYS_BELOW = 64 << 10 };
    return p->scratch.damage.n && (s->text.n < ALWAYS_BELOW || damaged_bytes(p) < s->text.n / 2);
}

bool tree_read(struct py_parser *p, struct source *s, struct arena *a, struct tree *out,
               struct err *e)
{
    *out = (struct tree){0};
    if (!parse_and_walk(p, s, out, e))
        return false;
    if (is_worth_repair(p, s)) {
        struct source before = *s;
        uint64_t damage = damaged_bytes(p);
        struct span_list ranges = {p->scratch.damage.at, p->scratch.damage.n};
        if (source_normalise(s, &ranges)) {
            struct err ignored;
            bool better = parse_and_walk(p, s, out, &ignored) && damaged_bytes(p) < damage;
            if (!better) {
                *s = before;
                out->n_steps = 0;
                if (!parse_and_walk(p, s, out, e))
                    return false;
            }
        }
    }
    keep(p, s, a, out);
    return true;
}
