/*
 * Passes over programs: they drop statements, lift blocks out of the statement that holds them,
 * replace calls by one of their arguments, drop arguments, put values where their name is used,
 * make numbers small. Each edits the text and keeps the rest byte for byte. Only the subject's
 * settle decides whether the result is valid Python.
 *
 * Must not know what failed nor how it is judged.
 */
#include "base/vec.h"
#include "python/edit.h"
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
};

struct sites {
    VEC(struct site) at;
};

typedef void (*site_lister)(const struct tree *t, struct arena *a, struct sites *out);

static uint32_t count_sites(const struct state *s, site_lister list)
{
    struct arena a;
    struct tree tree;
    struct sites sites = {0};
    arena_init(&a);
    if (program__parse(s->parser, s->program->source, &a, &tree))
        list(&tree, &a, &sites);
    uint32_t n = (uint32_t)sites.at.n;
    arena_done(&a);
    return n;
}

static bool apply_site(struct trial *t, uint32_t at, site_lister list)
{
    struct tree tree;
    struct sites sites = {0};
    struct edit_set edits = {0};
    if (!program__parse(t->from->parser, t->source, t->a, &tree))
        return false;
    list(&tree, t->a, &sites);
    if (at >= sites.at.n)
        return false;
    const struct site *site = &sites.at.at[at];
    edit_add(&edits, t->a, site->span.start, site->span.end, site->text, 0);
    if (site->statement) {
        struct span s = span_with_line(tree.source->text, tree_span(&tree, site->statement));
        edit_add(&edits, t->a, s.start, s.end, STR(""), 0);
    }
    struct edit_result r = edit_apply(&edits, tree.source->text, t->a);
    bool changed = r.n_applied > 0 && !str_eq(r.text, t->source);
    t->source = r.text;
    return changed;
}

/* ---- calls that become one of their arguments */
static void list_bypasses(const struct tree *t, struct arena *a, struct sites *out)
{
    struct node_list calls = tree_list(t, PY_CALL);
    for (size_t i = 0; i < calls.n; i++)
        for (unsigned k = 0; k < tree_argument_count(t, calls.at[i], NULL); k++) {
            uint32_t argument = tree_argument(t, calls.at[i], k, NULL);
            if (argument)
                vec_push(&out->at, a,
                         (struct site){tree_span(t, calls.at[i]), tree_text(t, argument), 0});
        }
}

uint32_t pass__count_call_argument(const struct state *s)
{
    return count_sites(s, list_bypasses);
}

bool pass__apply_call_argument(struct trial *t, uint32_t lo, uint32_t hi)
{
    (void)hi;
    return apply_site(t, lo, list_bypasses);
}

/* ---- arguments that are dropped */
static void list_arguments(const struct tree *t, struct arena *a, struct sites *out)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        uint32_t before = 0;
        if (tree_kind(t, n) != PY_ARGUMENTS)
            continue;
        for (uint32_t c = tree_first(t, n); c; before = c, c = tree_next(t, c)) {
            uint32_t behind = tree_next(t, c);
            struct span s = tree_span(t, c);
            if (behind)
                s.end = tree_node(t, behind)->start;
            else if (before)
                s.start = tree_node(t, before)->end;
            vec_push(&out->at, a, (struct site){s, STR(""), 0});
        }
    }
}

uint32_t pass__count_argument(const struct state *s)
{
    return count_sites(s, list_arguments);
}

bool pass__apply_argument(struct trial *t, uint32_t lo, uint32_t hi)
{
    (void)hi;
    return apply_site(t, lo, list_arguments);
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
                vec_push(&out->at, a, (struct site){tree_span(t, n), str_of(small[i]), 0});
    }
}

uint32_t pass__count_number(const struct state *s)
{
    return count_sites(s, list_numbers);
}

bool pass__apply_number(struct trial *t, uint32_t lo, uint32_t hi)
{
    (void)hi;
    return apply_site(t, lo, list_numbers);
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
                               tree_statement(t, n)});
    }
}

uint32_t pass__count_inline_value(const struct state *s)
{
    return count_sites(s, list_inlines);
}

bool pass__apply_inline_value(struct trial *t, uint32_t lo, uint32_t hi)
{
    (void)hi;
    return apply_site(t, lo, list_inlines);
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
        vec_push(&out->at, a, (struct site){tree_span(t, holder), dedent(t, n, by, a), 0});
    }
}

uint32_t pass__count_block(const struct state *s)
{
    return count_sites(s, list_blocks);
}

bool pass__apply_block(struct trial *t, uint32_t lo, uint32_t hi)
{
    (void)hi;
    return apply_site(t, lo, list_blocks);
}
