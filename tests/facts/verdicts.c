/*
 * Prints what all oracles say of models that engines run rightly, wrongly and not at all: verdicts
 * that are no pass, and the keys that they get. Recorded by tests/e2e/node_programs/verdicts.txt.
 *
 *     model_verdicts MODEL.onnx...
 *
 * Three engines are played: two modes of one family, and another family, with honest noise of their
 * own. What is wrong in which of them is a row of scenes. Inputs are drawn from a fixed seed:
 * normal ones, and for the first scenes corner cases (zeros of both signs, subnormal, extreme, not
 * finite).
 */
#include <math.h>
#include <stdio.h>

#include "case/inputs.h"
#include "facts/print.h"
#include "judge/bucket.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "planted/nets.h"
#include "planted/plant.h"

enum { SEED = 5, N_AT_CORNERS = 4, N_TARGETS = 3, OFF = 1, ALL = 2, OTHER = 4 };

/* What the targets of a set do. FAULT: the fault `kind` of plant.h, planted in the first node. */
enum does { DOES_FAULT, DOES_RAISE, DOES_ABORT, DOES_TIMEOUT, DOES_NAN, DOES_SHORT, DOES_REPEAT };

static const struct scene {
    const char *name;
    unsigned targets; /* set of OFF, ALL, OTHER */
    enum does does;
    enum plant_kind kind;
} scenes[] = {
    {"honest", 0, DOES_FAULT, PLANT_COUNT},
    {"channel in all", ALL, DOES_FAULT, PLANT_CHANNEL},
    {"channel in one family", OFF | ALL, DOES_FAULT, PLANT_CHANNEL},
    {"NaN", ALL, DOES_NAN, PLANT_COUNT},
    {"channel in both families", OFF | ALL | OTHER, DOES_FAULT, PLANT_CHANNEL},
    {"f16", ALL, DOES_FAULT, PLANT_F16},
    {"axis", ALL, DOES_FAULT, PLANT_AXIS},
    {"swap", OFF, DOES_FAULT, PLANT_SWAP},
    {"constant", ALL, DOES_FAULT, PLANT_STALE_CONSTANT},
    {"dtype", OTHER, DOES_FAULT, PLANT_DTYPE},
    {"raises in all", ALL, DOES_RAISE, PLANT_COUNT},
    {"raises everywhere", OFF | ALL | OTHER, DOES_RAISE, PLANT_COUNT},
    {"aborts", OFF, DOES_ABORT, PLANT_COUNT},
    {"hangs", OTHER, DOES_TIMEOUT, PLANT_COUNT},
    {"an output less", OFF | ALL, DOES_SHORT, PLANT_COUNT},
    {"differs when run again", ALL, DOES_REPEAT, PLANT_COUNT},
};

struct stage {
    struct arena *a;
    struct tcase *c;
    struct reference *refs;
    struct observation seen[N_TARGETS + 1];
};

static const struct target_traits traits = {.largest_opset = 26};

static struct target_id target_of(size_t i)
{
    static const char *const names[N_TARGETS][3] = {{"ort", "off", "onnxruntime"},
                                                    {"ort", "all", "onnxruntime"},
                                                    {"openvino", "f32", "openvino"}};
    return (struct target_id){.engine = str_of(names[i][0]),
                              .version = STR("1"),
                              .mode = str_of(names[i][1]),
                              .family = str_of(names[i][2]),
                              .n_threads = 1,
                              .traits = &traits,
                              .is_base = i != 1,
                              .mode_rank = i == 1};
}

/* Every output becomes NaN, or the first element of each moves. */
static void change_outputs(struct observation *x, bool to_nan, struct arena *a)
{
    for (size_t i = 0; i < x->outputs.n; i++) {
        struct tensor *t = &x->outputs.at[i].tensor;
        if (!dtype_is_float(t->dtype) || !t->n)
            continue;
        void *data = arena_dup(a, t->data, dtype_size(t->dtype, t->n));
        double first = tensor_get_double(t, 0);
        for (size_t k = 0; k < (to_nan ? t->n : 1); k++)
            tensor_put_double(t->dtype, data, k, to_nan ? NAN : first + 3);
        t->data = data;
    }
}

static void fail(struct observation *x, enum outcome outcome, const char *type, const char *message)
{
    x->outcome = outcome;
    x->signal = outcome == OUTCOME_ABORT ? 6 : 0;
    x->outputs.n = 0;
    x->message = (struct message){
        .raw = str_of(message), .type = str_of(type), .raised_by = RAISED_BY_FRAMEWORK};
}

static void play(struct stage *s, const struct scene *scene, size_t target)
{
    struct observation *x = &s->seen[target];
    const struct graph *g = s->c->graph->graph;
    bool acts = scene->targets >> target & 1;
    uint32_t first = g->nodes.at[0].outputs[0];
    struct plant plant = {.kind = scene->kind};
    if (first != VALUE_NONE) /* without its name nothing is planted */
        plant.output = g->values.at[first].name;
    struct shim shim = {.noise_seed = target + 1, .target = target_of(target)};
    if (acts && scene->does == DOES_FAULT)
        shim.plant = &plant;
    shim_run(&shim, s->c->graph, &s->c->input_sets[0], s->a, x);
    x->case_id = s->c->id;
    if (!acts)
        return;
    if (scene->does == DOES_RAISE)
        fail(x, OUTCOME_EXCEPTION, "FAIL", "Node (n0) cannot be run: 12 of /home/u/x.cc:33");
    else if (scene->does == DOES_ABORT)
        fail(x, OUTCOME_ABORT, "", "terminate called after throwing an instance of 'std::bad'");
    else if (scene->does == DOES_TIMEOUT)
        fail(x, OUTCOME_TIMEOUT_CPU, "", "");
    else if (scene->does == DOES_NAN)
        change_outputs(x, true, s->a);
    else if (scene->does == DOES_SHORT && x->outputs.n)
        x->outputs.n--;
}

static void print_judged(struct stage *s, const struct scene *scene, size_t n_seen)
{
    struct verdicts v;
    struct keys keys = {0};
    struct err e;
    struct judge_counts counts = {0};
    const struct judge_options o = {.oracles = (1U << ORACLE_COUNT) - 1, .counts = &counts};
    const struct evidence ev = {
        .c = s->c, .refs = s->refs, .observations = s->seen, .n_observations = n_seen};
    printf("  %s\n", scene->name);
    if (!judge_case(&o, &ev, s->a, &v, &e)) {
        printf("    %s\n", e.text);
        return;
    }
    for (size_t i = 0; i < v.n; i++) {
        const struct verdict *one = &v.at[i];
        if (one->decision != DECISION_NOT_APPLICABLE)
            printf("    %s " STR_FMT " %s %s %.2g of %.2g: " STR_FMT "\n", one->oracle,
                   STR_ARG(one->target.mode), decision_name(one->decision),
                   wrong_kind_name(one->wrong), one->measure, one->threshold, STR_ARG(one->claim));
    }
    for (size_t i = 0; i < NOT_BUG_COUNT; i++)
        if (counts.of[i])
            printf("    %s %llu\n", not_bug_name(i), (unsigned long long)counts.of[i]);
    bucket_keys(&ev, &v, s->a, &keys);
    bucket_keys_in_doubt(&ev, &v, s->a, &keys);
    for (size_t i = 0; i < keys.n; i++) {
        const struct key *k = &keys.at[i];
        printf("    key %s %s %s " STR_FMT " ~ " STR_FMT " ~ " STR_FMT " ~ " STR_FMT " ~ " STR_FMT
               "\n",
               severity_name(k->severity), k->taxonomy, k->dtype, STR_ARG(k->strict),
               STR_ARG(k->soft), STR_ARG(k->portable), STR_ARG(k->guard), STR_ARG(k->title));
    }
}

static bool print_scenes(struct model *m, enum input_style style, size_t n, struct arena *a,
                         struct err *e)
{
    struct tensors inputs;
    struct rng r;
    rng_init(&r, SEED, RNG_INPUT, 0);
    if (!inputs_generate(m, &(struct input_options){.style = style}, &r, a, &inputs, e))
        return false;
    for (size_t i = 0; i < n && m->graph->nodes.n; i++) {
        struct stage s = {.a = a, .c = net_case_of(m, LANE_NUMERIC, &inputs, a)};
        size_t n_seen = N_TARGETS;
        if (!reference_make(s.c, a, &s.refs, e))
            return false;
        for (size_t k = 0; k < N_TARGETS; k++)
            play(&s, &scenes[i], k);
        if (scenes[i].does == DOES_REPEAT) {
            s.seen[n_seen] = s.seen[1];
            s.seen[n_seen].repeat = 1;
            s.seen[n_seen].outputs.at =
                arena_dup(a, s.seen[1].outputs.at, s.seen[1].outputs.n * sizeof(*inputs.at));
            change_outputs(&s.seen[n_seen++], false, a);
        }
        print_judged(&s, &scenes[i], n_seen);
    }
    return true;
}

bool print_model(const char *path, struct arena *a, struct err *e)
{
    struct model *m;
    return model_read_file(path, a, &m, e) && check_model(m, e) && infer_model(m, e) &&
           print_scenes(m, INPUT_NORMAL, COUNT_OF(scenes), a, e) &&
           print_scenes(m, INPUT_CORNER, N_AT_CORNERS, a, e);
}
