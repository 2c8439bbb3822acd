/*
 * Patterns that are not about one operator: whole subgraphs of constants, near duplicates, and
 * chains of neighbours from the table chains.def.
 */
#include "generate/mutate/pattern_p.h"

static const char *const chains[] = {
#define CHAIN(operators) operators,
#include "generate/mutate/chains.def"
#undef CHAIN
};

uint32_t pattern__chain(struct sketch *s, uint32_t x)
{
    struct str rest = str_of(PICK(s, chains)), name;
    sketch__note(s, STR_FMT ":", STR_ARG(rest));
    while (str_split(&rest, ' ', &name)) {
        const struct recipe *row = recipe__find(str_dup(s->m->arena, name));
        if (!row || s->failed) {
            sketch__fail(s, "no recipe");
            return VALUE_NONE;
        }
        x = recipe__apply(s, row, x);
        /* Some operators return more than was asked; a chain goes on with small tensors only. */
        if (sketch__count(s, x) > 1 << 16)
            break;
    }
    return x;
}

static enum dtype constant_dtype(struct sketch *s)
{
    static const enum dtype types[] = {DTYPE_FLOAT, DTYPE_FLOAT, DTYPE_FLOAT,   DTYPE_DOUBLE,
                                       DTYPE_INT64, DTYPE_INT32, DTYPE_FLOAT16, DTYPE_INT8,
                                       DTYPE_UINT8, DTYPE_BOOL,  DTYPE_FLOAT};
    return PICK(s, types);
}

/* Operators on constants alone, which every optimiser evaluates itself; then joined to x or left as
 * an output. */
uint32_t pattern__constant_fold(struct sketch *s, uint32_t x)
{
    static const struct dims shapes[] = {
        {0, {0}},       {1, {1}},       {1, {4}},          {2, {2, 3}},       {2, {1, 4}},
        {3, {2, 1, 3}}, {3, {1, 2, 4}}, {4, {1, 2, 4, 4}}, {4, {2, 4, 3, 5}}, {5, {1, 2, 1, 3, 2}}};
    size_t n_rows;
    const struct recipe *rows = recipe__list(&n_rows);
    const struct dims *d = &PICK(s, shapes);
    enum place before = s->weights;
    s->weights = sketch__chance(s, 60) ? PLACE_INITIALIZER : PLACE_CONSTANT;
    uint32_t c = sketch__random(s, constant_dtype(s), d->at, d->n, 1), n = 1 + sketch__below(s, 2);
    for (uint32_t i = 0; i < n && !s->failed; i++) {
        const struct recipe *row = &rows[sketch__below(s, (uint32_t)n_rows)];
        sketch__note(s, "%s", row->op_type);
        c = recipe__apply(s, row, c);
    }
    s->weights = before;
    enum dtype t = sketch__dtype(s, x);
    if (!dtype_is_float(t) || sketch__chance(s, 60))
        return c;
    c = sketch__cast(s, c, t);
    return OP(s, "Add", x, sketch__reduce(s, "ReduceMax", c, NULL, 0, 0));
}

/* A node twice with one small difference, which a search for common subexpressions must see; the
 * two results joined. */
uint32_t pattern__near_duplicates(struct sketch *s, uint32_t x)
{
    size_t n_rows;
    const struct recipe *rows = recipe__list(&n_rows);
    const struct recipe *row = &rows[sketch__below(s, (uint32_t)n_rows)];
    struct rng before = *s->r;
    sketch__note(s, "%s", row->op_type);
    uint32_t a = recipe__apply(s, row, x);
    if (!sketch__ok(s))
        return VALUE_NONE;
    struct rng after = *s->r;
    *s->r = before; /* the same choices again */
    sketch__below(s, 1);
    uint32_t b = recipe__apply(s, row, x);
    *s->r = after;
    if (!sketch__ok(s) || b == VALUE_NONE)
        return VALUE_NONE;
    uint32_t at = (uint32_t)s->g->nodes.n - 1;
    if (corner__has(&s->g->nodes.at[at]) && sketch__chance(s, 80))
        corner__turn(s, at);
    s->n_settled = MIN(s->n_settled, at);
    if (!sketch__ok(s))
        return VALUE_NONE;
    if (!sketch__same_type(s, a, b)) {
        graph_add_output(s->g, a);
        return b;
    }
    if (!sketch__allows(s, "Sub", 0, sketch__dtype(s, a))) {
        graph_add_output(s->g, a);
        return b;
    }
    return OP(s, sketch__chance(s, 50) ? "Sub" : "Add", a, b);
}
