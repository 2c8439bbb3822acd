/*
 * Localisation: finds the first node that is wrong although its inputs are right, or on which the
 * engine dies or which it refuses in the same way. Each node runs as a separate model on the
 * reference's values. If none fails alone, small connected groups of nodes run, because optimisers
 * fuse nodes. The culprit is confirmed on the whole graph, cut after it.
 *
 * The caller runs cases: its callback runs a batch on the failing target and judges nothing.
 */
#ifndef REDUCE_LOCALISE_H
#define REDUCE_LOCALISE_H

#include "base/err.h"
#include "judge/bucket.h"

/* Fills out[i] with what the target did with input set 0 of cases[i]. Observations may live in the
 * arena. false: the target cannot be run at all. */
struct localise_runner {
    bool (*run)(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                struct observation *out, struct err *e);
    void *ctx;
};

enum { LOCALISE_GROUP_MAX = 12, LOCALISE_RUNS_MAX = 600 };

struct localised {
    bool found;
    bool confirmed; /* the graph cut after the culprit fails too */
    uint32_t node;  /* index in the case's graph: the culprit, or the group's last node */
    struct str name, op_type;
    const uint32_t *group; /* all nodes of the pattern, in order; one for a single node */
    uint32_t n_group;
    struct str pattern;            /* "Pad+MaxPool" */
    const struct verdict *verdict; /* of the small model */
    uint32_t n_runs;
};

/* failing: the key to explain. A part must show its verdict or, for a crash or a refusal, its
 * guard. r: the reference of the verdict's input set. */
bool localise_graph(const struct judge_options *o, struct reference *r, const struct key *failing,
                    const struct localise_runner *runner, struct arena *a, struct localised *out,
                    struct err *e);

#endif
