/*
 * Shared by layer builders: Casts, ranks and ranges that make an operator applicable to any value.
 */
#include "generate/mutate/layer_p.h"

#include <string.h>

uint32_t layer__fit(struct graph_builder *b, const char *op_type, uint32_t x)
{
    static const enum dtype others[] = {DTYPE_FLOAT,  DTYPE_INT32, DTYPE_INT64, DTYPE_BOOL,
                                        DTYPE_UINT64, DTYPE_UINT8, DTYPE_INT8};
    enum dtype t = builder__dtype(b, x);
    if (builder__allows(b, op_type, 0, t))
        return x;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (builder__allows(b, op_type, 0, others[i]))
            return builder__cast(b, x, others[i]);
    }
    builder__fail(b, op_type);
    return VALUE_NONE;
}

uint32_t layer__rank(struct graph_builder *b, uint32_t x, uint32_t rank)
{
    struct dims p = builder__dims(b, x);
    int64_t dims[TENSOR_RANK_MAX] = {0};
    if (b->failed || p.n == rank)
        return x;
    if (p.n < rank) {
        for (uint32_t i = 0; i < rank - p.n; i++)
            dims[i] = i;
        return builder__unsqueeze(b, x, dims, rank - p.n);
    }
    uint32_t n_joined = p.n - rank + 1;
    dims[0] = 1;
    for (uint32_t i = 0; i < n_joined && rank > 0; i++)
        dims[0] *= p.at[i];
    for (uint32_t i = 1; i < rank; i++)
        dims[i] = p.at[n_joined + i - 1];
    return builder__reshape(b, x, dims, rank);
}

static bool is_unread_input(const struct graph_builder *b, uint32_t x)
{
    return !b->fixed_inputs && b->g->nodes.n == 0 && b->g->outputs.n == 0 &&
           b->g->values.at[x].origin == ORIGIN_INPUT && !b->g->values.at[x].initializer;
}

uint32_t layer__shaped(struct graph_builder *b, uint32_t x, const int64_t *dims, uint32_t rank)
{
    int64_t n = builder__count(b, x), wanted = 1, flat = -1;
    for (uint32_t i = 0; i < rank; i++)
        wanted *= dims[i];
    if (b->failed || n < 1 || wanted < 1 || wanted > 1 << 16) {
        builder__fail(b, "no elements, or too many");
        return VALUE_NONE;
    }
    if (is_unread_input(b, x)) {
        b->g->values.at[x].shape = shape_from_dims(dims, rank, b->m->arena);
        return x;
    }
    struct dims d = builder__dims(b, x);
    if (d.n == rank && memcmp(d.at, dims, rank * sizeof *dims) == 0)
        return x;
    if (n != wanted) {
        int64_t times = (wanted + n - 1) / n;
        x = builder__reshape(b, x, &flat, 1);
        if (times > 1)
            x = OP(b, "Tile", x, builder__i64s(b, &times, 1));
        if (times * n != wanted)
            x = builder__slice(b, x, 0, 0, wanted, 1);
    }
    return builder__reshape(b, x, dims, rank);
}

uint32_t layer__dynamic(struct graph_builder *b, uint32_t x)
{
    struct dims d = builder__dims(b, x);
    struct tensor *t = arena_new(b->m->arena, struct tensor);
    if (b->failed || b->fixed_inputs || d.n == 0)
        return x;
    *t = tensor_from_i64s(d.at, d.n, b->m->arena);
    uint32_t shape = builder__tensor(b, t, PLACE_INITIALIZER);
    return OP(b, "Reshape", x, builder__computed(b, shape, true));
}

enum dtype layer__some_dtype(struct graph_builder *b, uint32_t dtypes)
{
    enum dtype list[DTYPE_COUNT];
    uint32_t n = 0;
    for (int t = 1; t < DTYPE_COUNT; t++) {
        enum dtype_class class = dtype_row((enum dtype)t)->class;
        if ((dtypes & dtype_bit((enum dtype)t)) && class != DTYPE_CLASS_STRING &&
            class != DTYPE_CLASS_COMPLEX)
            list[n++] = (enum dtype)t;
    }
    return n > 0 ? list[builder__below(b, n)] : DTYPE_UNDEFINED;
}

enum dtype layer__input_dtype(struct graph_builder *b, const char *op_type, uint32_t input)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), b->m->opset);
    const struct op_param_fact *p = f ? op_fact_input(f, input) : NULL;
    return layer__some_dtype(b, p ? p->dtypes : 0);
}

enum dtype layer__output_dtype(struct graph_builder *b, const char *op_type)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), b->m->opset);
    return layer__some_dtype(b, f ? f->outputs[0].dtypes : 0);
}

uint32_t layer__fixed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                      const double *values)
{
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t v = builder__values(b, t, dims, rank, values);
    b->weights = before;
    return v;
}

uint32_t layer__computed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         const double *values)
{
    enum place before = b->weights;
    bool computed = !b->fixed_inputs && builder__allows(b, "Where", 1, t);
    b->weights = computed ? PLACE_INITIALIZER : b->shapes;
    uint32_t v = builder__values(b, t, dims, rank, values);
    b->weights = before;
    return computed && !b->failed ? builder__computed(b, v, true) : v;
}

uint32_t layer__domain(struct graph_builder *b, uint32_t x, double low, double high)
{
    enum dtype t = builder__dtype(b, x);
    if (!dtype_is_float(t) || (low <= -1e9 && high >= 1e9))
        return x;
    if (high >= 1e9) /* low > 0 */
        return OP(b, "Add", OP(b, "Abs", x), builder__scalar(b, t, low));
    if (low < 0 && high <= 1)
        return OP(b, "Mul", OP(b, "Tanh", x), builder__scalar(b, t, high));
    if (b->m->opset >= 12 || t == DTYPE_FLOAT || t == DTYPE_FLOAT16 || t == DTYPE_DOUBLE) {
        uint32_t low_v = builder__scalar(b, t, low);
        uint32_t high_v = builder__scalar(b, t, high);
        return OP(b, "Clip", x, low_v, high_v);
    }
    return x;
}

struct dims layer__broadcast_shape(struct graph_builder *b, uint32_t x)
{
    struct dims p = builder__dims(b, x), out = {0};
    uint32_t form = builder__below(b, 20);
    uint32_t first = form < 10 || p.n == 0 ? 0 : builder__below(b, p.n);
    if (form < 3)
        return out; /* rank 0 */
    if (form < 5)
        return (struct dims){1, {1}};
    if (form == 5 && p.n < 5) /* of higher rank than x */
        out.at[out.n++] = builder__between_i(b, 1, 2);
    for (uint32_t i = first; i < p.n; i++)
        out.at[out.n++] = form > 7 && builder__chance(b, 35) ? 1 : p.at[i];
    if (form == 6 && p.n > 0 && p.at[p.n - 1] == 1)
        out.at[out.n - 1] = 3; /* x is stretched */
    return out;
}
