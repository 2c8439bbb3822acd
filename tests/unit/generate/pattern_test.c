/* A pattern without a deviation computes the function that optimisers know it by: else they would
 * not rewrite it. */
#include <math.h>

#include "generate/mutate/pattern_p.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "unit/test.h"

enum { ROWS = 2, COLUMNS = 4, ELEMENTS = ROWS * COLUMNS, SEEDS = 200 };

static const double x_values[ELEMENTS] = {-3.5, -1.25, -0.5, 0, 0.25, 1, 2.5, 3.75};

static double gelu_erf(double x)
{
    return 0.5 * x * (1 + erf(x / sqrt(2)));
}

static double gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static double quick_gelu(double x)
{
    return x / (1 + exp(-1.702 * x));
}

static double silu(double x)
{
    return x / (1 + exp(-x));
}

static double hard_swish(double x)
{
    return x * fmin(fmax(x + 3, 0), 6) / 6;
}

static double softplus(double x)
{
    return log(1 + exp(x));
}

static double mish(double x)
{
    return x * tanh(softplus(x));
}

/* share: of the undeviated ones that must compute the function, in percent. Others have a bias
 * (40 %), or another of several coefficients or forms. */
static const struct row {
    const char *pattern;
    double (*function)(double x);
    unsigned share;
} rows[] = {
    {"gelu-erf", gelu_erf, 45}, {"gelu-tanh", gelu_tanh, 45},    {"quick-gelu", quick_gelu, 5},
    {"quick-gelu", silu, 5},    {"hard-swish", hard_swish, 100}, {"softplus", softplus, 10},
    {"softplus", mish, 20},
};

/* Norms, whose scale and bias are drawn: the same result for scale * x + shift. */
static const struct invariant {
    const char *pattern;
    double scale, shift;
    unsigned share; /* softmax notes no deviation */
} invariants[] = {
    {"layer-norm", 8, 5, 100},   {"rms-norm", 8, 0, 100}, {"instance-norm", 8, 5, 100},
    {"l2-normalise", 8, 0, 100}, {"softmax", 1, 5, 70},   {"group-norm", 8, 5, 100},
};

/* Builds the pattern over x and runs it. *note: its deviations. NULL: it was refused. */
static const struct value *run(const struct pattern *p, const double *at, uint64_t seed,
                               struct arena *a, struct eval_result *out, struct graph_builder *b)
{
    struct rng r;
    struct err e;
    struct named_tensor x = {.name = STR("x")};
    const struct tensors inputs = {.at = &x, .n = 1};
    rng_init(&r, seed, RNG_TEST, 1);
    struct model *m = model_new(a, 17);
    const int64_t dims[] = {ROWS, COLUMNS};
    uint32_t in = graph_add_input(m, m->graph, x.name, DTYPE_FLOAT, dims, 2);
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, at, a, &x.tensor, &e));
    builder__init(b, m, &r);
    b->weights = b->shapes = PLACE_INITIALIZER;
    uint32_t y = p->build(b, in);
    if (!builder__ok(b) || y == VALUE_NONE)
        return NULL;
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e) || !infer_model(m, &e) ||
        !eval_run(m, &inputs, &(struct eval_options){0}, a, out, &e))
        fail_msg("%s: %s", p->name, e.text);
    return &out->values[m->graph->outputs.at[0]];
}

static bool is_function(const struct value *y, double (*function)(double x))
{
    if (y->n != ELEMENTS)
        return false;
    for (size_t i = 0; i < ELEMENTS; i++)
        if (!(fabs(y->f[i] - function(x_values[i])) <= 1e-5))
            return false;
    return true;
}

static bool is_deviated(const struct graph_builder *b)
{
    const char *dev = strstr(b->note, "dev=");
    return dev && strcmp(dev, "dev=0") != 0 && strncmp(dev, "dev=0 ", 6) != 0;
}

static const struct pattern *find(const char *name)
{
    size_t n;
    const struct pattern *p = pattern__list(&n);
    while (strcmp(p->name, name) != 0)
        p++;
    return p;
}

static void undeviated_patterns_are_their_functions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        unsigned n_seen = 0, n_right = 0;
        const struct pattern *p = find(rows[i].pattern);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct arena a;
            struct eval_result values;
            struct graph_builder b;
            arena_init(&a);
            const struct value *y = run(p, x_values, seed, &a, &values, &b);
            if (y && !is_deviated(&b)) {
                n_seen++;
                n_right += is_function(y, rows[i].function);
            }
            arena_done(&a);
        }
        assert_true(n_seen >= SEEDS / 8);
        ASSERT_ROW(100 * n_right >= rows[i].share * n_seen, rows[i].pattern);
    }
}

/* The same values, which are not all one value. */
static bool is_same(const struct value *x, const struct value *y)
{
    bool same = x->n == y->n && x->n > 0, differs = false;
    for (size_t i = 1; i < (size_t)x->n; i++)
        differs |= fabs(x->f[i] - x->f[0]) > 0.1;
    for (size_t i = 0; same && i < (size_t)x->n; i++)
        same = fabs(x->f[i] - y->f[i]) <= 0.02;
    return same && differs;
}

static void undeviated_norms_do_not_see_scale_or_shift(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(invariants); i++) {
        const struct invariant *v = &invariants[i];
        unsigned n_seen = 0, n_same = 0;
        double moved[ELEMENTS];
        for (size_t k = 0; k < ELEMENTS; k++)
            moved[k] = v->scale * x_values[k] + v->shift;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct arena a;
            struct eval_result first, second;
            struct graph_builder b;
            arena_init(&a);
            const struct value *x = run(find(v->pattern), x_values, seed, &a, &first, &b);
            if (x && !is_deviated(&b)) {
                n_seen++;
                n_same += is_same(x, run(find(v->pattern), moved, seed, &a, &second, &b));
            }
            arena_done(&a);
        }
        ASSERT_ROW(100 * n_same >= v->share * n_seen, v->pattern);
    }
}

TEST_SUITE(generate_pattern, TEST(undeviated_patterns_are_their_functions),
           TEST(undeviated_norms_do_not_see_scale_or_shift))
