/*
 * Passes over programs: they lower the level of optimisers, drop statements, lift blocks out of the
 * statement that holds them, drop arguments and elements, replace expressions by one of their
 * parts, put values where their name is used, make numbers small. Each edits the text and keeps the
 * rest byte for byte. Only the subject's settle decides whether the result is valid Python.
 *
 * Must not know what failed nor how it is judged.
 */
#include "base/vec.h"
#include "python/edit.h"
#include "python/reading.h"
#include "reduce/program_p.h"

bool program__parse(struct py_parser *parser, struct str text, struct arena *a, struct tree *out)
{
    struct source *source = arena_new(a, struct source);
    const struct source_input in = {STR("program.py"), text, SOURCE_FILE};
    struct err ignored;
    return source_open(&in, &(struct source_limits){0}, a, source, &ignored) &&
           tree_read(parser, source, a, out, &ignored);
}

/* Every statement, each before those of its inner blocks. */
struct statements {
    VEC(uint32_t) at;
};

static void list_statements(const struct tree *t, struct arena *a, struct statements *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++)
        if (py_is_statement(tree_kind(t, n)))
            vec_push(&out->at, a, n);
}

uint32_t pass__count_statements(const struct state *s)
{
    struct arena a;
    struct tree tree;
    struct statements all = {0};
    arena_init(&a);
    if (program__parse(s->parser, s->program->source, &a, &tree))
        list_statements(&tree, &a, &all);
    uint32_t n = (uint32_t)all.at.n;
    arena_done(&a);
    return n;
}

/* The bytes to remove with a statement: its whole lines if nothing else is on them; else the
 * statement and its separator from the next on the line. */
static struct span span_with_line(struct str text, struct span s)
{
    uint32_t start = s.start, end = s.end;
    while (start > 0 && (text.at[start - 1] == ' ' || text.at[start - 1] == '\t'))
        start--;
    while (end < text.n && (text.at[end] == ' ' || text.at[end] == ';'))
        end++;
    bool begins = start == 0 || text.at[start - 1] == '\n';
    bool ends = end == text.n || text.at[end] == '\n';
    if (!begins || !ends)
        return (struct span){s.start, end};
    return (struct span){start, end + (end < text.n)};
}

/* Would the block around n be empty without the marked statements? */
static bool empties_block(const struct tree *t, uint32_t n, const bool *gone)
{
    uint32_t block = tree_node(t, n)->parent;
    for (uint32_t c = tree_first(t, block); c; c = tree_next(t, c))
        if (py_is_statement(tree_kind(t, c)) && !gone[c])
            return false;
    return block != 0; /* the module may be empty */
}

static bool holder_is_gone(const struct tree *t, uint32_t n, const bool *gone)
{
    for (uint32_t up = tree_node(t, n)->parent; up; up = tree_node(t, up)->parent)
        if (gone[up])
            return true;
    return false;
}

static bool is_list(enum py_kind kind)
{
    return kind == PY_TUPLE || kind == PY_LIST || kind == PY_EXPRESSION_LIST;
}

/* Elements of tuples and lists go with the removed statements that assigned their names. */
static void drop_names(const struct trial *t, const struct tree *tree, const bool *gone,
                       struct edit_set *edits)
{
    bool *is_dead = arena_new_array(t->a, bool, py_parser_word_count(t->from->parser));
    for (uint32_t n = 1; n < tree->n_nodes; n++) {
        uint32_t target = tree_kind(tree, n) == PY_ASSIGNMENT ? tree_child(tree, n, FIELD_LEFT) : 0;
        if (target && tree_kind(tree, target) == PY_IDENTIFIER && gone[tree_statement(tree, n)])
            is_dead[tree_node(tree, target)->word] = true;
    }
    for (uint32_t n = 1; n < tree->n_nodes; n++) {
        uint32_t kept = 0;
        for (uint32_t c = is_list(tree_kind(tree, n)) ? tree_first(tree, n) : 0; c;
             c = tree_next(tree, c)) {
            uint32_t behind = tree_next(tree, c), start = tree_node(tree, c)->start;
            if (tree_kind(tree, c) != PY_IDENTIFIER || !is_dead[tree_node(tree, c)->word]) {
                kept = c;
                continue;
            }
            uint32_t end = tree_node(tree, behind ? behind : c)->start;
            edit_add(edits, t->a, !behind && kept ? tree_node(tree, kept)->end : start,
                     behind ? end : tree_node(tree, c)->end, STR(""), n);
        }
    }
}

bool pass__apply_statements(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct tree tree;
    struct statements all = {0};
    struct edit_set edits = {0};
    if (!program__parse(t->from->parser, t->source, t->a, &tree))
        return false;
    list_statements(&tree, t->a, &all);
    bool *gone = arena_new_array(t->a, bool, tree.n_nodes);
    for (uint32_t i = lo; i < hi && i < all.at.n; i++)
        gone[all.at.at[i]] = true;
    for (uint32_t i = lo; i < hi && i < all.at.n; i++) {
        uint32_t n = all.at.at[i];
        if (holder_is_gone(&tree, n, gone))
            continue;
        bool is_first = tree_first(&tree, tree_node(&tree, n)->parent) == n;
        struct span s = tree_span(&tree, n);
        if (is_first && empties_block(&tree, n, gone)) {
            edit_add(&edits, t->a, s.start, s.end, STR("pass"), i);
            continue;
        }
        s = span_with_line(tree.source->text, s);
        edit_add(&edits, t->a, s.start, s.end, STR(""), i);
    }
    drop_names(t, &tree, gone, &edits);
    struct edit_result r = edit_apply(&edits, tree.source->text, t->a);
    bool changed = r.n_applied > 0 && !str_eq(r.text, t->source);
    t->source = r.text;
    return changed;
}

/* ---- sites, numbered across the tree: what a site replaces, and by which text */
struct site {
    struct span span;
    struct str text;
    uint32_t statement; /* is removed too; 0: none */
    uint32_t alone; /* where its span begins unless the site before it is applied too; 0: there */
};

struct sites {
    const struct reader *reader; /* of the state, or NULL */
    VEC(struct site) at;
};

typedef void (*site_lister)(const struct tree *t, struct arena *a, struct sites *out);

static uint32_t count_sites(const struct state *s, site_lister list)
{
    struct arena a;
    struct tree tree;
    struct sites sites = {.reader = s->reader};
    arena_init(&a);
    if (program__parse(s->parser, s->program->source, &a, &tree))
        list(&tree, &a, &sites);
    uint32_t n = (uint32_t)sites.at.n;
    arena_done(&a);
    return n;
}

static bool apply_sites(struct trial *t, uint32_t lo, uint32_t hi, site_lister list)
{
    struct tree tree;
    struct sites sites = {.reader = t->from->reader};
    struct edit_set edits = {0};
    if (!program__parse(t->from->parser, t->source, t->a, &tree))
        return false;
    list(&tree, t->a, &sites);
    for (uint32_t i = lo; i < hi && i < sites.at.n; i++) {
        const struct site *site = &sites.at.at[i];
        uint32_t start = site->alone && i == lo ? site->alone : site->span.start;
        edit_add(&edits, t->a, start, site->span.end, site->text, i);
        if (site->statement) {
            struct span s = span_with_line(tree.source->text, tree_span(&tree, site->statement));
            edit_add(&edits, t->a, s.start, s.end, STR(""), i);
        }
    }
    struct edit_result r = edit_apply(&edits, tree.source->text, t->a);
    bool changed = r.n_applied > 0 && !str_eq(r.text, t->source);
    t->source = r.text;
    return changed;
}

/* ---- arguments, and elements of tuples and lists, that are dropped */

/* Does it say how much an optimiser does? Without it, it does all: that is no smaller program. */
static bool is_level(const struct tree *t, uint32_t argument, const struct reader *reader)
{
    uint32_t name =
        tree_kind(t, argument) == PY_KEYWORD_ARGUMENT ? tree_child(t, argument, FIELD_NAME) : 0;
    for (size_t i = 0; name && reader && i < reader->table.n_optimizers; i++)
        if (str_eq(tree_text(t, name), reader->table.optimizers[i].level))
            return true;
    return false;
}

static void list_elements(const struct tree *t, struct arena *a, struct sites *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        enum py_kind kind = tree_kind(t, n);
        uint32_t before = 0;
        if (kind != PY_ARGUMENTS && !is_list(kind))
            continue;
        for (uint32_t c = tree_first(t, n); c; before = c, c = tree_next(t, c)) {
            uint32_t behind = tree_next(t, c);
            struct site site = {tree_span(t, c), STR(""), 0, 0};
            if (behind)
                site.span.end = tree_node(t, behind)->start;
            else if (before)
                site.alone = tree_node(t, before)->end;
            if (!is_level(t, c, out->reader))
                vec_push(&out->at, a, site);
        }
    }
}

uint32_t pass__count_element(const struct state *s)
{
    return count_sites(s, list_elements);
}

bool pass__apply_element(struct trial *t, uint32_t lo, uint32_t hi)
{
    return apply_sites(t, lo, hi, list_elements);
}

/* ---- expressions that become one of their parts */

static bool has_parts(enum py_kind kind)
{
    return kind == PY_CALL || kind == PY_BINARY || kind == PY_UNARY || kind == PY_COMPARE ||
           kind == PY_SUBSCRIPT || kind == PY_CONDITIONAL || kind == PY_PARENTHESES;
}

/* An expression in the place of another: in parentheses where it is part of a third. */
static struct str enclosed(const struct tree *t, uint32_t whole, uint32_t n, struct arena *a)
{
    struct str text = tree_text(t, n);
    enum py_kind around = tree_kind(t, tree_node(t, whole)->parent);
    if (!py_is_expression(around) || around == PY_PARENTHESES || is_list(around))
        return text;
    switch (tree_kind(t, n)) {
    case PY_BINARY:
    case PY_UNARY:
    case PY_COMPARE:
    case PY_CONDITIONAL:
    case PY_LAMBDA:
        return str_of(arena_printf(a, "(" STR_FMT ")", STR_ARG(text)));
    default:
        return text;
    }
}

static void add_part(const struct tree *t, uint32_t whole, uint32_t part, struct arena *a,
                     struct sites *out)
{
    if (part)
        vec_push(&out->at, a,
                 (struct site){tree_span(t, whole), enclosed(t, whole, part, a), 0, 0});
}

/* Is an attribute's object a module, as far as the program's imports say? */
static bool is_module(const struct tree *t, uint32_t object)
{
    uint32_t head = object;
    while (tree_kind(t, head) == PY_ATTRIBUTE)
        head = tree_child(t, head, FIELD_OBJECT);
    for (uint32_t n = 1; n < t->n_nodes && tree_kind(t, head) == PY_IDENTIFIER; n++) {
        enum py_kind holder = tree_kind(t, tree_statement(t, n));
        if (tree_kind(t, n) == PY_IDENTIFIER && tree_node(t, n)->word == tree_node(t, head)->word &&
            (holder == PY_IMPORT || holder == PY_IMPORT_FROM))
            return true;
    }
    return false;
}

/* The operands of operators; of a call its arguments and the object of its method. */
static void list_parts(const struct tree *t, struct arena *a, struct sites *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        if (!has_parts(tree_kind(t, n)))
            continue;
        if (tree_kind(t, n) == PY_CALL) {
            uint32_t callee = tree_child(t, n, FIELD_FUNCTION);
            for (unsigned k = 0; k < tree_argument_count(t, n, NULL); k++)
                add_part(t, n, tree_argument(t, n, k, NULL), a, out);
            uint32_t object = tree_child(t, callee, FIELD_OBJECT);
            if (tree_kind(t, callee) == PY_ATTRIBUTE && !is_module(t, object))
                add_part(t, n, object, a, out);
            continue;
        }
        for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
            if (py_is_expression(tree_kind(t, c)))
                add_part(t, n, c, a, out);
    }
}

uint32_t pass__count_part(const struct state *s)
{
    return count_sites(s, list_parts);
}

bool pass__apply_part(struct trial *t, uint32_t lo, uint32_t hi)
{
    return apply_sites(t, lo, hi, list_parts);
}

/* ---- numbers that become small ones */
static void list_numbers(const struct tree *t, struct arena *a, struct sites *out)
{
    static const char *const small[] = {"1", "2"};
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        int64_t value;
        if (tree_kind(t, n) != PY_INTEGER || !tree_integer_value(t, n, &value))
            continue;
        for (size_t i = 0; i < COUNT_OF(small); i++)
            if (value > (int64_t)i + 1)
                vec_push(&out->at, a, (struct site){tree_span(t, n), str_of(small[i]), 0, 0});
    }
}

uint32_t pass__count_number(const struct state *s)
{
    return count_sites(s, list_numbers);
}

bool pass__apply_number(struct trial *t, uint32_t lo, uint32_t hi)
{
    return apply_sites(t, lo, hi, list_numbers);
}

/* ---- values put where their name is used */

/* The only use of the name besides the target; 0: there is none, or several. */
static uint32_t only_use(const struct tree *t, uint32_t target)
{
    uint32_t found = 0;
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        if (n == target || tree_kind(t, n) != PY_IDENTIFIER ||
            tree_node(t, n)->word != tree_node(t, target)->word)
            continue;
        if (found)
            return 0;
        found = n;
    }
    return found;
}

static void list_inlines(const struct tree *t, struct arena *a, struct sites *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        if (tree_kind(t, n) != PY_ASSIGNMENT)
            continue;
        uint32_t target = tree_child(t, n, FIELD_LEFT), value = tree_child(t, n, FIELD_RIGHT);
        if (!target || !value || tree_kind(t, target) != PY_IDENTIFIER)
            continue;
        uint32_t use = only_use(t, target);
        if (!use || tree_is_in(t, use, n))
            continue;
        struct str text = tree_text(t, value);
        bool is_simple = tree_kind(t, value) == PY_IDENTIFIER || tree_kind(t, value) == PY_CALL;
        vec_push(&out->at, a,
                 (struct site){tree_span(t, use),
                               is_simple ? text
                                         : str_of(arena_printf(a, "(" STR_FMT ")", STR_ARG(text))),
                               tree_statement(t, n), 0});
    }
}

uint32_t pass__count_inline_value(const struct state *s)
{
    return count_sites(s, list_inlines);
}

bool pass__apply_inline_value(struct trial *t, uint32_t lo, uint32_t hi)
{
    return apply_sites(t, lo, hi, list_inlines);
}

/* ---- blocks lifted out of the statement that holds them */

/* The lines of a block, each without `by` of its leading blanks. */
static struct str dedent(const struct tree *t, uint32_t block, uint32_t by, struct arena *a)
{
    struct str rest = tree_text(t, block), line;
    struct strbuf out = {0};
    bool is_first = true;
    while (str_split(&rest, '\n', &line)) {
        size_t blanks = 0;
        while (!is_first && blanks < by && blanks < line.n && line.at[blanks] == ' ')
            blanks++;
        strbuf_adds(&out, is_first ? "" : "\n");
        strbuf_addstr(&out, str_sub(line, blanks, line.n));
        is_first = false;
    }
    struct str text = strbuf_dup(&out, a);
    strbuf_done(&out);
    return text;
}

static uint32_t column_of(const struct tree *t, uint32_t n)
{
    uint32_t at = tree_node(t, n)->start;
    while (at > 0 && t->source->text.at[at - 1] != '\n')
        at--;
    return tree_node(t, n)->start - at;
}

static void list_blocks(const struct tree *t, struct arena *a, struct sites *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        uint32_t holder =
            tree_kind(t, n) == PY_BLOCK ? tree_statement(t, tree_node(t, n)->parent) : 0;
        if (!holder || column_of(t, n) <= column_of(t, holder))
            continue;
        uint32_t by = column_of(t, n) - column_of(t, holder);
        vec_push(&out->at, a, (struct site){tree_span(t, holder), dedent(t, n, by, a), 0, 0});
    }
}

uint32_t pass__count_block(const struct state *s)
{
    return count_sites(s, list_blocks);
}

bool pass__apply_block(struct trial *t, uint32_t lo, uint32_t hi)
{
    return apply_sites(t, lo, hi, list_blocks);
}
