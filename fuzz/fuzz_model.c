/*
 * Bytes as a model: read, checked, inferred and evaluated under a small budget; or refused with a
 * message. What was read is written and must be readable again with the same content.
 */
#include <stdlib.h>

#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { INPUT_ELEMENTS_MAX = 4096 };

/* Zeros for every input whose size is known and small; unknown dims become 2. */
static bool make_inputs(const struct graph *g, struct arena *a, struct tensors *out, struct err *e)
{
    out->at = arena_new_array(a, struct named_tensor, g->inputs.n);
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        int64_t dims[TENSOR_RANK_MAX];
        size_t n;
        void *data;
        for (uint32_t d = 0; d < v->shape.rank; d++)
            dims[d] = v->shape.dims[d].value < 0 ? 2 : v->shape.dims[d].value;
        if (v->dtype == DTYPE_STRING || !tensor_count(v->dtype, dims, v->shape.rank, &n) ||
            n > INPUT_ELEMENTS_MAX)
            return false;
        struct named_tensor *t = &out->at[out->n++];
        t->name = v->name;
        if (!tensor_make(v->dtype, dims, v->shape.rank, a, &t->tensor, &data, e))
            return false;
    }
    return true;
}

static void write_again(const struct model *m, struct arena *a)
{
    struct strbuf bytes = {0};
    struct model *again;
    struct err e;
    if (!model_write(m, true, &bytes, &e) || !model_read(strbuf_str(&bytes), NULL, a, &again, &e))
        abort();
    struct hash before = model_hash(m), after = model_hash(again);
    if (m->graph->nodes.n != again->graph->nodes.n || !hash_eq(&before, &after))
        abort();
    strbuf_done(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct err e = {0};
    struct model *m;
    struct tensors inputs = {0};
    struct eval_result r;
    const struct eval_options options = {.want_margins = true, .budget = {1 << 20, 1 << 22}};
    arena_init(&a);
    if (model_read((struct str){(const char *)data, n}, NULL, &a, &m, &e)) {
        write_again(m, &a);
        if (check_model(m, &e) && infer_model(m, &e) && make_inputs(m->graph, &a, &inputs, &e))
            (void)eval_run(m, &inputs, &options, &a, &r, &e);
    }
    arena_done(&a);
    return 0;
}
