/*
 * Predictions of what a changed call does, with their reliability, which is measured on one half of
 * the operators and tested on the other.
 *
 *     predict_all(&situation, predictions);                      // one per predictor, or abstained
 *     calibration_add(&fit, &situation, predictions, &real);     // operators of one half
 *     double confidence = calibration_best(&fit, kind, predictions, columns, &which);
 *
 * A prediction is right when the outcome is, and for a call that works also the number, type and
 * shape of all results. Source of the split and the measures: ATOC, with measured reliability in
 * place of a model's votes.
 */
#ifndef GENERATE_FORETELL_PREDICT_H
#define GENERATE_FORETELL_PREDICT_H

#include "documents/record.h"
#include "generate/foretell/change.h"

enum predictor {
#define PREDICTOR(id, column, function, help) PREDICTOR_##id,
#include "generate/foretell/predictor.def"
#undef PREDICTOR
    PREDICTOR_COUNT
};

enum predictor_column { COLUMN_DOCUMENTS = 1, COLUMN_FAKE = 2 };

struct situation {
    const struct api_record *record; /* NULL: no document */
    const struct api_call *seed, *changed;
    const struct change *change;
    const struct call_outcome *fake; /* NULL: not run */
};

struct prediction {
    bool is_given;
    enum outcome_kind is; /* OK or RAISED */
    struct leaf leaves[CALL_LEAVES_MAX];
    size_t n_leaves;
};

const char *predictor_name(enum predictor p);
unsigned predictor_column(enum predictor p);

void predict_all(const struct situation *s, struct prediction out[PREDICTOR_COUNT]);

bool prediction_is_right(const struct prediction *p, const struct call_outcome *real);

/* How often a predictor was right: coarse counts by kind of change and prediction; fine counts also
 * by the new value and by whether other predictors agree. */
struct calibration {
    size_t n[PREDICTOR_COUNT][CHANGE_COUNT][2], right[PREDICTOR_COUNT][CHANGE_COUNT][2];
    struct map fine_n, fine_right;
};

void calibration_add(struct calibration *c, const struct situation *s, const struct prediction *all,
                     const struct call_outcome *real, struct arena *a);

/* The most reliable prediction of the columns (a set of enum predictor_column). Returns its
 * reliability: the fine one, shrunk towards the coarse one; 0: all abstain. */
double calibration_best(const struct calibration *c, const struct situation *s,
                        const struct prediction *all, unsigned columns, enum predictor *which);

/* Which half of the operators `op` is in: 0 measures reliability, 1 tests it. */
unsigned predict_half(struct str op);

#endif
