/* What the files of judge/ share: the state of one judge_case call, and the rows of oracles. */
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

/* A verdict about x, filled but for decision, measure and place. */
struct verdict judge__verdict(enum oracle o, const struct observation *x);
void judge__add(struct judging *j, struct verdict v);
void judge__count(struct judging *j, enum not_bug n, uint64_t by);

/* The worse of two verdicts of one observation: by decision, then by measure over threshold. */
bool judge__is_worse(const struct verdict *v, const struct verdict *than);

/* The reference of x's input set; NULL when there is none or it is not usable. */
struct reference *judge__reference(const struct judging *j, const struct observation *x);

/* The family whose arithmetic x shows: a converter's result is computed by its runner. */
struct str judge__family(const struct observation *x);

/* Whether a verdict may blame x. A converter is blamed only where its runner is right on the
 * unconverted model, and a witness never. After the oracles. */
void judge__settle_converted(struct judging *j);

/* Whether the engine says that it lacks something that the case needs, which is never a failure. */
bool judge__is_unsupported(const struct evidence *ev, const struct observation *x);

/* Did the engine's base mode run the same inputs? Never of the base mode itself. */
bool judge__base_passes(const struct judging *j, const struct observation *x);

/* Did a worker measure the values of this run itself? Then they are for the oracle shadow. */
bool judge__is_measured(const struct observation *x);

/* First repeat, plain graph, outputs there: what value oracles look at. */
bool judge__has_outputs(const struct observation *x);

/* "Conv" of the node behind a value of the top graph, and its name; "" for inputs. */
struct place judge__place(const struct model *m, uint32_t value, size_t element);

/* NULL: the case is no graph. */
const struct model *judge__model(const struct judging *j);

#endif
