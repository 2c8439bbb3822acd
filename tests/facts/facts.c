/*
 * Prints what is known of models before and while they are evaluated, which `assay eval` does not
 * print: inferred shapes where dims of the inputs are unknown, and what kernels say of their
 * rounding, of the nearest switch and of undefined elements. Recorded by
 * tests/e2e/node_programs/facts.txt.
 *
 *     model_facts MODEL.onnx...
 *
 * A line per value of the top graph: its shape with all dims of the inputs unknown, with every
 * second one, and with none; with inputs drawn from a fixed seed, of a grid and then of corner
 * cases, the sum of its finite elements and how far noise moves them, the sum of its scales, the
 * smallest margin, the number of undefined and of non-finite elements. With few digits, so that
 * libraries of mathematics do not show.
 */
#include <math.h>
#include <stdio.h>

#include "case/inputs.h"
#include "facts/print.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

enum { SEED = 5 };

/* Of the finite elements of v, or of their distances to `from`. */
static double sum_of(const struct value *v, const struct value *from)
{
    double sum = 0;
    for (size_t i = 0; i < v->n && v->storage != STORAGE_STRING; i++) {
        double x = value_get_double(v, i) - (from ? value_get_double(from, i) : 0);
        sum += isfinite(x) ? fabs(x) : 0;
    }
    return sum;
}

static void print_noise(const struct value *plain, const struct value *noisy)
{
    double scale = noisy->noise_scale, margin = INFINITY;
    size_t n_undefined = 0, n_not_finite = 0;
    for (size_t i = 0; i < noisy->n; i++) {
        if (noisy->scales && isfinite(noisy->scales[i]))
            scale += noisy->scales[i];
        if (noisy->margin)
            margin = fmin(margin, noisy->margin[i]);
        n_undefined += noisy->undefined && noisy->undefined[i];
        n_not_finite += noisy->storage != STORAGE_STRING && !isfinite(value_get_double(noisy, i));
    }
    printf(" sum %.4g", sum_of(plain, NULL));
    if (noisy->n == plain->n)
        printf(" moved %.3g", sum_of(noisy, plain));
    printf(" scale %.4g margin %.4g unit %.4g%s undefined %zu not finite %zu", scale, margin,
           noisy->unit, noisy->exact ? " exact" : "", n_undefined, n_not_finite);
}

/* Reads the model and infers its shapes; of the inputs every step-th dim is unknown (0: none). */
static bool infer_without(const char *path, unsigned step, struct arena *a, struct model **out,
                          struct err *e)
{
    if (!model_read_file(path, a, out, e) || !check_model(*out, e))
        return false;
    struct graph *g = (*out)->graph;
    for (size_t i = 0, n = 0; i < g->inputs.n && step; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        for (uint32_t k = 0; !v->initializer && v->shape.known && k < v->shape.rank; k++)
            if (n++ % step == 0)
                v->shape.dims[k] = (struct dim){-1, 0};
    }
    return infer_model(*out, e);
}

static void print_shape(const struct model *m, size_t value)
{
    const struct graph_value *v = &m->graph->values.at[value];
    struct strbuf text = {0};
    shape_print(m, &v->shape, &text);
    printf(" %s" STR_FMT, dtype_name(v->dtype), STR_ARG(strbuf_str(&text)));
    strbuf_done(&text);
}

struct run {
    struct eval_result plain, noisy;
    bool ok;
};

static bool evaluate(struct model *m, enum input_style style, struct arena *a, struct run *out,
                     struct err *e)
{
    const struct eval_options under_noise = {.perturb_seed = SEED, .want_margins = true};
    struct tensors inputs;
    struct rng r;
    rng_init(&r, SEED, RNG_INPUT, 0);
    out->ok = inputs_generate(m, &(struct input_options){.style = style}, &r, a, &inputs, e) &&
              eval_run(m, &inputs, &(struct eval_options){0}, a, &out->plain, e) &&
              eval_run(m, &inputs, &under_noise, a, &out->noisy, e);
    return out->ok;
}

bool print_model(const char *path, struct arena *a, struct err *e)
{
    static const enum input_style styles[] = {INPUT_GRID, INPUT_CORNER};
    struct model *m, *partly[2];
    struct run runs[COUNT_OF(styles)];
    struct err of_shapes[2];
    bool ok = true;
    for (unsigned i = 0; i < 2; i++)
        if (!infer_without(path, 1 + i, a, &partly[i], &of_shapes[i])) {
            printf("  %s\n", of_shapes[i].text);
            partly[i] = NULL;
        }
    if (!infer_without(path, 0, a, &m, e))
        return false;
    for (size_t i = 0; i < COUNT_OF(styles); i++)
        ok &= evaluate(m, styles[i], a, &runs[i], e);
    for (size_t i = 0; i < m->graph->values.n; i++) {
        if (m->graph->values.at[i].origin == ORIGIN_INITIALIZER)
            continue;
        printf("  " STR_FMT, STR_ARG(m->graph->values.at[i].name));
        for (unsigned k = 0; k < 2; k++)
            if (partly[k])
                print_shape(partly[k], i);
        print_shape(m, i);
        for (size_t k = 0; k < COUNT_OF(styles); k++)
            if (runs[k].ok && runs[k].noisy.values[i].dtype != DTYPE_UNDEFINED)
                print_noise(&runs[k].plain.values[i], &runs[k].noisy.values[i]);
        printf("\n");
    }
    return ok;
}
