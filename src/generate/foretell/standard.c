/* Decides how the checker's and the inference's answers are told as outcomes. Must not know the
 * call that the model was made from. */
#include "generate/foretell/standard.h"

#include "base/hash.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

/* Names as NumPy has them. */
static struct str element_name(enum dtype t)
{
    return t == DTYPE_FLOAT    ? STR("float32")
           : t == DTYPE_DOUBLE ? STR("float64")
                               : str_of(dtype_name(t));
}

static bool leaf_of_output(const struct graph_value *v, struct leaf *out)
{
    if (v->dtype == DTYPE_UNDEFINED || !shape_is_static(&v->shape) || v->shape.rank > CALL_DIMS_MAX)
        return false;
    *out = (struct leaf){.dtype = element_name(v->dtype), .rank = v->shape.rank};
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = (size_t)v->shape.dims[i].value;
    return true;
}

void standard_outcome(struct str hex, struct arena *a, struct call_outcome *out)
{
    struct model *m;
    struct err e = {0};
    uint8_t *bytes = arena_new_array(a, uint8_t, hex.n / 2 + 1);
    *out = (struct call_outcome){.is = OUTCOME_KIND_ABSTAINS};
    if (!bytes_from_hex(hex, bytes))
        return;
    if (!model_read((struct str){(const char *)bytes, hex.n / 2}, NULL, a, &m, &e) ||
        !check_model(m, &e) || !infer_model(m, &e)) {
        if (e.code == ERR_DATA)
            out->is = OUTCOME_KIND_RAISED;
        out->message = str_of(str_dup(a, str_of(e.text)));
        return;
    }
    const struct graph *g = m->graph;
    for (size_t i = 0; i < g->outputs.n && i < CALL_LEAVES_MAX; i++)
        if (!leaf_of_output(&g->values.at[g->outputs.at[i]], &out->leaves[out->n_leaves++]))
            return;
    out->is = OUTCOME_KIND_OK;
}
