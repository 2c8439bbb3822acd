/*
 * Planted faults: one node of a model is rewritten to do what a wrong kernel or a wrong
 * optimisation would do. The new model goes to the engine, the original to the reference, so that a
 * judge that finds the fault and a localiser that names its node can be counted.
 *
 *     struct plant p = {PLANT_CHANNEL, STR("Conv_7")};
 *     if (plant_fault(m, &p, arena, &faulty, e)) ... // ERR_UNSUPPORTED: it does not apply there
 *
 * A node is named by its first output, a name that cutting and renumbering keep; a model without a
 * node that produces that value is returned unchanged.
 */
#ifndef TESTS_PLANTED_PLANT_H
#define TESTS_PLANTED_PLANT_H

#include "case/observation.h"
#include "onnx/eval.h"
#include "onnx/model.h"

enum plant_kind {
    PLANT_CHANNEL,        /* one channel times 1.05 */
    PLANT_F16,            /* a Cast through float16 */
    PLANT_MIRROR,         /* the kernel of a convolution mirrored */
    PLANT_PAD,            /* pads off by one: one less before, one more after */
    PLANT_AXIS,           /* another axis, if the shape stays the same */
    PLANT_SWAP,           /* inputs swapped, if the shape stays the same */
    PLANT_STALE_CONSTANT, /* a constant input has other elements */
    PLANT_NAN_DROPPED,    /* NaN becomes 0 */
    PLANT_DTYPE,          /* a graph output of another dtype */
    PLANT_COUNT
};
const char *plant_name(enum plant_kind k);

struct plant {
    enum plant_kind kind;
    struct str output; /* first output of the faulty node */
    struct str after; /* a wrong fusion: faulty only where its first input comes from a node of this
                         op_type; empty: always */
};

bool plant_fault(const struct model *m, const struct plant *p, struct arena *a,
                 struct model **faulty, struct err *e);

/* A fake engine: evaluates the model, with the fault p unless NULL, with honest noise of its own
 * (noise seed != 0) and outputs rounded to their declared dtypes. A failure of the evaluator
 * becomes OUTCOME_EXCEPTION. */
struct shim {
    const struct plant *plant;
    uint64_t noise_seed;
    struct target_id target;
};
void shim_run(const struct shim *s, const struct model *m, const struct tensors *inputs,
              struct arena *a, struct observation *out);

/* How much the fault changes the outputs: the largest |faulty - right| / max |right| of any output;
 * INFINITY: a class, dtype or shape changes. */
double plant_effect(const struct model *m, const struct plant *p, const struct tensors *inputs,
                    struct arena *a);

#endif
