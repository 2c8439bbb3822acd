/*
 * The list of seed models, and the model that a name means: a row of zoo.def, op:NAME, or a file.
 * Every model is finished and inferred here; weights depend on the seed alone.
 */
#include "generate/zoo.h"

#include "generate/mutate/corner_p.h"
#include "generate/mutate/layer_p.h"
#include "generate/mutate/vary_p.h"
#include "generate/mutate/zoo_p.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "onnx/op.h"

enum { ZOO_OPSET = 17 };

static const struct zoo_row rows[] = {
#define ZOO(name, function, opset, help) {name, help, opset, zoo__##function},
#include "generate/mutate/zoo.def"
#undef ZOO
};

const struct zoo_row *zoo_list(size_t *n)
{
    *n = COUNT_OF(rows);
    return rows;
}

const struct zoo_row *zoo_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (str_is(name, rows[i].name))
            return &rows[i];
    }
    return NULL;
}

static bool finish_model(struct graph_builder *b, uint32_t y, const char *name, struct err *e)
{
    if (!builder__ok(b)) {
        *e = b->e;
        return err_wrap(e, "%s", name);
    }
    if (y == VALUE_NONE)
        return err_set(e, ERR_DATA, "%s: no layer of it can be built on the drawn input", name);
    graph_add_output(b->g, y);
    graph_remove_dead(b->m, b->g);
    return (model_finish(b->m, e) && infer_model(b->m, e)) || err_wrap(e, "%s", name);
}

bool zoo_build(const struct zoo_row *row, const struct zoo_options *o, struct arena *a,
               struct model **out, struct err *e)
{
    struct graph_builder b;
    struct rng r;
    rng_init(&r, o->seed, RNG_WEIGHT, (uint64_t)(row - rows));
    struct model *m = model_new(a, MAX(o->opset ? o->opset : ZOO_OPSET, row->least_opset));
    builder__init(&b, m, &r);
    *out = m;
    return finish_model(&b, row->build(&b), row->name, e);
}

/* A graph input of a shape and dtype that suit an operator. */
static uint32_t suitable_input(struct graph_builder *b, const char *op_type, enum dtype wanted)
{
    static const char *const images[] = {"Conv",         "Pool",     "Resize",     "DepthToSpace",
                                         "SpaceToDepth", "LRN",      "GridSample", "InstanceNorm",
                                         "BatchNorm",    "GroupNorm"};
    static const enum dtype types[] = {DTYPE_FLOAT,   DTYPE_FLOAT, DTYPE_FLOAT, DTYPE_DOUBLE,
                                       DTYPE_FLOAT16, DTYPE_INT64, DTYPE_INT32, DTYPE_UINT8,
                                       DTYPE_INT8,    DTYPE_BOOL,  DTYPE_FLOAT, DTYPE_BFLOAT16};
    int64_t dims[4];
    uint32_t rank = 1 + builder__below(b, 4);
    enum dtype t = wanted;
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        if (str_find(str_of(op_type), str_of(images[i])) < strlen(op_type))
            rank = 4;
    }
    for (int draws = 0; draws < 12 && wanted == DTYPE_UNDEFINED; draws++) {
        t = ONE_OF(b, types);
        if (builder__allows(b, op_type, 0, t) && (t != DTYPE_BFLOAT16 || b->m->opset >= 13))
            break;
        t = DTYPE_FLOAT;
    }
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = rank == 4 && i > 1 ? builder__between_i(b, 3, 8) : builder__between_i(b, 1, 4);
    return graph_add_input(b->m, b->g, STR("x"), t, dims, rank);
}

/* The dtypes of the operator's data: those of the input or output that has most. */
static uint32_t data_dtypes(const struct op_fact *f)
{
    uint32_t most = 0;
    for (int i = 0; i < f->n_input_facts + f->n_output_facts; i++) {
        const struct op_param_fact *p =
            i < f->n_input_facts ? &f->inputs[i] : &f->outputs[i - f->n_input_facts];
        if (__builtin_popcount(p->dtypes) > __builtin_popcount(most))
            most = p->dtypes;
    }
    return most;
}

/* A graph input of any rank, size and dtype that the operator may take. */
static uint32_t any_input(struct graph_builder *b, const char *op_type)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), b->m->opset);
    int64_t dims[6];
    uint32_t rank = builder__below(b, 7), most = rank > 4 ? 3 : rank > 2 ? 6 : 9;
    enum dtype t = layer__some_dtype(b, f ? data_dtypes(f) : 0);
    if (t == DTYPE_UNDEFINED || builder__chance(b, 20))
        t = DTYPE_FLOAT;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = builder__between_i(b, 1, most);
    return graph_add_input(b->m, b->g, STR("x"), t, dims, rank);
}

/* The usual opset, or the next one that has the operator. */
static int opset_with(const char *op_type)
{
    for (int opset = ZOO_OPSET; opset <= MODEL_OPSET_NEWEST; opset++) {
        const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), opset);
        if (f && !f->deprecated)
            return opset;
    }
    return ZOO_OPSET;
}

static bool build_operator(const char *op_type, enum dtype dtype, bool varied,
                           const struct zoo_options *o, struct arena *a, struct model **out,
                           struct err *e)
{
    struct graph_builder b;
    struct rng r;
    const struct layer_builder *row = layer__find(op_type);
    if (!row)
        return err_set(e, ERR_USAGE, "op:%s: no layer builder for this operator", op_type);
    rng_init(&r, o->seed, RNG_WEIGHT, hash_bytes64(op_type, strlen(op_type)));
    struct model *m = model_new(a, o->opset ? o->opset : opset_with(op_type));
    builder__init(&b, m, &r);
    b.fixed_inputs = !varied;
    *out = m;
    bool odd = varied && builder__chance(&b, 75);
    uint32_t x = odd ? any_input(&b, op_type) : suitable_input(&b, op_type, dtype);
    uint32_t y = layer__apply(&b, row, x);
    if (varied)
        vary__added(&b, 0, op_type);
    return finish_model(&b, y, op_type, e);
}

bool zoo_build_operator(const char *op_type, enum dtype dtype, const struct zoo_options *o,
                        struct arena *a, struct model **out, struct err *e)
{
    return build_operator(op_type, dtype, false, o, a, out, e);
}

bool zoo_vary_operator(const char *op_type, const struct zoo_options *o, struct arena *a,
                       struct model **out, struct err *e)
{
    return build_operator(op_type, DTYPE_UNDEFINED, true, o, a, out, e);
}

struct zoo_operator zoo_operator(const char *op_type)
{
    const struct node n = {.op_type = str_of(op_type),
                           .fact = op_fact_find(STR(""), str_of(op_type), INT32_MAX)};
    return (struct zoo_operator){layer__find(op_type) != NULL, corner__has(&n)};
}

/* Was a name without folder or ending, which is no file, meant for the zoo? */
static bool near_zoo_name(const char *name, struct err *e)
{
    const char *known[COUNT_OF(rows)];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        known[i] = rows[i].name;
    const char *near = str_nearest(str_of(name), known, COUNT_OF(rows));
    if (near && !strchr(name, '.') && !strchr(name, '/'))
        return err_set(e, ERR_USAGE,
                       "no file and no zoo model is called \"%s\", did you mean \"%s\"?", name,
                       near);
    return false;
}

bool seed_model_load(const char *name, const struct zoo_options *o, struct arena *a,
                     struct model **out, struct err *e)
{
    const struct zoo_row *row = zoo_find(str_of(name));
    if (row)
        return zoo_build(row, o, a, out, e);
    if (str_starts(str_of(name), STR("op:")))
        return zoo_build_operator(name + 3, DTYPE_UNDEFINED, o, a, out, e);
    return model_read_file(name, a, out, e) ? check_model(*out, e) : near_zoo_name(name, e);
}
