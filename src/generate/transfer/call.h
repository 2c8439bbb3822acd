/*
 * Calls that are verified to do the same in several frameworks, made on arguments beyond those of
 * the verification. A case is a program of no framework, with one function for each:
 *
 *     x0 = np.array([1.0, 2.0], "float32").reshape((2,))
 *     SYMBOLS = {"torch": "torch.fmax", "jax": "jax.numpy.fmax", "keras": "keras.ops.fmax"}
 *     def call_torch(): ...
 *     def call_jax(): ...
 *
 * Workers run the function of their framework (py/assay_worker/paired_call.py), and the oracle
 * "pairs" compares what they return.
 *
 *     struct call_groups groups;
 *     call_groups_make(&pairs, &targets, arena, &groups, e);
 *     if (call_program_make(&groups, &rng, arena, program, &edits)) ...
 */
#ifndef GENERATE_TRANSFER_CALL_H
#define GENERATE_TRANSFER_CALL_H

#include "align/pairs.h"
#include "base/rng.h"
#include "base/vec.h"
#include "case/case.h"

enum { CALL_SIDES_MAX = 4 };

/* The entry of such a program: workers call ENTRY_FRAMEWORK. */
#define CALL_ENTRY "call"

/* How a framework takes part (the "program" of share/align/sides.json). */
struct call_framework {
    struct str name, family;  /* of frameworks of one family, such as Keras on TensorFlow, one takes
                                 part in a case */
    const struct json *opens; /* lines that import it */
    struct str tensor, dtype; /* Python with %s: a tensor of an array, a dtype of its name */
};

/* What runs the cases, as "jax@0.10.2/jit"; n 0: any framework. */
struct call_targets {
    const char *const *at;
    size_t n;
};

/* The version of the target, if it is of the engine: "0.10.2" of "jax@0.10.2/jit" for "jax". */
bool call_target_is_of(const char *target, struct str engine, struct str *version);

/* An operator with pairs in at least two other families of frameworks: of torch in others, of Keras
 * on other backends. */
struct call_group {
    const struct pair_row *rows[CALL_SIDES_MAX]; /* all of the same symbol of their first side */
    size_t n;
    VEC(const struct call *) seeds; /* calls on which pairs were equal */
};

/* A call on which a verified pair was seen to disagree (`assay align`). */
struct call_recorded {
    const struct pair_row *row;
    const struct call *call;
    struct str text;  /* of the call, as call_print writes it */
    const char *edit; /* that would make such a call of an agreeing one: "extreme"; or "recorded" */
};

/* An edit that documents say gives different results in frameworks (share/align/differences.json).
 */
struct call_difference {
    struct str op, edit; /* "*": all */
};

struct call_groups {
    VEC(struct call_framework) frameworks;
    VEC(struct call_group) list;
    VEC(struct call_difference) documented;
    VEC(struct call_recorded) recorded; /* of operators in the list; none that is documented */
};

/* Only frameworks that are targets take part. */
bool call_groups_make(const struct pair_files *pairs, const struct call_targets *targets,
                      struct arena *a, struct call_groups *out, struct err *e);

/* Draws an operator, a call and its edits. false: the edited call has no form in three frameworks,
 * or the edit is a documented difference. `edits` says what was changed. */
bool call_program_make(const struct call_groups *g, struct rng *r, struct arena *a,
                       struct program *out, struct strbuf *edits);

/* Writes a recorded disagreement as such a program. false: it has no form in three frameworks. */
bool call_program_recorded(const struct call_groups *g, size_t at, struct rng *r, struct arena *a,
                           struct program *out, struct strbuf *edits);

#endif
