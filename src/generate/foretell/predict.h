/*
 * Predictions of what a changed call does, with their reliability, which is measured on one half of
 * the operators and tested on the other.
 *
 *     predict_all(&situation, predictions);                      // one per predictor, or abstained
 *     calibration_add(&fit, &situation, predictions, &real);     // operators of one half
 *     calibration_fit(&fit, arena);
 *     double confidence = calibration_best(&fit, &situation, predictions, columns, &which);
 *
 * A prediction is right when the outcome is, and for a call that works also the number, type and
 * shape of all results. Source of the split and the measures: ATOC, with measured reliability in
 * place of a model's votes.
 */
#ifndef GENERATE_FORETELL_PREDICT_H
#define GENERATE_FORETELL_PREDICT_H

#include "documents/parameter.h"
#include "documents/record.h"
#include "generate/foretell/change.h"
#include "generate/foretell/confidence.h"

enum predictor {
#define PREDICTOR(id, column, function, help) PREDICTOR_##id,
#include "generate/foretell/predictor.def"
#undef PREDICTOR
    PREDICTOR_COUNT
};

/* TRACED runs the framework's own checks, and is therefore no prediction from documents. */
enum predictor_column { COLUMN_DOCUMENTS = 1, COLUMN_FAKE = 2, COLUMN_TRACED = 4 };

struct situation {
    const struct api_record *record; /* NULL: no document */
    const struct api_call *seed, *changed;
    const struct change *change;
    const struct call_outcome *abstract;            /* NULL: not run */
    const struct call_outcome *seed_abstract;       /* of the seed; NULL: not run */
    struct str how;                                 /* it was computed: "fake", "traced", "model" */
    const struct documented_parameters *documented; /* of the record; NULL: none */
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

/* Does an overload of the record's signatures take the call? Without overloads: false. */
bool predict_takes(const struct api_record *r, const struct api_call *c);
bool predict_has_overloads(const struct api_record *r);

bool prediction_is_right(const struct prediction *p, const struct call_outcome *real);

/* How often a predictor was right, by kind of change and prediction, and the confidence of each set
 * of columns: documents; + FAKE; + TRACED. */
struct calibration {
    size_t n[PREDICTOR_COUNT][CHANGE_COUNT][2], right[PREDICTOR_COUNT][CHANGE_COUNT][2];
    struct confidence of[3];
};

void calibration_add(struct calibration *c, const struct situation *s, const struct prediction *all,
                     const struct call_outcome *real, struct arena *a);

/* After the last calibration_add, before the first calibration_best. */
void calibration_fit(struct calibration *c, struct arena *a);

/* The prediction of the columns (DOCUMENTS, with or without FAKE, with or without TRACED) that is
 * most probably right. Returns how probably; 0: all abstain. */
double calibration_best(const struct calibration *c, const struct situation *s,
                        const struct prediction *all, unsigned columns, enum predictor *which);

/* Which half of the operators `op` is in: 0 measures reliability, 1 tests it. */
unsigned predict_half(struct str op);

#endif
