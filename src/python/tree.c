/*
 * From bytes to flat nodes: the parse within its budget, the one walk over the parser's tree, the
 * choice between the text as it is and as repaired. What nodes mean is not known here. Invariant:
 * nodes are in preorder, `next` is exact, and every byte that the parser did not understand lies in
 * a damage span.
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

static TSTree *parse(struct py_parser *p, struct budget *b)
{
    TSInput input = {.payload = b, .read = read_text, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = b, .progress_callback = count_step};
    TSTree *tree = ts_parser_parse_with_options(p->parser, NULL, input, options);
    if (!tree)
        ts_parser_reset(p->parser);
    return tree;
}

bool py_parser_parse_only(struct py_parser *p, struct str text)
{
    struct budget b = {text, 0, UINT64_MAX};
    TSTree *tree = parse(p, &b);
    ts_tree_delete(tree);
    return tree != NULL;
}

/* ---- the walk ---- */

struct walker {
    struct py_parser *p;
    struct str text;
    TSTreeCursor cursor;
    uint32_t parent, error_depth;
    bool has_error;
};

static void mark_damage(struct walker *w, uint32_t start, uint32_t end)
{
    vec_push(&w->p->scratch.damage, NULL, (struct span){start, end});
    struct tree_node *nodes = w->p->scratch.nodes.at;
    for (uint32_t n = w->parent; w->p->scratch.nodes.n && !(nodes[n].flags & PY_FLAG_HAS_DAMAGE);
         n = nodes[n].parent) {
        nodes[n].flags |= PY_FLAG_HAS_DAMAGE;
        if (n == 0)
            break;
    }
}

static bool is_formatted(struct str text, uint32_t start)
{
    for (uint32_t i = start; i < text.n && i < start + 3; i++) {
        char c = text.at[i];
        if (c == '"' || c == '\'')
            return false;
        if (c == 'f' || c == 'F' || c == 't' || c == 'T')
            return true;
    }
    return false;
}

static uint32_t add_node(struct walker *w, TSNode at, enum py_kind kind)
{
    struct py_parser *p = w->p;
    uint32_t n = (uint32_t)p->scratch.nodes.n;
    TSFieldId field = n ? ts_tree_cursor_current_field_id(&w->cursor) : 0;
    struct tree_node node = {.start = ts_node_start_byte(at),
                             .end = ts_node_end_byte(at),
                             .parent = w->parent,
                             .next = n + 1,
                             .word = WORD_NONE,
                             .kind = (uint8_t)kind,
                             .field = p->fields[field]};
    if (w->error_depth)
        node.flags = PY_FLAG_IN_DAMAGE;
    vec_push(&p->scratch.nodes, NULL, node);
    return n;
}

/* Records the cursor's node. True when its children are to be visited as children of the node
 * added. */
static bool enter(struct walker *w)
{
    TSNode at = ts_tree_cursor_current_node(&w->cursor);
    TSSymbol number = ts_node_symbol(at);
    struct py_parser *p = w->p;
    struct symbol symbol =
        number < p->n_symbols ? p->symbols[number] : (struct symbol){SYMBOL_ERROR, PY_ERROR};
    if (w->has_error && ts_node_is_missing(at)) {
        if (!w->error_depth)
            mark_damage(w, ts_node_start_byte(at), ts_node_end_byte(at));
        return false;
    }
    switch ((enum symbol_use)symbol.use) {
    case SYMBOL_SKIP:
    case SYMBOL_LEAF:
        if (w->has_error && !w->error_depth && ts_node_has_error(at))
            mark_damage(w, ts_node_start_byte(at), ts_node_end_byte(at));
        return false;
    case SYMBOL_NODE:
        add_node(w, at, (enum py_kind)symbol.what);
        return true;
    case SYMBOL_WORD: {
        uint32_t n = add_node(w, at, PY_IDENTIFIER);
        struct tree_node *node = &p->scratch.nodes.at[n];
        node->word = py_parser_word(p, str_sub(w->text, node->start, node->end));
        return false;
    }
    case SYMBOL_STRING:
        add_node(w, at, PY_STRING);
        return is_formatted(w->text, ts_node_start_byte(at)) ||
               (w->has_error && ts_node_has_error(at));
    case SYMBOL_OPERATOR:
        if (!p->scratch.nodes.at[w->parent].op)
            p->scratch.nodes.at[w->parent].op = symbol.what;
        return false;
    case SYMBOL_FLAG:
        p->scratch.nodes.at[w->parent].flags |= symbol.what;
        return false;
    case SYMBOL_COMMENT:
        vec_push(&p->scratch.comments, NULL,
                 (struct span){ts_node_start_byte(at), ts_node_end_byte(at)});
        return false;
    case SYMBOL_ERROR:
        if (!w->error_depth)
            mark_damage(w, ts_node_start_byte(at), ts_node_end_byte(at));
        add_node(w, at, PY_ERROR);
        return true;
    }
    return false;
}

void tree__walk(struct py_parser *p, struct str text, TSTree *tree)
{
    TSNode root = ts_tree_root_node(tree);
    struct walker w = {.p = p, .text = text, .has_error = ts_node_has_error(root)};
    vec_clear(&p->scratch.nodes);
    vec_clear(&p->scratch.comments);
    vec_clear(&p->scratch.damage);
    w.cursor = ts_tree_cursor_new(root);
    for (bool more = true; more;) {
        uint32_t n = (uint32_t)p->scratch.nodes.n;
        if (enter(&w) && ts_tree_cursor_goto_first_child(&w.cursor)) {
            w.parent = n;
            w.error_depth += w.error_depth || p->scratch.nodes.at[n].kind == PY_ERROR;
            continue;
        }
        while (more && !ts_tree_cursor_goto_next_sibling(&w.cursor)) {
            more = ts_tree_cursor_goto_parent(&w.cursor);
            struct tree_node *done = &p->scratch.nodes.at[w.parent];
            done->next = (uint32_t)p->scratch.nodes.n;
            w.parent = done->parent;
            w.error_depth -= w.error_depth > 0;
        }
    }
    ts_tree_cursor_delete(&w.cursor);
    /* The root spans the whole text even when that begins with blanks; and may itself be an ERROR.
     */
    struct tree_node *module = &p->scratch.nodes.at[0];
    *module = (struct tree_node){.end = (uint32_t)text.n,
                                 .next = (uint32_t)p->scratch.nodes.n,
                                 .word = WORD_NONE,
                                 .kind = PY_MODULE,
                                 .flags = w.has_error ? PY_FLAG_HAS_DAMAGE : 0};
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
    TSTree *tree = parse(p, &b);
    out->n_steps = b.n_steps;
    if (!tree)
        return err_set(e, ERR_LIMIT, "not read within %llu parser steps",
                       (unsigned long long)b.max_steps);
    tree__walk(p, s->text, tree);
    ts_tree_delete(tree);
    if (p->scratch.nodes.n * sizeof(struct tree_node) > s->limits.max_arena)
        return err_set(e, ERR_LIMIT, "%zu syntax nodes need more than %llu bytes",
                       p->scratch.nodes.n, (unsigned long long)s->limits.max_arena);
    return true;
}

/* Repair is for pasted code: a large text that is mostly damage is something else, and costs most.
 */
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
