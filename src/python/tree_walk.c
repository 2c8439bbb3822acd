/*
 * The one walk over the parser's tree. It reads the tree-sitter library's own struct Subtree, as
 * the library's cursor does, but spends nothing on rows, columns and ancestors, which are not
 * needed here (docs/adr/0011). Invariant: nodes, places and fields are those that the cursor gives;
 * tests/unit/python/tree_test.c compares them.
 *
 * Subtrees are visible (nodes of the grammar) or hidden (pieces of long lists, rules without a
 * name), whose children count as children of the visible one around them. The size of a
 * subtree is its text, its padding the blanks before that; a first child has its parent's padding.
 */
#include <src/language.h>
#include <src/tree.h>

#include "python/tree_p.h"

/* One subtree whose children are being visited. */
struct tree_level {
    const SubtreeHeapData *parent;
    const Subtree *children; /* stored before their parent */
    const TSSymbol *aliases; /* by structural number: symbols instead of the children's */
    uint32_t at;             /* the end of the previous child */
    uint32_t n_visited;      /* children */
    uint32_t n_structural;   /* of these, without extras such as comments */
    uint8_t hidden_field;    /* enum py_field of a hidden parent, which its children inherit */
    bool is_hidden;
};

/* A visible subtree. */
struct visit {
    Subtree tree;
    uint32_t start, end;
    TSSymbol symbol;
    uint8_t field; /* enum py_field */
};

struct walker {
    struct py_parser *p;
    const TSLanguage *language;
    struct str text;
    VEC(struct tree_level) levels;
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

static uint32_t add_node(struct walker *w, const struct visit *at, enum py_kind kind)
{
    struct py_parser *p = w->p;
    uint32_t n = (uint32_t)p->scratch.nodes.n;
    struct tree_node node = {.start = at->start,
                             .end = at->end,
                             .parent = w->parent,
                             .next = n + 1,
                             .word = WORD_NONE,
                             .kind = (uint8_t)kind,
                             .field = at->field};
    if (w->error_depth)
        node.flags = PY_FLAG_IN_DAMAGE;
    vec_push(&p->scratch.nodes, NULL, node);
    return n;
}

static bool has_error(const struct walker *w, const struct visit *at)
{
    return w->has_error && ts_subtree_error_cost(at->tree) > 0;
}

/* Records a visible subtree. True when its children are to be visited as children of the new
 * node. */
static bool enter(struct walker *w, const struct visit *at)
{
    struct py_parser *p = w->p;
    struct symbol symbol = at->symbol < p->n_symbols ? p->symbols[at->symbol]
                                                     : (struct symbol){SYMBOL_ERROR, PY_ERROR};
    if (w->has_error && ts_subtree_missing(at->tree)) {
        if (!w->error_depth)
            mark_damage(w, at->start, at->end);
        return false;
    }
    switch ((enum symbol_use)symbol.use) {
    case SYMBOL_SKIP:
    case SYMBOL_LEAF:
        if (!w->error_depth && has_error(w, at))
            mark_damage(w, at->start, at->end);
        return false;
    case SYMBOL_NODE:
        add_node(w, at, (enum py_kind)symbol.what);
        return true;
    case SYMBOL_WORD: {
        uint32_t n = add_node(w, at, PY_IDENTIFIER);
        p->scratch.nodes.at[n].word = py_parser_word(p, str_sub(w->text, at->start, at->end));
        return false;
    }
    case SYMBOL_STRING:
        add_node(w, at, PY_STRING);
        return is_formatted(w->text, at->start) || has_error(w, at);
    case SYMBOL_OPERATOR:
        if (!p->scratch.nodes.at[w->parent].op)
            p->scratch.nodes.at[w->parent].op = symbol.what;
        return false;
    case SYMBOL_FLAG:
        p->scratch.nodes.at[w->parent].flags |= symbol.what;
        return false;
    case SYMBOL_COMMENT:
        vec_push(&p->scratch.comments, NULL, (struct span){at->start, at->end});
        return false;
    case SYMBOL_ERROR:
        if (!w->error_depth)
            mark_damage(w, at->start, at->end);
        add_node(w, at, PY_ERROR);
        return true;
    }
    return false;
}

/* The field that the grammar's rule of the parent gives its child. */
static uint8_t field_of_child(const struct walker *w, const struct tree_level *level)
{
    const TSFieldMapEntry *entry, *end;
    ts_language_field_map(w->language, level->parent->production_id, &entry, &end);
    for (; entry < end; entry++)
        if (!entry->inherited && entry->child_index == level->n_structural)
            return w->p->fields[entry->field_id];
    return level->hidden_field;
}

static void open_level(struct walker *w, Subtree tree, uint32_t start, bool is_hidden,
                       uint8_t hidden_field)
{
    struct tree_level level = {.parent = tree.ptr,
                               .children = (const Subtree *)tree.ptr - tree.ptr->child_count,
                               .aliases =
                                   ts_language_alias_sequence(w->language, tree.ptr->production_id),
                               .at = start,
                               .hidden_field = hidden_field,
                               .is_hidden = is_hidden};
    vec_push(&w->levels, NULL, level);
}

/* Records a visible subtree, and pushes its children. */
static void visit(struct walker *w, const struct visit *at)
{
    uint32_t n = (uint32_t)w->p->scratch.nodes.n;
    if (!enter(w, at) || !ts_subtree_visible_child_count(at->tree))
        return;
    w->parent = n;
    w->error_depth += w->error_depth || w->p->scratch.nodes.at[n].kind == PY_ERROR;
    open_level(w, at->tree, at->start, false, 0);
}

static void close_level(struct walker *w)
{
    bool is_hidden = w->levels.at[--w->levels.n].is_hidden;
    if (is_hidden)
        return;
    struct tree_node *done = &w->p->scratch.nodes.at[w->parent];
    done->next = (uint32_t)w->p->scratch.nodes.n;
    w->parent = done->parent;
    w->error_depth -= w->error_depth > 0;
}

static void visit_next_child(struct walker *w, struct tree_level *level)
{
    Subtree tree = level->children[level->n_visited];
    uint32_t padding = level->n_visited++ ? ts_subtree_padding(tree).bytes : 0;
    struct visit at = {.tree = tree, .start = level->at + padding};
    TSSymbol alias = 0;
    level->at = at.end = at.start + ts_subtree_size(tree).bytes;
    if (!ts_subtree_extra(tree)) {
        alias = level->aliases ? level->aliases[level->n_structural] : 0;
        at.field = field_of_child(w, level);
        level->n_structural++;
    }
    at.symbol = alias ? alias : ts_subtree_symbol(tree);
    if (alias || ts_subtree_visible(tree))
        visit(w, &at);
    else if (ts_subtree_visible_child_count(tree))
        open_level(w, tree, at.start, true, at.field);
}

void tree__walk(struct py_parser *p, struct str text, TSTree *tree)
{
    Subtree root = tree->root;
    struct walker w = {.p = p,
                       .language = tree->language,
                       .text = text,
                       .has_error = ts_subtree_error_cost(root) > 0};
    struct visit at = {
        .tree = root, .start = ts_subtree_padding(root).bytes, .symbol = ts_subtree_symbol(root)};
    at.end = at.start + ts_subtree_size(root).bytes;
    vec_clear(&p->scratch.nodes);
    vec_clear(&p->scratch.comments);
    vec_clear(&p->scratch.damage);
    visit(&w, &at);
    while (w.levels.n) {
        struct tree_level *level = &w.levels.at[w.levels.n - 1];
        if (level->n_visited < level->parent->child_count)
            visit_next_child(&w, level);
        else
            close_level(&w);
    }
    vec_free(&w.levels);
    /* The root spans the whole text even when that begins with blanks; and may itself be an ERROR.
     */
    struct tree_node *module = &p->scratch.nodes.at[0];
    *module = (struct tree_node){.end = (uint32_t)text.n,
                                 .next = (uint32_t)p->scratch.nodes.n,
                                 .word = WORD_NONE,
                                 .kind = PY_MODULE,
                                 .flags = w.has_error ? PY_FLAG_HAS_DAMAGE : 0};
}
