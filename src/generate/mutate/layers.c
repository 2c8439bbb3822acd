/* The list of layer builders: layers.def. */
#include "generate/mutate/layer_p.h"

static const struct layer_builder layers[] = {
#define LAYER(op_type, fn, low, high) {op_type, layer__##fn, low, high},
#include "generate/mutate/layers.def"
#undef LAYER
};

const struct layer_builder *layer__list(size_t *n)
{
    *n = COUNT_OF(layers);
    return layers;
}

const struct layer_builder *layer__find(const char *op_type)
{
    for (size_t i = 0; i < COUNT_OF(layers); i++) {
        if (strcmp(layers[i].op_type, op_type) == 0)
            return &layers[i];
    }
    return NULL;
}

uint32_t layer__apply(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    const struct op *op = op_find(STR(""), str_of(row->op_type));
    if (!op || !op_fact_find(STR(""), str_of(row->op_type), b->m->opset)) {
        builder__fail(b, row->op_type);
        return VALUE_NONE;
    }
    return row->apply(b, row, x);
}
