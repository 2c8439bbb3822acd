/*
 * Makes values of graph inputs by dtype and style, inside the range that the consumers need
 * (input_range.c). They depend on model, options and rng alone (no clock, no random numbers of the
 * C library), so the same seed gives the same bytes everywhere. An input that no range describes is
 * left to the caller by ERR_UNSUPPORTED.
 */
#include "case/inputs.h"

#include <math.h>

#include "case/input_range_p.h"

struct fill {
    const struct graph *g;
    const struct input_options *o;
    struct rng *r;
    struct input_need need;
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    size_t n;
    void *data;
};

/* Dim d (negative: from the end) of a consumer's input or output; -1: not known. */
static int64_t dim_of(const struct fill *f, const uint32_t *values, uint32_t n_values, uint32_t at,
                      int64_t d)
{
    if (at >= n_values || values[at] == VALUE_NONE)
        return -1;
    const struct shape *s = &f->g->values.at[values[at]].shape;
    if (d < 0)
        d += s->rank;
    return s->known && d >= 0 && d < s->rank ? s->dims[d].value : -1;
}

static int64_t input_dim(const struct fill *f, uint32_t at, int64_t d)
{
    return dim_of(f, f->need.consumer->inputs, f->need.consumer->n_inputs, at, d);
}

static double any_float(struct fill *f)
{
    switch (f->o->style) {
    case INPUT_NORMAL:
        return rng_normal(f->r);
    case INPUT_POSITIVE:
        return 0.25 + 3.75 * rng_unit(f->r);
    case INPUT_GRID:
    case INPUT_CORNER:
        break;
    }
    return (double)rng_between(f->r, -16, 16) / 4;
}

static double positive_float(struct fill *f)
{
    if (f->o->style == INPUT_GRID || f->o->style == INPUT_CORNER)
        return (double)rng_between(f->r, 1, 16) / 4;
    return 0.25 + 3.75 * rng_unit(f->r);
}

static double float_in_range(struct fill *f)
{
    switch (f->need.range) {
    case INPUT_RANGE_POSITIVE:
    case INPUT_RANGE_HIGH:
        return positive_float(f);
    case INPUT_RANGE_LOW:
        return -positive_float(f);
    case INPUT_RANGE_NONZERO: {
        double x = positive_float(f);
        return rng_chance(f->r, 0.5) ? -x : x;
    }
    case INPUT_RANGE_UNIT:
        return (double)rng_between(f->r, -3, 3) / 4;
    case INPUT_RANGE_ABOVE_ONE:
        return 1 + positive_float(f);
    case INPUT_RANGE_ZERO:
        return 0;
    case INPUT_RANGE_HALF:
        return 0.5;
    case INPUT_RANGE_ONE:
    case INPUT_RANGE_SHAPE:
        return 1;
    case INPUT_RANGE_TWO:
        return 2;
    case INPUT_RANGE_FOUR:
        return 4;
    default:
        return any_float(f);
    }
}

/* An extreme value: a zero of either sign, an end of the format, or not finite. */
static double corner_float(struct fill *f)
{
    const struct number_format *format = dtype_row(f->dtype)->format;
    double smallest = format ? number_smallest(format) : 0x1p-1074;
    double normal = format ? number_smallest_normal(format) : 0x1p-1022;
    double largest = format ? number_largest(format) : 0x1.fffffffffffffp1023;
    const double values[] = {0,       -0.0,     smallest, -smallest, normal,
                             largest, -largest, INFINITY, -INFINITY, NAN};
    return values[rng_below(f->r, COUNT_OF(values))];
}

static void fill_floats(struct fill *f)
{
    bool corners = f->o->style == INPUT_CORNER && f->need.range == INPUT_RANGE_ANY;
    for (size_t i = 0; i < f->n; i++) {
        double x = corners && rng_below(f->r, 100) < INPUT_CORNER_PERCENT ? corner_float(f)
                                                                          : float_in_range(f);
        tensor_put_double(f->dtype, f->data, i, x);
    }
}

static void integer_limits(enum dtype t, int64_t *low, int64_t *high)
{
    const struct dtype_row *row = dtype_row(t);
    bool is_signed = row->class == DTYPE_CLASS_SIGNED;
    unsigned bits = MIN(row->n_bits, 32u);
    *low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    *high = is_signed ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
}

static int64_t any_integer(struct fill *f)
{
    int64_t low, high;
    integer_limits(f->dtype, &low, &high);
    if (f->o->style == INPUT_CORNER && rng_below(f->r, 100) < INPUT_CORNER_PERCENT) {
        const int64_t values[] = {low, high, 0, 1, low < 0 ? -1 : 0};
        return values[rng_below(f->r, COUNT_OF(values))];
    }
    if (f->o->style == INPUT_POSITIVE)
        low = 1;
    return rng_between(f->r, MAX(low, -8), MIN(high, 8));
}

/* The size of the axis that the consumer indexes; 1: unknown. */
static int64_t index_size(const struct fill *f)
{
    int64_t size = input_dim(f, 0, node_int(f->need.consumer, "axis", 0));
    return MAX(size, 1);
}

static int64_t length_limit(const struct fill *f)
{
    bool reverse = str_is(f->need.consumer->op_type, "ReverseSequence");
    int64_t axis = reverse ? node_int(f->need.consumer, "time_axis", 0) : 0;
    if (!reverse && node_int(f->need.consumer, "layout", 0) == 1)
        axis = 1;
    int64_t size = input_dim(f, 0, axis);
    return MAX(size, 1);
}

static int64_t integer_in_range(struct fill *f, size_t i)
{
    int64_t low, high, size;
    integer_limits(f->dtype, &low, &high);
    switch (f->need.range) {
    case INPUT_RANGE_FULL:
        return rng_between(f->r, low, high);
    case INPUT_RANGE_POSITIVE:
    case INPUT_RANGE_HIGH:
    case INPUT_RANGE_ABOVE_ONE:
        return rng_between(f->r, 1, MIN(high, 8));
    case INPUT_RANGE_NONZERO:
        size = rng_between(f->r, 1, MIN(high, 8));
        return low < 0 && rng_chance(f->r, 0.5) ? -size : size;
    case INPUT_RANGE_LOW:
        return rng_between(f->r, MAX(low, -8), 0);
    case INPUT_RANGE_UNIT:
    case INPUT_RANGE_ZERO:
    case INPUT_RANGE_HALF:
        return 0;
    case INPUT_RANGE_SHIFT:
        return rng_between(f->r, 0, 7);
    case INPUT_RANGE_LABEL:
        size = input_dim(f, 0, 1);
        return rng_between(f->r, 0, MAX(size, 1) - 1);
    case INPUT_RANGE_LENGTH:
        return rng_between(f->r, 1, length_limit(f));
    case INPUT_RANGE_INDEX:
        size = index_size(f);
        return rng_between(f->r, low < 0 ? -size : 0, size - 1);
    case INPUT_RANGE_ONE:
        return 1;
    case INPUT_RANGE_TWO:
        return 2;
    case INPUT_RANGE_FOUR:
        return 4;
    case INPUT_RANGE_LARGE:
        return high;
    case INPUT_RANGE_IOTA:
        return (int64_t)i;
    case INPUT_RANGE_SHAPE:
        size = dim_of(f, f->need.consumer->outputs, f->need.consumer->n_outputs, 0, (int64_t)i);
        return size < 0 ? 1 : size;
    case INPUT_RANGE_SPLIT:
        size = dim_of(f, f->need.consumer->outputs, f->need.consumer->n_outputs, (uint32_t)i,
                      node_int(f->need.consumer, "axis", 0));
        return size < 0 ? 1 : size;
    default:
        return any_integer(f);
    }
}

/* Unique indices are a walk through 0 .. size-1 along the axis, by a step that has no common factor
 * with size: no index comes twice if there are enough. */
static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

struct walk {
    int64_t start, step, size;
};

static struct walk walk_make(struct rng *r, int64_t size)
{
    struct walk w = {rng_between(r, 0, size - 1), rng_between(r, 1, size), size};
    while (gcd(w.step, size) != 1)
        w.step++;
    return w;
}

static int64_t walk_at(const struct walk *w, int64_t i)
{
    return (w->start + i % w->size * (w->step % w->size)) % w->size;
}

static void fill_unique(struct fill *f)
{
    int64_t axis = node_int(f->need.consumer, "axis", 0);
    struct walk w = walk_make(f->r, index_size(f));
    size_t inner = 1;
    if (axis < 0)
        axis += f->rank;
    for (uint32_t d = f->rank; d-- > (uint32_t)axis + 1;)
        inner *= (size_t)f->dims[d];
    int64_t along = axis < f->rank ? MAX(f->dims[axis], 1) : 1;
    for (size_t i = 0; i < f->n; i++)
        tensor_put_i64(f->dtype, f->data, i, walk_at(&w, (int64_t)(i / MAX(inner, 1)) % along));
}

/* Fills in tuples for GatherND and ScatterND: a walk through all positions in the indexed dims. */
static void fill_tuples(struct fill *f)
{
    int64_t k = f->rank > 0 ? f->dims[f->rank - 1] : 0, size = 1, dims[TENSOR_RANK_MAX];
    int64_t batch = node_int(f->need.consumer, "batch_dims", 0);
    for (int64_t d = 0; d < k && d < TENSOR_RANK_MAX; d++) {
        dims[d] = MAX(input_dim(f, 0, batch + d), 1);
        size *= dims[d];
    }
    if (k == 0 || size <= 0 || k > TENSOR_RANK_MAX)
        return;
    struct walk w = walk_make(f->r, size);
    for (size_t i = 0; i + (size_t)k <= f->n; i += (size_t)k) {
        int64_t position = walk_at(&w, (int64_t)(i / (size_t)k));
        for (int64_t d = k; d-- > 0;) {
            tensor_put_i64(f->dtype, f->data, i + (size_t)d, position % dims[d]);
            position /= dims[d];
        }
    }
}

static void fill_integers(struct fill *f)
{
    if (f->need.range == INPUT_RANGE_INDEX_UNIQUE) {
        fill_unique(f);
    } else if (f->need.range == INPUT_RANGE_INDEX_TUPLE) {
        fill_tuples(f);
    } else {
        for (size_t i = 0; i < f->n; i++)
            tensor_put_i64(f->dtype, f->data, i, integer_in_range(f, i));
    }
}

static void fill_bools(struct fill *f)
{
    for (size_t i = 0; i < f->n; i++) {
        bool b = f->need.range == INPUT_RANGE_ZERO ? false : rng_chance(f->r, 0.5);
        tensor_put_i64(DTYPE_BOOL, f->data, i, b);
    }
}

/* Words of both cases, of several words, a number, an empty one: what the operators of strings tell
 * apart. */
static void fill_strings(struct fill *f)
{
    static const struct str words[] = {{"", 0},      {"a", 1},         {"b", 1},   {"B", 1},
                                       {"Zebra", 5}, {"two words", 9}, {"-7.5", 4}};
    struct str *at = f->data;
    for (size_t i = 0; i < f->n; i++)
        at[i] = words[rng_below(f->r, COUNT_OF(words))];
}

static bool fill_one(struct fill *f, const struct graph_value *v, struct arena *a,
                     struct named_tensor *out, struct err *e)
{
    enum dtype_class class = dtype_row(v->dtype)->class;
    int64_t unknown = f->o->symbol_size > 0 ? f->o->symbol_size : 2;
    if (v->not_tensor || v->dtype == DTYPE_UNDEFINED || !v->shape.known ||
        class == DTYPE_CLASS_COMPLEX)
        return err_set(e, ERR_UNSUPPORTED,
                       "input " STR_FMT ": values are made for tensors of real numbers, bool and "
                       "strings, of known rank",
                       STR_ARG(v->name));
    f->dtype = v->dtype;
    f->rank = v->shape.rank;
    for (uint32_t d = 0; d < f->rank; d++)
        f->dims[d] = v->shape.dims[d].value >= 0 ? v->shape.dims[d].value : unknown;
    out->name = v->name;
    if (!tensor_make(f->dtype, f->dims, f->rank, a, &out->tensor, &f->data, e))
        return err_wrap(e, "input " STR_FMT, STR_ARG(v->name));
    f->n = out->tensor.n;
    if (class == DTYPE_CLASS_FLOAT)
        fill_floats(f);
    else if (class == DTYPE_CLASS_BOOL)
        fill_bools(f);
    else if (class == DTYPE_CLASS_STRING)
        fill_strings(f);
    else
        fill_integers(f);
    return true;
}

bool inputs_generate(const struct model *m, const struct input_options *o, struct rng *r,
                     struct arena *a, struct tensors *out, struct err *e)
{
    const struct graph *g = m->graph;
    struct graph_uses uses = graph_uses(g, a);
    out->n = 0;
    out->at = arena_new_array(a, struct named_tensor, g->inputs.n);
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        struct rng own = rng_split(r);
        struct fill f = {.g = g, .o = o, .r = &own};
        if (v->initializer)
            continue;
        f.need = input__need(g, &uses, g->inputs.at[i], a);
        if (!fill_one(&f, v, a, &out->at[out->n], e))
            return false;
        out->n++;
    }
    return true;
}
