/*
 * `assay docs foretell FRAMEWORK --llm URL`: a language model predicts a sample of the changed
 * calls from documents, several times each, and its figures are printed.
 *
 *     size_t n = foretell_sample(s, trials, n_all);      // trials[0..n): the sample
 *     ...                                                // run them
 *     const struct foretold_by_model m = {s, &docs, trials, n};
 *     if (!foretell_by_model(&m, e)) ...
 */
#ifndef CLI_FORETELL_MODEL_H
#define CLI_FORETELL_MODEL_H

#include "cli/docs_check.h"
#include "cli/foretell_figures.h"

/* The calls that the model is asked about, in equal shares of each kind of change, drawn by --seed
 * from the half of the operators that predictions are tested on. Moves them to the front. */
size_t foretell_sample(const struct settings *s, struct trial *at, size_t n);

struct foretold_by_model {
    const struct settings *s;
    const struct docs *docs;
    const struct trial *at; /* the sample, run */
    size_t n;
};

/* Asks and prints. ERR_DATA: a cassette is replayed and lacks a reply. If a budget is used up, the
 * calls asked so far count. */
bool foretell_by_model(const struct foretold_by_model *m, struct err *e);

#endif
