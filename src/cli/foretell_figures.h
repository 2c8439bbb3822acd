/*
 * A changed call that is predicted and run, and the figures over many of them: what was predicted
 * and right, in all and of each kind of change, as JSON and as text.
 *
 *     struct measured m = {0};
 *     struct scored *list = ...;                         // one per trial
 *     measured_add(&m, list, &trial, confidence, right); // confidence 0: abstains
 *     score_predictions(list, &m.figures);
 *     figures_put_counts(&m, &json);                     // into an open object
 */
#ifndef CLI_FORETELL_FIGURES_H
#define CLI_FORETELL_FIGURES_H

#include "generate/foretell/predict.h"
#include "generate/foretell/score.h"

struct trial {
    const struct api_call *seed;
    struct api_call changed;
    struct change change;
    struct call_outcome real, abstract;
    struct str how; /* the abstract outcome was computed; "": not at all */
    double ns_real, ns_abstract;
    struct prediction predictions[PREDICTOR_COUNT];
    const struct api_record *record;
    const struct documented_parameters *documented;
};

bool trial_is_run(const struct trial *t); /* the call neither died nor was left out */

struct measured {
    struct figures figures;
    struct {
        size_t n_population, n_given, n_right;
    } kinds[CHANGE_COUNT];
};

/* Counts a trial that was run; a prediction is appended to the list. confidence 0: none is given.
 */
void measured_add(struct measured *m, struct scored *list, const struct trial *t, double confidence,
                  bool is_right);

double percent(size_t part, size_t whole); /* of nothing: 0 */

void figures_put_counts(const struct measured *m, struct json_out *w);
void figures_put_interval(struct json_out *w, const char *key, double low, double high);
void figures_put_kinds(const struct measured *m, struct json_out *w); /* and the curve */

#endif
