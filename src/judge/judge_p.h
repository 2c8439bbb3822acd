/* Shared by the files of judge/: the state of one judge_case call, and the functions of oracles. */
#ifndef JUDGE_JUDGE_P_H
#define JUDGE_JUDGE_P_H

#include "base/vec.h"
#include "judge/judge.h"

/* One judge_case call. */
struct judging {
    const struct judge_options *o;
    const struct evidence *ev;
    struct arena *a;
    struct judge_counts *counts; /* never NULL */
    VEC(struct verdict) found;
};

#define ORACLE(id, name, is_default, against, run, help) bool run(struct judging *j, struct err *e);
#include "judge/oracles.def"
#undef ORACLE

/* A verdict about x, complete except for decision, measure and place. */
struct verdict judge__verdict(enum oracle o, const struct observation *x);
void judge__add(struct judging *j, struct verdict v);
void judge__count(struct judging *j, enum not_bug n, uint64_t by);

/* Is v the worse verdict of one observation, by decision, then by measure over threshold? */
bool judge__is_worse(const struct verdict *v, const struct verdict *than);

/* The reference of x's input set; NULL when there is none or it is not usable. */
struct reference *judge__reference(const struct judging *j, const struct observation *x);

/* The family whose arithmetic x shows: a converter's result is computed by its runner. */
struct str judge__family(const struct observation *x);

/* Called after the oracles: withdraws blame from converters whose runner is not right on the
 * unconverted model, and drops verdicts about witnesses. */
void judge__settle_converted(struct judging *j);

/* Does the engine say that it lacks something that the case needs? That is never a failure. */
bool judge__is_unsupported(const struct evidence *ev, const struct observation *x);

/* Did the engine's base mode run the same inputs? False when x is of the base mode. */
bool judge__base_passes(const struct judging *j, const struct observation *x);

/* Did the worker measure this run's values? Then the oracle shadow judges them. */
bool judge__is_measured(const struct observation *x);

/* May value oracles look at x: a first repeat of a plain graph, with outputs? */
bool judge__has_outputs(const struct observation *x);

/* Operator ("Conv") and name of the node that makes a value of the top graph; "" for inputs. */
struct place judge__place(const struct model *m, uint32_t value, size_t element);

/* The case's model; NULL: the case is no graph. */
const struct model *judge__model(const struct judging *j);

#endif
