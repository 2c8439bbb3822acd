/* The list of recipes: recipes.def. */
#include "generate/mutate/recipe_p.h"

static const struct recipe recipes[] = {
#define RECIPE(op_type, fn, low, high) {op_type, recipe__##fn, low, high},
#include "generate/mutate/recipes.def"
#undef RECIPE
};

const struct recipe *recipe__list(size_t *n)
{
    *n = COUNT_OF(recipes);
    return recipes;
}

const struct recipe *recipe__find(const char *op_type)
{
    for (size_t i = 0; i < COUNT_OF(recipes); i++) {
        if (strcmp(recipes[i].op_type, op_type) == 0)
            return &recipes[i];
    }
    return NULL;
}

uint32_t recipe__apply(struct graph_builder *b, const struct recipe *row, uint32_t x)
{
    const struct op *op = op_find(STR(""), str_of(row->op_type));
    if (!op || !op_fact_find(STR(""), str_of(row->op_type), b->m->opset)) {
        builder__fail(b, row->op_type);
        return VALUE_NONE;
    }
    return row->apply(b, row, x);
}
