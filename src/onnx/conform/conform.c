/*
 * The standard's node tests. A case is unsupported only if reading, checking, inference or
 * evaluation fails with ERR_UNSUPPORTED or ERR_LIMIT; any other error, and any difference, is a
 * failure.
 *
 * Besides the outputs, what inference says of every value is compared with what was computed.
 */
#include "onnx/conform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

enum { PB_BYTES_MAX = 64 << 20 };
static const double relative_tolerance = 1e-3, absolute_tolerance = 1e-7;

/* Cases whose expected numbers are themselves wrong by more than the tolerance. */
static const struct {
    const char *name;
    double absolute;
    const char *doubt;
} doubtful[] = {
    {"test_dft_inverse", 1e-6,
     "expected numbers of a float32 transform: 1.9e-7 where the text's sum is 0"},
    {"test_dft_inverse_opset19", 1e-6,
     "expected numbers of a float32 transform: 1.9e-7 where the text's sum is 0"},
};

const char *conform_outcome_name(enum conform_outcome o)
{
    static const char *const names[] = {"passed", "failed", "unsupported"};
    return names[o];
}

static bool read_tensors(const char *dir, const char *prefix, const struct graph *g,
                         struct arena *a, struct tensors *out, struct err *e)
{
    bool is_input = !strcmp(prefix, "input");
    size_t n = is_input ? g->inputs.n : g->outputs.n;
    out->at = arena_new_array(a, struct named_tensor, n);
    for (size_t i = 0; i < n; i++) {
        const struct graph_value *v = &g->values.at[is_input ? g->inputs.at[i] : g->outputs.at[i]];
        const char *path = path_join(a, dir, arena_printf(a, "%s_%zu.pb", prefix, i));
        struct str bytes;
        if (v->not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "%s '" STR_FMT "' is no tensor", prefix,
                           STR_ARG(v->name));
        if (is_input && file_stat(path).kind == FILE_MISSING && v->initializer)
            continue;
        struct named_tensor *t = &out->at[out->n++];
        if (!file_read(path, PB_BYTES_MAX, a, &bytes, e) || !tensor_read_pb(bytes, a, t, e))
            return err_wrap(e, "%s %zu", prefix, i);
        t->name = v->name;
    }
    return true;
}

bool conform_read_case(const char *dir, struct arena *a, struct conform_case *out, struct err *e)
{
    struct file_list list;
    *out = (struct conform_case){.absolute = absolute_tolerance};
    for (size_t i = 0; i < COUNT_OF(doubtful); i++)
        if (str_is(path_base(str_of(dir)), doubtful[i].name)) {
            out->absolute = doubtful[i].absolute;
            out->doubt = doubtful[i].doubt;
        }
    if (!model_read_file(path_join(a, dir, "model.onnx"), a, &out->model, e) ||
        !file_list_dir(dir, a, &list, e))
        return false;
    out->sets = arena_new_array(a, struct conform_set, list.n);
    for (size_t i = 0; i < list.n; i++) {
        if (strncmp(list.names[i], "test_data_set_", 14) != 0)
            continue;
        struct conform_set *set = &out->sets[out->n_sets++];
        const char *folder = path_join(a, dir, list.names[i]);
        if (!read_tensors(folder, "input", out->model->graph, a, &set->inputs, e) ||
            !read_tensors(folder, "output", out->model->graph, a, &set->outputs, e))
            return err_wrap(e, "%s", list.names[i]);
    }
    return true;
}

/* The tolerance of the standard's runner: bfloat16 within two of its units in the last place
 * (expected numbers were rounded at every step), all other floats alike. */
static double tolerance_of(enum dtype t)
{
    return t == DTYPE_BFLOAT16 ? 0x1p-6 : relative_tolerance;
}

static bool is_close(double got, double expected, double absolute, double relative)
{
    if (isnan(got) || isnan(expected))
        return isnan(got) && isnan(expected);
    if (isinf(got) || isinf(expected))
        return got == expected;
    return fabs(got - expected) <= absolute + relative * fabs(expected);
}

static bool compare_dims(const struct tensor *got, const struct tensor *expected, struct err *e)
{
    if (got->dtype != expected->dtype)
        return err_set(e, ERR_DATA, "dtype %s, %s is expected", dtype_name(got->dtype),
                       dtype_name(expected->dtype));
    if (got->rank != expected->rank)
        return err_set(e, ERR_DATA, "rank %u, %u is expected", got->rank, expected->rank);
    for (uint32_t i = 0; i < got->rank; i++)
        if (got->dims[i] != expected->dims[i])
            return err_set(e, ERR_DATA, "dim %u is %lld, %lld is expected", i,
                           (long long)got->dims[i], (long long)expected->dims[i]);
    return true;
}

static bool no_value(struct err *e)
{
    return err_set(e, ERR_DATA, "no element has a value that the standard defines");
}

static bool differs(struct err *e, size_t at, size_t n, double got, double expected)
{
    return err_set(e, ERR_DATA, "element %zu of %zu is %.9g, %.9g is expected", at, n, got,
                   expected);
}

bool conform_compare(const struct conform_case *c, const struct tensor *got,
                     const struct tensor *expected, const uint8_t *undefined, struct err *e)
{
    if (!compare_dims(got, expected, e))
        return false;
    bool is_float = dtype_is_float(got->dtype);
    if (undefined && got->n && !memchr(undefined, 0, got->n))
        return no_value(e);
    for (size_t i = 0; i < got->n; i++) {
        if (undefined && undefined[i])
            continue;
        if (got->dtype == DTYPE_STRING) {
            if (!str_eq(got->strings[i], expected->strings[i]))
                return err_set(e, ERR_DATA,
                               "element %zu is '" STR_FMT "', '" STR_FMT "' is expected", i,
                               STR_ARG(got->strings[i]), STR_ARG(expected->strings[i]));
            continue;
        }
        double a = tensor_get_double(got, i), b = tensor_get_double(expected, i);
        bool same = is_float ? is_close(a, b, c->absolute, tolerance_of(got->dtype))
                             : tensor_get_i64(got, i) == tensor_get_i64(expected, i);
        if (!same)
            return differs(e, i, got->n, a, b);
    }
    return true;
}

/* Compares what inference said of every value with what was computed. */
static bool compare_inference(const struct model *m, const struct eval_result *r, struct err *e)
{
    for (size_t v = 0; v < r->n_values; v++) {
        const struct value *got = &r->values[v];
        const struct graph_value *said = &m->graph->values.at[v];
        if (got->dtype == DTYPE_UNDEFINED)
            continue;
        bool same = got->dtype == said->dtype;
        if (said->shape.known)
            same = same && said->shape.rank == got->rank;
        for (uint32_t i = 0; same && said->shape.known && i < got->rank; i++)
            same = said->shape.dims[i].value < 0 || said->shape.dims[i].value == got->dims[i];
        if (!same)
            return err_set(e, ERR_DATA, "inference of '" STR_FMT "' differs from its value",
                           STR_ARG(said->name));
    }
    return true;
}

static bool run_set(const struct conform_case *c, const struct conform_set *set, struct arena *a,
                    struct err *e)
{
    struct eval_result r;
    const struct eval_options options = {0};
    const struct graph *g = c->model->graph;
    if (!eval_run(c->model, &set->inputs, &options, a, &r, e) ||
        !compare_inference(c->model, &r, e))
        return false;
    for (size_t i = 0; i < g->outputs.n; i++) {
        struct tensor got;
        const struct value *v = &r.values[g->outputs.at[i]];
        if (!value_to_tensor(v, a, &got, e) ||
            !conform_compare(c, &got, &set->outputs.at[i].tensor, v->undefined, e))
            return err_wrap(e, "output %zu", i);
    }
    return true;
}

static bool run_case(const char *dir, struct arena *a, struct err *e)
{
    struct conform_case c;
    if (!conform_read_case(dir, a, &c, e) || !check_model(c.model, e) || !infer_model(c.model, e))
        return false;
    for (size_t i = 0; i < c.n_sets; i++)
        if (!run_set(&c, &c.sets[i], a, e))
            return c.n_sets > 1 ? err_wrap(e, "set %zu", i) : false;
    return !c.doubt || err_set(e, ERR_UNSUPPORTED, "%s", c.doubt);
}

struct conform_result conform_run_case(const char *dir)
{
    struct conform_result r = {.outcome = CONFORM_PASSED};
    struct arena a;
    struct err e = {0};
    arena_init(&a);
    if (!run_case(dir, &a, &e)) {
        bool is_ours = e.code == ERR_UNSUPPORTED || e.code == ERR_LIMIT;
        r.outcome = is_ours ? CONFORM_UNSUPPORTED : CONFORM_FAILED;
        snprintf(r.reason, sizeof r.reason, "%s", e.text);
    }
    arena_done(&a);
    return r;
}
