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

uint32_t pattern__chain(struct graph_builder *b, uint32_t x)
{
    struct str rest = str_of(ONE_OF(b, chains)), name;
    builder__note(b, STR_FMT ":", STR_ARG(rest));
    while (str_split(&rest, ' ', &name)) {
        const struct layer_builder *row = layer__find(str_dup(b->m->arena, name));
        if (!row || b->failed) {
            builder__fail(b, "no layer builder");
            return VALUE_NONE;
        }
        x = layer__apply(b, row, x);
        /* Some operators enlarge their input; a chain goes on only with small tensors. */
        if (builder__count(b, x) > 1 << 16)
            break;
    }
    return x;
}

static enum dtype constant_dtype(struct graph_builder *b)
{
    static const enum dtype types[] = {DTYPE_FLOAT, DTYPE_FLOAT, DTYPE_FLOAT,   DTYPE_DOUBLE,
                                       DTYPE_INT64, DTYPE_INT32, DTYPE_FLOAT16, DTYPE_INT8,
                                       DTYPE_UINT8, DTYPE_BOOL,  DTYPE_FLOAT};
    return ONE_OF(b, types);
}

/* Operators on constants alone, which every optimiser evaluates itself. The result is joined to x
 * or becomes an output. */
uint32_t pattern__constant_fold(struct graph_builder *b, uint32_t x)
{
    static const struct dims shapes[] = {
        {0, {0}},       {1, {1}},       {1, {4}},          {2, {2, 3}},       {2, {1, 4}},
        {3, {2, 1, 3}}, {3, {1, 2, 4}}, {4, {1, 2, 4, 4}}, {4, {2, 4, 3, 5}}, {5, {1, 2, 1, 3, 2}}};
    size_t n_rows;
    const struct layer_builder *rows = layer__list(&n_rows);
    const struct dims *d = &ONE_OF(b, shapes);
    enum place before = b->weights;
    b->weights = builder__chance(b, 60) ? PLACE_INITIALIZER : PLACE_CONSTANT;
    uint32_t c = builder__random(b, constant_dtype(b), d->at, d->n, 1),
             n = 1 + builder__below(b, 2);
    for (uint32_t i = 0; i < n && !b->failed; i++) {
        const struct layer_builder *row = &rows[builder__below(b, (uint32_t)n_rows)];
        builder__note(b, "%s", row->op_type);
        c = layer__apply(b, row, c);
    }
    b->weights = before;
    enum dtype t = builder__dtype(b, x);
    if (!dtype_is_float(t) || builder__chance(b, 60))
        return c;
    c = builder__cast(b, c, t);
    return OP(b, "Add", x, builder__reduce(b, "ReduceMax", c, NULL, 0, 0));
}

/* A node twice with one small difference, which a search for common subexpressions must notice, and
 * both results joined. */
uint32_t pattern__near_duplicates(struct graph_builder *b, uint32_t x)
{
    size_t n_rows;
    const struct layer_builder *rows = layer__list(&n_rows);
    const struct layer_builder *row = &rows[builder__below(b, (uint32_t)n_rows)];
    struct rng before = *b->r;
    builder__note(b, "%s", row->op_type);
    uint32_t a = layer__apply(b, row, x);
    if (!builder__ok(b))
        return VALUE_NONE;
    struct rng after = *b->r;
    *b->r = before; /* the same choices again */
    builder__below(b, 1);
    uint32_t twin = layer__apply(b, row, x);
    *b->r = after;
    if (!builder__ok(b) || twin == VALUE_NONE)
        return VALUE_NONE;
    uint32_t at = (uint32_t)b->g->nodes.n - 1;
    if (corner__has(&b->g->nodes.at[at]) && builder__chance(b, 80))
        corner__change(b, at);
    b->n_inferred = MIN(b->n_inferred, at);
    if (!builder__ok(b))
        return VALUE_NONE;
    if (!builder__same_type(b, a, twin)) {
        graph_add_output(b->g, a);
        return twin;
    }
    if (!builder__allows(b, "Sub", 0, builder__dtype(b, a))) {
        graph_add_output(b->g, a);
        return twin;
    }
    return OP(b, builder__chance(b, 50) ? "Sub" : "Add", a, twin);
}
