#include "unit/python/layers.h"

#define CLASS_OF(k) .makes = k, .traits = UINT64_C(1) << TRAIT_AT_CLASS, .subject = SUBJECT_RESULT
#define BIT(trait) (UINT64_C(1) << TRAIT_AT_##trait)
#define OF_RECEIVER .form = API_METHOD, .subject = SUBJECT_RECEIVER

static const struct api_row rows[] = {
    {.name = "torch.nn.Module", CLASS_OF(TYPE_MODULE)},
    {.name = "torch.nn.Linear", CLASS_OF(TYPE_MODULE)},
    {.name = "torch.nn.Softmax",
     .makes = TYPE_MODULE,
     .traits = BIT(CLASS),
     .subject = SUBJECT_RESULT,
     .gives = DOMAIN_ANY},
    {.name = "torch.nn.CrossEntropyLoss", CLASS_OF(TYPE_CRITERION)},
    {.name = "torch.optim.Adam",
     .makes = TYPE_OPTIMIZER,
     .traits = BIT(CLASS),
     .subject = 0,
     .subject_name = "params"},
    {.name = "torch.utils.data.DataLoader", CLASS_OF(TYPE_LOADER)},
    {.name = "torch.nn.functional.softmax",
     .makes = TYPE_TENSOR,
     .traits = BIT(PURE),
     .gives = DOMAIN_SOFTMAX},
    {.name = "torch.nn.functional.cross_entropy",
     .makes = TYPE_LOSS,
     .role = ROLE_COMPARE,
     .subject = SUBJECT_RESULT},
    {.name = "torch.no_grad", .makes = TYPE_REGION, .traits = BIT(NO_GRAD)},
    {.name = "torch.enable_grad", .makes = TYPE_REGION, .traits = BIT(WITH_GRAD)},
    {.name = "torch.set_grad_enabled", .makes = TYPE_REGION, .traits = BIT(FLAGGED_GRAD)},
    {.name = "torch.load", .makes = TYPE_STATE},
    {.name = "torch.randn", .makes = TYPE_TENSOR, .traits = BIT(FRESH)},
    {.name = "copy.deepcopy", .traits = BIT(COPY), .subject = 0},
    {.name = "tqdm.tqdm", .traits = BIT(IDENTITY)},
    {.name = "builtins.enumerate", .traits = BIT(IDENTITY)},
    {.name = "backward", OF_RECEIVER, .role = ROLE_BACKWARD},
    {.name = "step", OF_RECEIVER, .receiver = TYPE_OPTIMIZER, .role = ROLE_STEP},
    {.name = "zero_grad", OF_RECEIVER, .receiver = TYPE_OPTIMIZER, .role = ROLE_ZERO},
    {.name = "zero_grad", OF_RECEIVER, .receiver = TYPE_MODULE, .role = ROLE_ZERO},
    {.name = "parameters", OF_RECEIVER, .receiver = TYPE_MODULE, .makes = TYPE_PARAMETERS},
    {.name = "train",
     OF_RECEIVER,
     .receiver = TYPE_MODULE,
     .role = ROLE_TRAIN,
     .role_if_false = ROLE_EVAL,
     .mode_name = "mode",
     .traits = BIT(IDENTITY)},
    {.name = "eval",
     OF_RECEIVER,
     .receiver = TYPE_MODULE,
     .role = ROLE_EVAL,
     .traits = BIT(IDENTITY)},
    {.name = "to", OF_RECEIVER, .traits = BIT(IDENTITY) | BIT(IGNORES_NAME)},
    {.name = "cuda", OF_RECEIVER, .traits = BIT(IDENTITY)},
    {.name = "item", OF_RECEIVER, .makes = TYPE_NUMBER, .traits = BIT(CUTS)},
    {.name = "detach", OF_RECEIVER, .makes = TYPE_TENSOR, .traits = BIT(CUTS)},
    {.name = "prepare", OF_RECEIVER, .role = ROLE_PREPARE},
    {.name = "grad", .form = API_ATTRIBUTE, .role = ROLE_READ_GRADIENT, .role_if_false = ROLE_ZERO},
    {.name = "data", .form = API_ATTRIBUTE, .traits = BIT(CUTS)},
};

static const struct api_name names[] = {
    {"torch", "torch", TYPE_UNKNOWN},           {"nn", "torch.nn", TYPE_UNKNOWN},
    {"F", "torch.nn.functional", TYPE_UNKNOWN}, {"model", NULL, TYPE_MODULE},
    {"optimizer", NULL, TYPE_OPTIMIZER},        {"*loader", NULL, TYPE_LOADER},
    {"criterion", NULL, TYPE_CRITERION},
};

void layers_open_module(struct layers *l, const char *text, const char *module)
{
    struct err e;
    struct names_options options = {.module = str_of(module)};
    memset(l, 0, sizeof *l);
    arena_init(&l->arena);
    assert_true(py_parser_open(&l->parser, &e));
    l->paths = paths_new(l->parser);
    assert_true(api_table_new(l->paths, l->parser,
                              &(struct api_facts){rows, COUNT_OF(rows), names, COUNT_OF(names)},
                              &l->api, &e));
    options.conventions = api_conventions(l->api, &options.n_conventions);
    assert_true(source_open(&(struct source_input){STR("test.py"), str_of(text), SOURCE_FILE}, NULL,
                            &l->arena, &l->source, &e));
    assert_true(tree_read(l->parser, &l->source, &l->arena, &l->tree, &e));
    names_build(&l->tree, l->paths, &options, &l->arena, &l->names);
    types_build(&l->names, l->api, NULL, &l->arena, &l->types);
}

void layers_open(struct layers *l, const char *text)
{
    layers_open_module(l, text, "");
}

void layers_close(struct layers *l)
{
    api_table_free(l->api);
    paths_free(l->paths);
    py_parser_close(l->parser);
    arena_done(&l->arena);
}

uint32_t layers_find(const struct layers *l, enum py_kind kind, const char *begins)
{
    for (uint32_t n = 0; n < l->tree.n_nodes; n++)
        if (tree_kind(&l->tree, n) == kind && str_starts(tree_text(&l->tree, n), str_of(begins)))
            return n;
    fail_msg("no %s begins with \"%s\"", py_kind_name(kind), begins);
    return 0;
}

uint32_t layers_scope(const struct layers *l, const char *name)
{
    for (uint32_t s = 0; s < l->names.n_scopes; s++)
        if (str_is(py_parser_text(l->parser, l->names.scopes[s].name), name))
            return s;
    fail_msg("no scope \"%s\"", name);
    return 0;
}

struct step_set layers_calls(struct layers *l, const struct cfg *c, const char *begins)
{
    struct step_set set = {arena_new_array(&l->arena, uint32_t, c->n_steps), 0};
    for (uint32_t s = 0; s < c->n_steps; s++)
        if (tree_kind(&l->tree, c->steps[s].node) == PY_CALL &&
            str_starts(tree_text(&l->tree, c->steps[s].node), str_of(begins)))
            set.at[set.n++] = s;
    return set;
}
