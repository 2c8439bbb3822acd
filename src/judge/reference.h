/*
 * struct reference: the float64 evaluator's answer for one input set of a case, and what is known
 * about how far an honest engine may stray from it. Made once per case and input set, passed on to
 * judge, localise and reduce.
 *
 *     struct reference *refs;
 *     if (!reference_make(c, arena, &refs, e)) ...      // c->n_input_sets of them
 *
 * The plain values are there from the start (the generator usually brought them in
 * tcase.reference). Reruns with noise, margins of switches and taint are computed on first need,
 * in the same arena, so a clean case costs one evaluation and one comparison.
 */
#ifndef JUDGE_REFERENCE_H
#define JUDGE_REFERENCE_H

#include "base/arena.h"
#include "base/err.h"
#include "case/case.h"
#include "case/observation.h"

struct noise;    /* private: reruns, margins, taint for one target's arithmetic */
struct ancestry; /* private: facts about what each value is computed from */

struct reference {
    const struct tcase *c;
    const struct model *model; /* of c; NULL: a program, whose reference is not usable */
    uint32_t input_set;
    bool usable;        /* values are filled; otherwise why_not says what the evaluator lacks */
    struct str why_not; /* "Resize: mode cubic is not supported" */
    struct eval_result values; /* of the top graph, without noise */
    struct arena *arena;
    struct noise *noise; /* list, one entry per arithmetic judged so far; NULL: none yet */
    const struct ancestry
        *ancestries[2]; /* per value of the top graph, without and with values; NULL: not yet
                         */
};

/* Makes one reference per input set. A case that the evaluator does not support or cannot afford is
 * no error but leaves usable == false. ERR_DATA: inputs do not fit the graph. */
bool reference_make(const struct tcase *c, struct arena *a, struct reference **out, struct err *e);

/* Makes the reference of one input set (for localisation and tests). */
bool reference_init(struct reference *r, const struct tcase *c, uint32_t input_set, struct arena *a,
                    struct err *e);

/* The value of the i-th graph output; NULL: the reference is not usable or lacks the value. */
const struct value *reference_output(const struct reference *r, uint32_t i);

#endif
