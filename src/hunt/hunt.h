/*
 * The campaign: hands out ranges of case indices to pilots, writes the store, decides which failing
 * keys are reduced and confirmed. It informs a listener and never draws or reports.
 *
 *     struct hunt_options o = {.out = "out", .seed = 42, .seconds = 60, .n_pilots = 2, ...};
 *     struct hunt_end end;
 *     if (!hunt_run(&o, &listener, &end, e)) ...
 *     if (end.interrupted) ...                          // state saved: hunt again with .resume
 *
 * The same seed and n_cases give the same cases and the same bugs, whatever the number of pilots
 * and however often the program was killed and resumed.
 */
#ifndef HUNT_HUNT_H
#define HUNT_HUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "hunt/known.h"
#include "llm/llm.h"
#include "store/store.h"

/* A list of names from the settings. */
struct hunt_names {
    const char *const *at;
    size_t n;
};

/* Settings that decide a campaign's cases: which of them did the user give? */
enum hunt_asked {
    HUNT_ASKED_SEED = 1,
    HUNT_ASKED_STRATEGY = 2,
    HUNT_ASKED_GENERATORS = 4,
    HUNT_ASKED_MODELS = 8,
    HUNT_ASKED_OPERATORS = 16,
    HUNT_ASKED_ORACLES = 32,
    HUNT_ASKED_TARGETS = 64,
    HUNT_ASKED_TO = 128
};

struct hunt_options {
    const char *out;     /* folder of the campaign: store.sqlite and artifacts/ */
    const char *store;   /* database instead of out/store.sqlite; NULL: that */
    const char *home;    /* $ASSAY_HOME: the environments of the targets */
    const char *version; /* of assay, for the campaign's row */
    const char *cpu;     /* vector extensions, with blanks; NULL: those of this machine */

    struct hunt_names generators;  /* none: "mutate" */
    const char *strategy;          /* NULL: "assay" */
    struct hunt_names models;      /* zoo names or files; none: the generator's own */
    struct hunt_names operators;   /* none: all */
    struct hunt_names oracles;     /* none: those that are on by default */
    struct hunt_names targets;     /* "ort", "ort@1.31.1/all"; none: "ort" */
    const char *translate_to;      /* framework that issues are translated to; NULL: "keras" */
    unsigned lanes;                /* bit set of enum lane; 0: the default shares */
    const struct llm_options *llm; /* NULL: no language model. The coordinator queries its url,
                                      pilots read its cassettes */

    uint64_t seed;
    uint64_t n_cases;  /* 0: no limit */
    int64_t seconds;   /* 0: no limit; one of the two limits is needed */
    uint32_t n_pilots; /* 0: one for each core */
    uint64_t max_disk; /* bytes that the folder may take; 0: a tenth of the disk stays free */
    bool resume;       /* continue the newest campaign of the store, with its settings */
    unsigned asked;    /* the settings that the user gave (set of enum hunt_asked); with resume they
                          must agree with those of the campaign */
    bool best_effort;  /* missing sandbox layers are accepted */
    bool no_reduce;    /* for measurements: every failing key becomes a bug, without reduction and
                          confirmation */
    const struct known_list *known; /* known defects, which fail no run; NULL: none */
    bool forget_known; /* bugs of earlier campaigns in the store are reduced and confirmed again */

    /* For tests and benches. program: started as pilots and as engine workers; NULL: the running
     * one. pilot_entry: what a pilot's process runs instead (the descriptor is HUNT_PILOT_FD). */
    const char *program;
    int (*pilot_entry)(void *ctx);
};

/* Counts what a campaign has left open. */
struct hunt_remains {
    size_t n_lost;     /* cases that ended each pilot; --resume runs them again */
    size_t n_waiting;  /* failing keys that wait for their reduction */
    size_t n_given_up; /* failing keys whose reduction ended each pilot; tried on --resume */
    size_t n_unproved; /* failing keys whose failure did not come again */
};

/* Counts over all campaigns of a store. */
bool hunt_remains_of(struct store *s, struct hunt_remains *out, struct err *e);

/* Appends ", 3 failures wait for their reduction, ..."; zeros are left out. */
void hunt_remains_print(const struct hunt_remains *r, struct strbuf *out);

/* All numbers of the screen (campaign.md section 6). Cases and bugs are counted from rows of the
 * store; the rest is the state of this process. */
struct hunt_statistics {
    struct store_campaign campaign;
    struct store_totals totals;
    const char *sandbox;
    int64_t elapsed_ms, limit_ms; /* of all runs of the campaign; limit 0: none */
    uint64_t limit_cases;
    double rate_now,
        rate_mean; /* cases/s over the last 5 s, and since the campaign was last resumed */
    size_t n_bugs_new, n_bugs_known, n_bugs_flaky, n_bugs_ignored;
    size_t n_bugs_in_doubt; /* that need a second opinion */
    size_t n_bugs_named;    /* in the file of known defects; a part of n_bugs_known */
    int64_t last_new_ms;    /* wall clock; 0: none yet */
    uint32_t n_pilots, n_pilots_alive;
    uint32_t n_pilot_restarts, n_worker_restarts;
    uint64_t n_hangs,
        n_presumed_hangs; /* runs that reached their deadline; runs that were stopped before it */
    int64_t hang_ms;      /* worker time of both */
    uint64_t n_queue;     /* case indices handed out and not yet judged */
    uint32_t n_reducing;  /* keys in reduction */
    struct hunt_remains remains;
    uint32_t reducing_from, reducing_to; /* nodes of the newest reduction: before, so far */
    uint32_t n_cells;                 /* of the operator table (generate/reach.h), met by cases */
    uint32_t n_op_types, n_op_dtypes; /* op types seen in cases; each dtype of an op by itself */
    uint32_t n_rewrites;              /* optimiser rewrites seen */
    const struct store_bug *top;      /* gravest bugs */
    size_t n_top;
    bool draining; /* the time is over: work in progress is finished */
};

struct hunt_listener {
    /* Called in order of index, except for cases that were lost before the campaign was resumed. */
    void (*on_case)(void *ctx, const struct store_result *r);
    /* A bug was confirmed, found flaky or in need of a second opinion, or got a better reproducer.
     * folder is absolute. */
    void (*on_bug)(void *ctx, const struct store_bug *bug, const char *folder, bool is_new);
    void (*on_tick)(void *ctx, const struct hunt_statistics *s); /* each second, and at the end */
    void *ctx;
};

struct hunt_end {
    struct hunt_statistics statistics; /* texts live until hunt_end_done */
    struct store_bugs bugs;            /* of this campaign, after known_mark */
    bool interrupted;
    struct arena *arena; /* NULL after hunt_end_done */
};

/* listener may be NULL. ERR_ENVIRONMENT: no target is usable (the message says what to install), or
 * the disk is full or the folder was removed. ERR_IO: the store failed. */
bool hunt_run(const struct hunt_options *o, const struct hunt_listener *listener,
              struct hunt_end *end, struct err *e);
void hunt_end_done(struct hunt_end *end);

struct hunt_pruned {
    size_t n_folders;
    uint64_t n_bytes;
};

/* Removes the folders below out_dir/artifacts that neither a bug nor a later reduction needs.
 * ERR_USAGE: a campaign of the store is running. */
bool hunt_prune(struct store *s, const char *out_dir, struct hunt_pruned *out, struct err *e);

/* What `assay worker pilot` runs: a pilot on this descriptor, until the coordinator closes it. */
bool hunt_pilot(int fd, struct err *e);
enum { HUNT_PILOT_FD = 3 };

#endif
