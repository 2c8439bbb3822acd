/*
 * judge_case: runs the oracles that are on, in the order of their table, and collects verdicts. An
 * oracle decides alone; nothing here weighs one against another (verdicts_worst does).
 *
 * Must not know how observations were made. Invariant: a verdict of DECISION_FAIL or
 * DECISION_SECOND_OPINION names an oracle, a kind of wrong and a claim.
 */
#include "judge/judge.h"

#include <math.h>

#include "judge/compare_p.h"
#include "judge/judge_p.h"

static const struct {
    const char *name, *help;
    bool is_default;
    bool (*run)(struct judging *j, struct err *e);
} oracles[ORACLE_COUNT] = {
#define ORACLE(id, name, is_default, run, help) {name, help, is_default, run},
#include "judge/oracles.def"
#undef ORACLE
};

static const struct {
    const char *name, *meaning;
} not_bugs[NOT_BUG_COUNT] = {
#define NOT_BUG(id, name, meaning) {name, meaning},
#include "judge/not_bug.def"
#undef NOT_BUG
};

const char *oracle_name(enum oracle o)
{
    return o < ORACLE_COUNT ? oracles[o].name : "unknown";
}

const char *oracle_help(enum oracle o)
{
    return o < ORACLE_COUNT ? oracles[o].help : "";
}

bool oracle_find(struct str name, enum oracle *out)
{
    for (unsigned i = 0; i < ORACLE_COUNT; i++) {
        if (str_is(name, oracles[i].name)) {
            *out = (enum oracle)i;
            return true;
        }
    }
    return false;
}

uint32_t oracle_defaults(void)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < ORACLE_COUNT; i++)
        if (oracles[i].is_default)
            set |= oracle_bit((enum oracle)i);
    return set;
}

static bool refuse_oracle(const char *name, struct err *e)
{
    struct arena a;
    const char *known[ORACLE_COUNT];
    arena_init(&a);
    for (unsigned i = 0; i < ORACLE_COUNT; i++)
        known[i] = oracles[i].name;
    err_set(e, ERR_USAGE, "no oracle \"%s\"%s", name,
            str_known(str_of(name), known, ORACLE_COUNT, &a));
    arena_done(&a);
    return false;
}

bool oracle_choose(const char *const *names, size_t n, uint32_t *out, struct err *e)
{
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        enum oracle oracle;
        if (!oracle_find(str_of(names[i]), &oracle))
            return refuse_oracle(names[i], e);
        *out |= oracle_bit(oracle);
    }
    return true;
}

static uint32_t set_of(const struct judge_options *o)
{
    return o->oracles ? o->oracles : oracle_defaults();
}

struct tcase *judge_parent(const struct judge_options *o, const struct tcase *c, struct arena *a)
{
    return set_of(o) & oracle_bit(ORACLE_METAMORPHIC) ? case_of_parent(c, a) : NULL;
}

const char *not_bug_name(enum not_bug n)
{
    return n < NOT_BUG_COUNT ? not_bugs[n].name : "unknown";
}

const char *not_bug_meaning(enum not_bug n)
{
    return n < NOT_BUG_COUNT ? not_bugs[n].meaning : "";
}

struct verdict judge__verdict(enum oracle o, const struct observation *x)
{
    return (struct verdict){.oracle = oracle_name(o),
                            .decision = DECISION_PASS,
                            .target = x->target,
                            .input_set = x->input_set,
                            .place = {.element = SIZE_MAX}};
}

void judge__add(struct judging *j, struct verdict v)
{
    vec_push(&j->found, j->a, v);
}

void judge__count(struct judging *j, enum not_bug n, uint64_t by)
{
    j->counts->of[n] += by;
}

static double excess(const struct verdict *v)
{
    if (v->wrong != WRONG_VALUE && v->wrong != WRONG_NOTHING)
        return INFINITY;
    return v->threshold > 0 ? v->measure / v->threshold : v->measure;
}

bool judge__is_worse(const struct verdict *v, const struct verdict *than)
{
    struct verdict pair[2] = {*than, *v};
    if (v->decision == than->decision)
        return excess(v) > excess(than);
    return verdicts_worst(&(struct verdicts){pair, 2}) == &pair[1];
}

struct reference *judge__reference(const struct judging *j, const struct observation *x)
{
    if (!j->ev->refs || j->ev->c->kind != CASE_GRAPH || x->input_set >= j->ev->c->n_input_sets)
        return NULL;
    struct reference *r = &j->ev->refs[x->input_set];
    return r->usable ? r : NULL;
}

bool judge__has_outputs(const struct observation *x)
{
    return x->outcome == OUTCOME_OK && x->repeat == 0 && x->variant == VARIANT_PLAIN;
}

const struct model *judge__model(const struct judging *j)
{
    return j->ev->c->kind == CASE_GRAPH ? j->ev->c->graph : NULL;
}

struct place judge__place(const struct model *m, uint32_t value, size_t element)
{
    struct place p = {.element = element};
    if (value >= m->graph->values.n)
        return p;
    const struct graph_value *v = &m->graph->values.at[value];
    p.output = v->name;
    if (v->origin == ORIGIN_NODE)
        p.op_type = m->graph->nodes.at[v->origin_at].op_type;
    return p;
}

bool judge_case(const struct judge_options *o, const struct evidence *ev, struct arena *a,
                struct verdicts *out, struct err *e)
{
    struct judge_counts ignored = {0};
    struct judging j = {.o = o, .ev = ev, .a = a, .counts = o->counts ? o->counts : &ignored};
    uint32_t set = set_of(o);
    for (unsigned i = 0; i < ORACLE_COUNT; i++) {
        if ((set & oracle_bit((enum oracle)i)) && !oracles[i].run(&j, e))
            return err_wrap(e, "oracle %s", oracles[i].name);
    }
    judge__settle_converted(&j);
    *out = (struct verdicts){j.found.at, j.found.n};
    return true;
}

bool judge_distance(const struct judge_options *o, struct reference *r, uint32_t value,
                    const struct tensor *seen, const struct target_id *target, struct distance *out,
                    struct err *e)
{
    struct judge_counts ignored = {0};
    struct evidence ev = {.c = r->c, .refs = r};
    struct judging j = {
        .o = o, .ev = &ev, .a = r->arena, .counts = o->counts ? o->counts : &ignored};
    struct sight s = {.ref = r, .value = value, .seen = seen, .target = target};
    struct finding f;
    if (!r->usable)
        return err_set(e, ERR_UNSUPPORTED, "no reference: " STR_FMT, STR_ARG(r->why_not));
    if (!compare__tensor(&j, &s, &f, e))
        return false;
    *out = (struct distance){.error = f.measure,
                             .noise = f.noise,
                             .factor = f.noise > 0 ? f.threshold / f.noise : 0,
                             .element = f.element,
                             .n_unlike = f.n_unlike};
    return true;
}
