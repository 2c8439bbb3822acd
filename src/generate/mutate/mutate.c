/*
 * The generator mutate: draws a seed model and a lane, applies one to eight edits (most often one),
 * and lets the validity filter decide. All draws for an index come from its own stream, which a new
 * attempt after a rejected one continues, at most 16 times.
 *
 * Order: P(n edits) halves with each edit, because the mutation study found low order better than
 * high. Place: the backbone more than the head, P ~ 1 - 0.6 depth / deepest (its finding 10).
 */
#include "generate/mutate/mutate_p.h"

#include <stdlib.h>

#include "generate/mutate/edit_p.h"
#include "generate/mutate/filter_p.h"
#include "generate/mutate/pattern_p.h"
#include "generate/mutate/strategy_p.h"
#include "generate/zoo.h"
#include "onnx/check.h"
#include "onnx/gaps.h"
#include "onnx/infer.h"

enum {
    MUTATE_VERSION = 2,
    MUTATE_RETRIES = 16,
    MUTATE_DRAWS = 8, /* of operators, for one edit */
    SEED_DRAWS = 8,   /* of a zoo model of one operator */
    ORDER_MAX = 8,
    OPERATORS_MAX = 64,
    VALUES_PERCENT = 4,
    SHAPES_PERCENT = 10,
    EMPTIED_PERCENT = 60, /* in LANE_SHAPES: seeds with a dim of 0; the others are stems */
    EMPTIED_TRIES = 6     /* not every seed allows a dim of 0 */
};

/* What a case starts from when no seed models are given. */
enum { STEM_PERCENT = 57, OPERATOR_PERCENT = 25 }; /* the rest: the zoo */

struct mutator {
    struct generator base;
    struct arena a; /* seeds */
    uint64_t seed;
    unsigned lanes;
    bool own_seeds; /* also stems and one-operator models */
    bool on[OPERATORS_MAX];
    const struct strategy *strategy;
    const struct learned *learned; /* NULL: nothing learned */
    VEC(struct seed *) seeds;
    struct generate_counts counts;
};

/* One attempt to make the case of an index. */
struct attempt {
    struct mutator *g;
    struct rng r;
    struct arena *a;
    uint64_t epoch;
    enum lane lane;
    enum input_style style;
    const struct seed *seed;
    struct model *m;
    bool preserves;
    struct strbuf edits;
};

static uint64_t count_of(const struct attempt *t)
{
    return t->m->graph->nodes.n;
}

/* Anchors. */

struct place_weights {
    uint32_t *at;
    double *weights;
    size_t n;
};

static struct str op_type_at(const struct edit *e, enum anchor anchor, uint32_t at)
{
    if (anchor == ANCHOR_NODE)
        return edit__node(e, at)->op_type;
    if (anchor == ANCHOR_MODEL)
        return STR("model");
    const struct graph_value *v = edit__value(e, at);
    return v->origin == ORIGIN_NODE ? edit__node(e, v->origin_at)->op_type : STR("input");
}

/* "Conv>Add": the operator that makes the first input, and one that uses the result. */
static struct str neighbours(const struct edit *e, enum anchor anchor, uint32_t at, struct arena *a)
{
    struct str before = STR("-"), after = STR("-");
    uint32_t v = at;
    if (anchor == ANCHOR_MODEL)
        return before;
    if (anchor == ANCHOR_NODE) {
        const struct node *n = edit__node(e, at);
        v = n->n_outputs ? n->outputs[0] : (uint32_t)VALUE_NONE;
        if (n->n_inputs && n->inputs[0] != VALUE_NONE)
            before = op_type_at(e, ANCHOR_VALUE, n->inputs[0]);
    } else {
        before = op_type_at(e, ANCHOR_VALUE, v);
    }
    if (v != VALUE_NONE && e->uses->uses_at[v + 1] > e->uses->uses_at[v])
        after = edit__node(e, e->uses->nodes[e->uses->uses_at[v]])->op_type;
    return str_of(arena_printf(a, STR_FMT ">" STR_FMT, STR_ARG(before), STR_ARG(after)));
}

static double depth_bias(const struct attempt *t, const struct edit *e, enum anchor anchor,
                         uint32_t at)
{
    double deepest = (double)MAX(count_of(t), 1u), depth = at;
    if (anchor == ANCHOR_VALUE) {
        const struct graph_value *v = edit__value(e, at);
        depth = v->origin == ORIGIN_NODE ? v->origin_at + 1.0 : 0;
        if (t->seed->is_stem) /* chains grow at the end */
            return v->is_output ? 6 : 1;
    }
    return 1 - 0.6 * depth / deepest;
}

static double factor(const struct attempt *t, uint64_t arm)
{
    const struct mutator *g = t->g;
    return g->learned && g->strategy->factor ? g->strategy->factor(g->learned, t->epoch, arm) : 1;
}

/* Fills w with the places where the operator may be applied. */
static void list_places(const struct attempt *t, const struct mutation_operator *op,
                        const struct edit *e, struct place_weights *w)
{
    const struct graph *g = t->m->graph;
    size_t n = op->anchor == ANCHOR_NODE    ? g->nodes.n
               : op->anchor == ANCHOR_VALUE ? g->values.n
                                            : 1;
    w->at = arena_new_array(t->a, uint32_t, n);
    w->weights = arena_new_array(t->a, double, n);
    w->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!op->fits(e, i))
            continue;
        uint64_t arm = learned_arm_id(ARM_ANCHOR, str_of(op->id), op_type_at(e, op->anchor, i));
        w->at[w->n] = i;
        w->weights[w->n++] = depth_bias(t, e, op->anchor, i) * factor(t, arm);
    }
}

/* Choice of the operator. */
static const struct mutation_operator *draw_operator(struct attempt *t)
{
    size_t n;
    double weights[OPERATORS_MAX], sum = 0;
    const struct mutation_operator *list = operator__list(&n);
    for (size_t i = 0; i < n; i++) {
        uint64_t arm = learned_arm_id(ARM_OPERATOR, str_of(list[i].id), STR(""));
        bool possible = t->g->on[i] && (count_of(t) > 0 || list[i].anchor == ANCHOR_VALUE);
        weights[i] = possible ? list[i].share * factor(t, arm) : 0;
        sum += weights[i];
    }
    return sum > 0 ? &list[rng_weighted(&t->r, weights, n)] : NULL;
}

/* The bucket that the strategy chooses, once it knows several; NULL: the edit draws one. */
static const char *draw_bucket(struct attempt *t, const struct mutation_operator *op)
{
    double weights[256];
    const char *names[256];
    size_t n = 0, n_list;
    if (!t->g->strategy->factor)
        return NULL;
    if (strcmp(op->id, "N18") == 0) {
        const struct pattern *list = pattern__list(&n_list);
        for (; n < n_list && n < COUNT_OF(names); n++) {
            names[n] = list[n].name;
            weights[n] = list[n].weight;
        }
    } else if (strcmp(op->id, "N21b") == 0) {
        const struct layer_builder *list = layer__list(&n_list);
        for (; n < n_list && n < COUNT_OF(names); n++) {
            names[n] = list[n].op_type;
            weights[n] = 1;
        }
    }
    for (size_t i = 0; i < n; i++)
        weights[i] *= factor(t, learned_arm_id(ARM_BUCKET, str_of(op->id), str_of(names[i])));
    return n > 0 ? names[rng_weighted(&t->r, weights, n)] : NULL;
}

/* One edit. */

static void draw_places(struct attempt *t, struct graph_builder *b)
{
    static const double weights[] = {74, 10, 12, 4};
    b->weights = (enum place)rng_weighted(&t->r, weights, COUNT_OF(weights));
    b->shapes = rng_chance(&t->r, 0.15) ? PLACE_CONSTANT : PLACE_INITIALIZER;
    if (!t->seed->is_stem && b->weights == PLACE_INPUT)
        b->weights = PLACE_INITIALIZER; /* the seed's inputs stay as they are */
    b->fixed_inputs = !t->seed->is_stem;
    b->values_lane = t->lane == LANE_VALUES;
}

/* A graph output that a later edit consumes may cease to be an output. */
static void hide_anchor(struct attempt *t, const struct edit *e, size_t n_before)
{
    struct graph *g = e->b.g;
    size_t n_kept = t->seed->is_stem ? 0 : t->seed->m->graph->outputs.n, to = n_kept;
    if (g->outputs.n <= n_before || g->outputs.n < 2 || rng_chance(&t->r, 0.3))
        return;
    for (size_t i = n_kept; i < g->outputs.n; i++) {
        if (g->outputs.at[i] != e->at)
            g->outputs.at[to++] = g->outputs.at[i];
    }
    if (to > 0)
        g->outputs.n = to;
}

static void log_edit(struct attempt *t, const struct mutation_operator *op, const struct edit *e,
                     struct str at, struct str near)
{
    strbuf_printf(&t->edits, "%s %s at=" STR_FMT " near=" STR_FMT " bucket=%s", op->id, op->name,
                  STR_ARG(at), STR_ARG(near), e->bucket ? e->bucket : "-");
    if (e->b.note_n > 0)
        strbuf_printf(&t->edits, " %.*s", (int)e->b.note_n, e->b.note);
    strbuf_addc(&t->edits, '\n');
}

/* Runs checker and inference on the edited copy. */
static bool is_valid(struct attempt *t, struct model *m)
{
    struct err e = {0};
    if (!model_finish(m, &e) || !check_model(m, &e)) {
        t->g->counts.n_discarded_check++;
        return false;
    }
    if (!infer_model(m, &e) || (t->lane != LANE_SHAPES && !filter__has_no_zero_dim(m)) ||
        model_has_gap(m)) {
        t->g->counts.n_discarded_infer++;
        return false;
    }
    return m->graph->outputs.n > 0;
}

static bool apply(struct attempt *t, const struct mutation_operator *op, struct edit *e)
{
    struct place_weights w;
    struct arena_mark mark = arena_mark(t->a);
    list_places(t, op, e, &w);
    if (w.n == 0) {
        arena_return(t->a, mark);
        return false;
    }
    e->at = w.at[rng_weighted(&t->r, w.weights, w.n)];
    e->wanted = draw_bucket(t, op);
    draw_places(t, &e->b);
    struct str at = op_type_at(e, op->anchor, e->at);
    struct str near = neighbours(e, op->anchor, e->at, t->a);
    size_t n_outputs = e->b.g->outputs.n;
    at = str_of(str_dup(t->a, at));
    bool edited = op->edit(e);
    if (!edited && !e->b.refused)
        return false; /* the edit did not fit here and changed nothing */
    t->g->counts.n_edits++;
    if (!edited) {
        t->g->counts.n_discarded_infer++;
        return false;
    }
    if (op->anchor == ANCHOR_VALUE)
        hide_anchor(t, e, n_outputs);
    if (!is_valid(t, e->b.m))
        return false;
    log_edit(t, op, e, at, near);
    t->preserves = t->preserves && op->preserves;
    return true;
}

static bool edit_once(struct attempt *t)
{
    for (int draws = 0; draws < MUTATE_DRAWS; draws++) {
        const struct mutation_operator *op = draw_operator(t);
        struct edit e = {.is_stem = t->seed->is_stem};
        if (!op)
            return false;
        struct model *copy = model_copy(t->m, t->a);
        struct graph_uses uses = graph_uses(copy->graph, t->a);
        builder__init(&e.b, copy, &t->r);
        e.uses = &uses;
        if (seed__caches(t->seed, t->style)) {
            e.reference = &t->seed->values[t->style];
            e.reference_of = t->seed->m;
        }
        if (apply(t, op, &e)) {
            t->m = copy;
            return true;
        }
    }
    return false;
}

/* Seeds and lanes. */

static enum lane draw_lane(struct mutator *g, struct rng *r)
{
    uint64_t roll = rng_below(r, 100);
    enum lane lane = roll < SHAPES_PERCENT                    ? LANE_SHAPES
                     : roll < SHAPES_PERCENT + VALUES_PERCENT ? LANE_VALUES
                                                              : LANE_NUMERIC;
    if (g->lanes == 0 || g->lanes & 1u << lane)
        return lane;
    for (unsigned i = 0; i < LANE_COUNT; i++) {
        if (g->lanes & 1u << i)
            return (enum lane)i;
    }
    return lane;
}

static const struct seed *draw_stem(struct attempt *t)
{
    struct seed *s = arena_new(t->a, struct seed);
    struct err e = {0};
    *s = (struct seed){.name = "stem", .is_stem = true};
    s->m = seed__stem(&t->r, t->lane == LANE_SHAPES, t->a);
    if (!model_finish(s->m, &e))
        return NULL;
    s->content = model_hash(s->m);
    return s;
}

static const struct seed *draw_operator_model(struct attempt *t)
{
    size_t n;
    struct err e = {0};
    const struct layer_builder *list = layer__list(&n);
    const char *op_type = list[rng_below(&t->r, n)].op_type;
    struct zoo_options o = {seed__draw_operator_opset(&t->r, op_type), rng_u64(&t->r)};
    struct seed *s = arena_new(t->a, struct seed);
    struct model *m;
    if (!zoo_vary_operator(op_type, &o, t->a, &m, &e) || !filter__has_no_zero_dim(m))
        return NULL;
    *s = (struct seed){.name = op_type, .m = m, .is_stem = true};
    s->content = model_hash(m);
    return s;
}

/* A seed with a dim of 0: from the zoo, from the user, or of one operator. */
static const struct seed *draw_emptied(struct attempt *t)
{
    const struct seed *of = t->g->own_seeds && rng_chance(&t->r, 0.5)
                                ? draw_operator_model(t)
                                : t->g->seeds.at[rng_below(&t->r, t->g->seeds.n)];
    struct seed *s = arena_new(t->a, struct seed);
    if (!of)
        return NULL;
    *s = (struct seed){.name = of->name, .is_stem = true};
    s->m = seed__emptied(of->m, &t->r, t->a);
    if (!s->m)
        return NULL;
    s->content = model_hash(s->m);
    return s;
}

static const struct seed *draw_seed(struct attempt *t)
{
    uint64_t roll = rng_below(&t->r, 100);
    if (t->lane == LANE_SHAPES) {
        const struct seed *s = NULL;
        unsigned tries = t->g->own_seeds && roll >= EMPTIED_PERCENT ? 0 : EMPTIED_TRIES;
        while (!s && tries-- > 0)
            s = draw_emptied(t);
        if (s || t->g->own_seeds)
            return s ? s : draw_stem(t);
        return t->g->seeds.at[rng_below(&t->r, t->g->seeds.n)];
    }
    if (t->g->own_seeds && roll < STEM_PERCENT)
        return draw_stem(t);
    if (t->g->own_seeds && roll < STEM_PERCENT + OPERATOR_PERCENT)
        return draw_operator_model(t);
    return t->g->seeds.at[rng_below(&t->r, t->g->seeds.n)];
}

static unsigned draw_order(struct attempt *t)
{
    unsigned n = 1;
    while (n < ORDER_MAX && rng_chance(&t->r, t->seed->is_stem ? 0.6 : 0.5))
        n++;
    return n;
}

/* Adds a second size to a model with symbolic dims, if the reference can run it. */
static void add_second_size(struct attempt *t, struct tcase *c)
{
    const struct graph *g = t->m->graph;
    struct tensors *sets;
    struct eval_result *values;
    struct err e = {0};
    bool dynamic = false;
    for (size_t i = 0; i < g->inputs.n; i++)
        dynamic |= !shape_is_static(&g->values.at[g->inputs.at[i]].shape);
    if (!dynamic)
        return;
    sets = arena_new_array(t->a, struct tensors, 2);
    values = arena_new_array(t->a, struct eval_result, 2);
    sets[0] = c->input_sets[0];
    values[0] = c->reference[0];
    struct input_options o = {t->style, 3};
    struct eval_options eval = {0};
    if (!inputs_generate(t->m, &o, &t->r, t->a, &sets[1], &e) ||
        !eval_run(t->m, &sets[1], &eval, t->a, &values[1], &e))
        return;
    c->input_sets = sets;
    c->reference = values;
    c->n_input_sets = 2;
}

static struct tcase *make_case(struct attempt *t, const struct filter *filter, uint64_t index)
{
    struct tcase *c = arena_new(t->a, struct tcase);
    struct tensors *inputs = arena_new(t->a, struct tensors);
    struct eval_result *reference = arena_new(t->a, struct eval_result);
    *inputs = filter->inputs;
    *reference = filter->result;
    c->kind = CASE_GRAPH;
    c->graph = t->m;
    c->input_sets = inputs;
    c->n_input_sets = 1;
    c->reference = reference;
    c->lane = t->lane;
    c->preserves_function = filter->preserves && !t->seed->is_stem;
    c->parent = c->preserves_function ? t->seed->m : NULL;
    c->from = (struct provenance){.generator = "mutate",
                                  .version = MUTATE_VERSION,
                                  .seed = t->g->seed,
                                  .index = index,
                                  .parent = t->seed->content,
                                  .edits = strbuf_dup(&t->edits, t->a)};
    if (t->lane == LANE_NUMERIC)
        add_second_size(t, c);
    case_seal(c);
    return c;
}

static struct tcase *try_once(struct attempt *t, uint64_t index)
{
    unsigned n_edits = 0, order;
    t->lane = draw_lane(t->g, &t->r);
    t->style = t->lane == LANE_VALUES   ? INPUT_CORNER
               : rng_chance(&t->r, 0.5) ? INPUT_GRID
                                        : INPUT_NORMAL;
    t->seed = draw_seed(t);
    if (!t->seed)
        return NULL;
    if (t->lane == LANE_SHAPES && !t->seed->is_stem)
        t->lane = LANE_NUMERIC; /* no dim of the seed could be 0 */
    t->m = t->seed->m;
    t->preserves = true;
    order = draw_order(t);
    strbuf_printf(&t->edits, "seed=%s\n", t->seed->name);
    for (unsigned i = 0; i < order; i++)
        n_edits += edit_once(t);
    if (n_edits == 0)
        return NULL;
    struct filter filter = {.seed = t->seed,
                            .m = t->m,
                            .lane = t->lane,
                            .style = t->style,
                            .preserves = t->preserves,
                            .r = &t->r,
                            .a = t->a,
                            .counts = &t->g->counts};
    return filter__pass(&filter) ? make_case(t, &filter, index) : NULL;
}

static bool mutate_next(struct generator *base, uint64_t index, struct arena *a, struct tcase **out,
                        struct err *e)
{
    struct mutator *g = (struct mutator *)base;
    struct rng r;
    (void)e;
    rng_init(&r, g->seed, RNG_CASE, index);
    *out = NULL;
    for (int i = 0; i < MUTATE_RETRIES && !*out; i++) {
        struct arena_mark mark = arena_mark(a);
        struct attempt t = {.g = g, .a = a, .epoch = index / GENERATE_EPOCH};
        t.r = rng_split(&r);
        *out = try_once(&t, index);
        strbuf_done(&t.edits);
        if (!*out)
            arena_return(a, mark);
    }
    if (*out)
        g->counts.n_emitted++;
    else
        g->counts.n_gave_up++;
    return true;
}

static void mutate_learn(struct generator *base, const struct learned *l)
{
    ((struct mutator *)base)->learned = l;
}

static void mutate_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct mutator *)base)->counts;
}

static void mutate_close(struct generator *base)
{
    struct mutator *g = (struct mutator *)base;
    arena_done(&g->a);
    free(g);
}

/* The models op:NAME are drawn; if the reference cannot evaluate one, such as a GridSample of int8,
 * another is drawn. */
static bool load_seed(struct mutator *g, const char *name, struct seed *s, struct err *e)
{
    bool is_drawn = str_starts(str_of(name), STR("op:"));
    for (uint64_t i = 0; i < (is_drawn ? SEED_DRAWS : 1); i++) {
        struct zoo_options o = {0, g->seed + i};
        struct model *m;
        if (seed_model_load(name, &o, &g->a, &m, e) && seed__prepare(s, name, m, g->seed, &g->a, e))
            return true;
    }
    return false;
}

static bool add_seed(void *ctx, const char *name, struct err *e)
{
    struct mutator *g = ctx;
    struct seed *s = arena_new(&g->a, struct seed);
    if (strcmp(name, "stem") == 0) {
        g->own_seeds = true;
        return true;
    }
    if (!load_seed(g, name, s, e))
        return false;
    vec_push(&g->seeds, &g->a, s);
    return true;
}

/* Adds the zoo's models that this build can evaluate; a missing operator is no error here. */
static void add_zoo(struct mutator *g)
{
    size_t n;
    const struct zoo_row *rows = zoo_list(&n);
    for (size_t i = 0; i < n; i++) {
        struct err e = {0};
        struct arena_mark mark = arena_mark(&g->a);
        size_t before = g->seeds.n;
        if (!add_seed(g, rows[i].name, &e) && g->seeds.n == before && g->seeds.cap > before)
            arena_return(&g->a, mark);
    }
}

static bool unknown_operator(const char *name, struct arena *a, struct err *e)
{
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    const char **known = arena_new_array(a, const char *, n);
    for (size_t i = 0; i < n; i++)
        known[i] = list[i].id;
    return err_set(e, ERR_USAGE, "no mutation operator \"%s\"%s", name,
                   str_known(str_of(name), known, n, a));
}

static bool choose_operators(struct mutator *g, const struct generate_options *o, struct err *e)
{
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    for (size_t i = 0; i < n; i++)
        g->on[i] = o->n_operators == 0;
    for (size_t i = 0; i < o->n_operators; i++) {
        const struct mutation_operator *op = operator__find(str_of(o->operators[i]));
        if (!op)
            return unknown_operator(o->operators[i], &g->a, e);
        g->on[op - list] = true;
    }
    return true;
}

static bool choose_strategy(const char *name, const struct strategy **out, struct err *e)
{
    size_t n;
    const struct strategy *list = strategy__list(&n);
    const char *known[8];
    struct arena a;
    for (size_t i = 0; i < MIN(n, COUNT_OF(known)); i++)
        known[i] = list[i].name;
    *out = strategy__find(str_of(name));
    if (*out)
        return true;
    arena_init(&a);
    err_set(e, ERR_USAGE, "the generator mutate has no strategy \"%s\"%s", name,
            str_known(str_of(name), known, MIN(n, COUNT_OF(known)), &a));
    arena_done(&a);
    return false;
}

static bool mutate_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    const struct strategy *strategy;
    if (!choose_strategy(o->strategy ? o->strategy : "assay", &strategy, e))
        return false;
    struct mutator *g = mem_alloc(sizeof *g);
    *g = (struct mutator){
        .base = {&mutate_generator}, .seed = o->seed, .lanes = o->lanes, .strategy = strategy};
    arena_init(&g->a);
    bool ok = choose_operators(g, o, e);
    if (ok && !o->seed_models) {
        g->own_seeds = true;
        vec_reserve(&g->seeds, &g->a, 64);
        add_zoo(g);
    }
    ok = ok && generate_add_models(o, add_seed, g, e);
    if (ok && g->seeds.n == 0 && !(ok = add_seed(g, "convnet13", e)))
        err_wrap(e, "no seed model can be evaluated");
    if (!ok) {
        mutate_close(&g->base);
        return false;
    }
    *out = &g->base;
    return true;
}

const struct generator_ops mutate_generator = {
    .name = "mutate",
    .help = "edits seed models by mutation operators; a validity filter and a no-op check discard "
            "the useless ones",
    .version = MUTATE_VERSION,
    .open = mutate_open,
    .next = mutate_next,
    .learn = mutate_learn,
    .counts = mutate_counts,
    .close = mutate_close,
};
