/*
 * Operators behind a model's result. Those of the table (share/decompose/, "operators") get an
 * operand of a dtype and shape that they take in eager mode, and stand beside one another: what one
 * raises takes no other away, and each result is compared. Must not know seeds nor clusters.
 */
#include "base/compiler.h"
#include "generate/diffuse/diffuse_p.h"

/* The blanks in front of the return statement whose value this is, where it begins its line. */
static bool indent_of(const struct mutation *m, uint32_t value, uint32_t *statement,
                      struct str *indent)
{
    const struct tree *t = &m->was->tree;
    struct str text = m->was->source.text;
    uint32_t parent = tree_node(t, value)->parent;
    size_t end = tree_node(t, parent)->start, start = end;
    while (start > 0 && (text.at[start - 1] == ' ' || text.at[start - 1] == '\t'))
        start--;
    *statement = parent;
    *indent = str_sub(text, start, end);
    return tree_kind(t, parent) == PY_RETURN && (start == 0 || text.at[start - 1] == '\n');
}

/* A name that the program does not have, and none of those made so far. */
static struct str new_name(const struct mutation *m, unsigned *made)
{
    for (;; (*made)++) {
        struct str name = str_of(arena_printf(m->a, "made_%u", *made));
        if (str_find(m->was->source.text, name) == m->was->source.text.n) {
            (*made)++;
            return name;
        }
    }
}

static struct str with_x(const struct mutation *m, struct str template, struct str x)
{
    const struct filling f[] = {{"x", x}, {"y", x}};
    return diffuse__fill(template, f, COUNT_OF(f), m->a);
}

struct str diffuse__add_call(struct mutation *m, uint32_t value, struct str template)
{
    struct str text = tree_text(&m->was->tree, value), indent;
    uint32_t statement;
    unsigned made = 0;
    if (!indent_of(m, value, &statement, &indent))
        return diffuse__replace(
            m, value,
            str_of(arena_printf(m->a, "(lambda x: " STR_FMT ")(" STR_FMT ")",
                                STR_ARG(with_x(m, template, STR("x"))), STR_ARG(text))));
    struct str x = new_name(m, &made);
    return diffuse__replace(
        m, statement,
        str_of(arena_printf(m->a, STR_FMT " = " STR_FMT "\n" STR_FMT "return " STR_FMT, STR_ARG(x),
                            STR_ARG(text), STR_ARG(indent), STR_ARG(with_x(m, template, x)))));
}

/* ---- operators on operands that they take */

enum { OPERATORS_MAX = 8, SHAPES_MAX = 16, DTYPES_MAX = 64, NO_SHAPE = -1 };

/* One operator: its call of {x}, where {x} becomes `operand` of a value's name. */
struct applied {
    struct str call, operand;
    bool reads_last; /* the value is the result of the operator before it, not the base */
    int64_t keeps;   /* the shape that its result has as its operand had, or NO_SHAPE */
};

struct operand_table {
    const struct json *dtypes, *shapes;
    struct str base;
};

static bool read_operands(const struct mutation *m, struct operand_table *out)
{
    const struct json *o = json_get(m->reader->table.root, "operands");
    out->dtypes = o ? json_get(o, "dtypes") : NULL;
    out->shapes = o ? json_get(o, "shapes") : NULL;
    out->base = o ? json_get_str(o, "base", STR("")) : (struct str){0};
    return out->dtypes && out->shapes && out->base.n && out->dtypes->n <= DTYPES_MAX &&
           out->shapes->n <= SHAPES_MAX;
}

/* The sets of dtypes that an operator takes, by shape; returns how many sets there are. */
static size_t read_takes(const struct json *row, uint64_t sets[SHAPES_MAX])
{
    const struct json *takes = json_get(row, "takes");
    size_t n = takes ? MIN(takes->n, (size_t)SHAPES_MAX) : 0;
    for (size_t i = 0; i < n; i++)
        sets[i] = (uint64_t)takes->items[i].integer;
    return n;
}

/* Draws a dtype and then a shape that the sets hold together: where nothing was learned, each such
 * pair of them is as likely as any other. false: the sets are empty. */
static bool draw_operand(struct mutation *m, const struct operand_table *t, const uint64_t *sets,
                         size_t *shape, size_t *dtype)
{
    struct choice dtypes[DTYPES_MAX], shapes[SHAPES_MAX];
    double n_all = 0;
    for (size_t d = 0; d < t->dtypes->n; d++) {
        dtypes[d] = (struct choice){json_get_str(&t->dtypes->items[d], "name", STR("")), 0};
        for (size_t s = 0; s < t->shapes->n; s++)
            dtypes[d].weight += (double)(sets[s] >> d & 1);
        n_all += dtypes[d].weight;
    }
    if (n_all == 0)
        return false;
    *dtype = diffuse__choose(m, dtypes, t->dtypes->n);
    for (size_t s = 0; s < t->shapes->n; s++)
        shapes[s] = (struct choice){json_get_str(&t->shapes->items[s], "name", STR("")),
                                    (double)(sets[s] >> *dtype & 1)};
    *shape = diffuse__choose(m, shapes, t->shapes->n);
    return true;
}

/* Those of the sets that can follow a result of this shape. */
static void follow_only(const struct operand_table *t, int64_t shape, uint64_t *sets, size_t n)
{
    uint64_t chains = 0;
    for (size_t i = 0; i < t->dtypes->n; i++)
        chains |= (uint64_t)json_get_bool(&t->dtypes->items[i], "chains", false) << i;
    for (size_t i = 0; i < n; i++)
        sets[i] &= (int64_t)i == shape ? chains : 0;
}

static const struct json *next_operator(struct mutation *m)
{
    const struct json *rows = json_get(m->reader->table.root, "operators");
    if (!rows || !rows->n)
        return NULL;
    struct choice *c = arena_new_array(m->a, struct choice, rows->n);
    for (size_t i = 0; i < rows->n; i++)
        c[i] = (struct choice){json_get_str(&rows->items[i], "call", STR("")), 1};
    return &rows->items[diffuse__pick(m, c, rows->n)];
}

/* An operator of the table on an operand that it takes: the result before it now and then. */
static bool draw_applied(struct mutation *m, const struct operand_table *t, int64_t last_keeps,
                         struct applied *out)
{
    uint64_t sets[SHAPES_MAX];
    size_t shape, dtype;
    const struct json *row = next_operator(m);
    size_t n = row ? read_takes(row, sets) : 0;
    if (n != t->shapes->n)
        return false;
    out->call = json_get_str(row, "call", STR(""));
    out->reads_last = false;
    if (last_keeps != NO_SHAPE && rng_chance(m->rng, 0.4)) {
        uint64_t following[SHAPES_MAX];
        memcpy(following, sets, sizeof following);
        follow_only(t, last_keeps, following, n);
        out->reads_last = draw_operand(m, t, following, &shape, &dtype);
    }
    if (!out->reads_last && !draw_operand(m, t, sets, &shape, &dtype))
        return false;
    struct str cast = json_get_str(&t->dtypes->items[dtype], "cast", STR("{x}"));
    struct str view = json_get_str(&t->shapes->items[shape], "view", STR("{x}"));
    const struct filling f = {"x", cast};
    out->operand = out->reads_last ? cast : diffuse__fill(view, &f, 1, m->a);
    out->keeps = json_get_bool(row, "keeps", false) ? (int64_t)shape : NO_SHAPE;
    return true;
}

static size_t draw_all(struct mutation *m, const struct operand_table *t, bool may_follow,
                       struct applied out[OPERATORS_MAX])
{
    size_t wanted = m->in_turn ? 1 : 1 + rng_below(m->rng, OPERATORS_MAX), n = 0;
    for (size_t i = 0; i < wanted; i++) {
        if (i) /* an operator has a line of edits of its own: a line is an arm's share */
            strbuf_printf(m->said, "\n" STR_FMT, STR_ARG(m->rule));
        n += draw_applied(m, t, may_follow && n ? out[n - 1].keeps : NO_SHAPE, &out[n]);
    }
    return n;
}

static struct str call_of(const struct mutation *m, const struct applied *o, struct str x)
{
    return with_x(m, o->call, with_x(m, o->operand, x));
}

/* As one expression, where every operator reads the base. */
static struct str as_expression(const struct mutation *m, struct str base, const struct applied *o,
                                size_t n)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "(lambda x: (");
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(&out, i ? ", " : "");
        strbuf_addstr(&out, call_of(m, &o[i], STR("x")));
    }
    strbuf_printf(&out, "))(" STR_FMT ")", STR_ARG(base));
    struct str text = strbuf_dup(&out, m->a);
    strbuf_done(&out);
    return text;
}

/* As statements of their own in front of the return: not every optimiser reads a lambda. */
static struct str as_statements(const struct mutation *m, struct str base, struct str indent,
                                const struct applied *o, size_t n)
{
    struct strbuf out = {0}, results = {0};
    unsigned made = 0;
    struct str first = new_name(m, &made), last = first;
    strbuf_printf(&out, STR_FMT " = " STR_FMT "\n" STR_FMT, STR_ARG(first), STR_ARG(base),
                  STR_ARG(indent));
    for (size_t i = 0; i < n; i++) {
        struct str name = new_name(m, &made);
        strbuf_printf(&out, STR_FMT " = " STR_FMT "\n" STR_FMT, STR_ARG(name),
                      STR_ARG(call_of(m, &o[i], o[i].reads_last ? last : first)), STR_ARG(indent));
        strbuf_printf(&results, "%s" STR_FMT, i ? ", " : "", STR_ARG(name));
        last = name;
    }
    strbuf_printf(&out, "return " STR_FMT, STR_ARG(strbuf_str(&results)));
    struct str text = strbuf_dup(&out, m->a);
    strbuf_done(&out);
    strbuf_done(&results);
    return text;
}

struct str diffuse__add_operators(struct mutation *m, uint32_t value)
{
    struct operand_table t;
    struct applied applied[OPERATORS_MAX];
    struct str indent;
    uint32_t statement;
    bool is_line = indent_of(m, value, &statement, &indent);
    size_t n = read_operands(m, &t) ? draw_all(m, &t, is_line, applied) : 0;
    if (!n)
        return (struct str){0};
    m->n_operators += n;
    struct str base = with_x(m, t.base, tree_text(&m->was->tree, value));
    return is_line ? diffuse__replace(m, statement, as_statements(m, base, indent, applied, n))
                   : diffuse__replace(m, value, as_expression(m, base, applied, n));
}
