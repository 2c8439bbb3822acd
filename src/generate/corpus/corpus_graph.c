/* Models as seeds of the generator corpus. A model that the reference cannot run still makes a case
 * (reference NULL), since engines may be compared with each other. */
#include "case/inputs.h"
#include "generate/corpus/corpus_p.h"
#include "generate/zoo.h"
#include "onnx/eval.h"
#include "onnx/infer.h"

bool corpus__read_graph(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed, struct err *e)
{
    struct zoo_options o = {0, zoo_seed};
    return seed_model_load(seed->name, &o, a, &seed->m, e) && infer_model(seed->m, e);
}

bool corpus__graph_case(const struct corpus_seed *seed, uint64_t round,
                        const struct provenance *from, struct arena *a, struct tcase **out,
                        struct err *e)
{
    struct tensors *inputs = arena_new(a, struct tensors);
    struct eval_result *reference = arena_new(a, struct eval_result);
    struct input_options o = {round % 2 ? INPUT_NORMAL : INPUT_GRID, 0};
    struct provenance made = *from;
    struct rng r;
    struct err unknown = {0};
    rng_init(&r, from->seed, RNG_CASE, from->index);
    if (!inputs_generate(seed->m, &o, &r, a, inputs, e))
        return false;
    made.parent = model_hash(seed->m);
    *out = case_of_graph(seed->m, inputs, 1, made, a);
    if (eval_run(seed->m, inputs, &(struct eval_options){0}, a, reference, &unknown))
        (*out)->reference = reference;
    return true;
}
