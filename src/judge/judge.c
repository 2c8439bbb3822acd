/*
 * judge_case: runs the oracles that are on, in the order of their table, and collects verdicts. An
 * oracle decides alone; verdicts_worst, not this file, ranks their verdicts.
 *
 * Must not know how observations were made. Invariant: a verdict of DECISION_FAIL or
 * DECISION_SECOND_OPINION names an oracle, a kind of wrong and a claim.
 */
#include "judge/judge.h"

#include "judge/compare_p.h"
#include "judge/judge_p.h"

static bool (*const oracles[ORACLE_COUNT])(struct judging *j, struct err *e) = {
#define ORACLE(id, name, is_default, against, run, help) run,
#include "judge/oracles.def"
#undef ORACLE
};

static uint32_t set_of(const struct judge_options *o)
{
    return o->oracles ? o->oracles : oracle_defaults();
}

struct tcase *judge_parent(const struct judge_options *o, const struct tcase *c, struct arena *a)
{
    return oracles_against(set_of(o), AGAINST_PARENT) ? case_of_parent(c, a) : NULL;
}

bool judge_case(const struct judge_options *o, const struct evidence *ev, struct arena *a,
                struct verdicts *out, struct err *e)
{
    struct judge_counts ignored = {0};
    struct judging j = {.o = o, .ev = ev, .a = a, .counts = o->counts ? o->counts : &ignored};
    uint32_t set = set_of(o);
    for (unsigned i = 0; i < ORACLE_COUNT; i++) {
        if ((set & oracle_bit((enum oracle)i)) && !oracles[i](&j, e))
            return err_wrap(e, "oracle %s", oracle_name((enum oracle)i));
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
