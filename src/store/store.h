/*
 * struct store: the rows of campaigns in a database, and the folders beside it. One interface to
 * SQLite, an in-memory double for tests, and a wrapper that logs each call.
 *
 *     struct store *s;
 *     if (!store_open("out/store.sqlite", STORE_CREATE, &s, e)) ...
 *     struct store_change changes[] = {
 *         {.kind = STORE_RESULT, .result = &row},
 *         {.kind = STORE_JOB_END, .job_end = &(struct store_job_end){...}},
 *     };
 *     if (!store_commit(s, changes, 2, e)) ...          // all of them, or none
 *     store_close(s);
 *
 * All writes go through store_commit, one transaction per call; a commit that has succeeded
 * survives the death of the process. Rows have natural keys, so writing a row twice changes
 * nothing: a case that runs again after a crash has one result. Numbers on the screen and in
 * reports are queries over rows; there are no counters. Texts of rows that are read live in the
 * caller's arena.
 *
 * Unsigned 64-bit numbers (seeds) are kept as the int64_t of the same bits.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/str.h"

enum { STORE_SCHEMA_VERSION = 7, STORE_BUG_ID_LEN = 10 };

/* A campaign: one `assay hunt`, however often it was stopped and resumed. */
struct store_campaign {
    int64_t id;           /* 1, 2, ... in order of start */
    int64_t seed;         /* bits of the uint64_t */
    struct str generator; /* "mutate" */
    struct str strategy;  /* "assay" */
    struct str settings;  /* JSON: the options that decide the cases; compared on resume */
    struct str version;   /* of assay */
    struct str sandbox;   /* "L0 on, L1 on, L2 off: ..." */
    struct str state;     /* "running", "stopped", "done" */
    struct str owner;     /* the process that runs it now: "host:pid:start"; empty: none */
    int64_t n_cases;      /* limit; 0: none */
    int64_t seconds;      /* limit; 0: none */
    int64_t started_ms;   /* wall clock */
    int64_t used_ms;      /* running time, all resumed runs together */
};

struct store_target {
    int64_t campaign;
    struct str name; /* "ort@1.31.1/all" */
    struct str engine, version, mode, family;
};

/* Kinds: "run" (a range of case indices), "reduce", "confirm", "bisect". States: "ready",
 * "claimed", "done", "known" (there was nothing to do), "dead". */
struct store_job {
    int64_t campaign;
    struct str name; /* unique in its campaign: "run/512", "reduce/3f2a..." */
    struct str kind;
    int64_t case_at, n_cases; /* "run": the range; others: the case it came from, and 1 */
    struct str subject;       /* JSON, by kind: key, folder */
    struct str state;
    struct str owner;
    int64_t lease_ms; /* wall clock when the claim ends */
    int64_t epoch;    /* number of the claim: later claims fence off earlier ones */
    int64_t attempts;
};

/* The result of one case index. A lost one is replaced if the case is run after all. */
struct store_result {
    int64_t campaign, case_at;
    struct hash case_id, content; /* zero when the index made no case */
    struct str kind;              /* "valid", "illegal" (every target rejects it), "none" (the
                                     generator gave up), "unsupported" (no target or the
                                     reference knows it), "lost"
                                     (a pilot died on it) */
    struct str decision; /* of the worst verdict: "pass", "fail", ...; empty without case */
    struct str lane;
    struct str outcomes; /* a line per target: "ort@1.31.1/all ok" */
    struct str ops;      /* op types of the graph with dtypes, sorted: "Add/float Relu/double" */
    struct str rewrites; /* signatures of optimiser rewrites, one per line */
    struct str cells;    /* keys of reach cells that its pilot had not met before, hexadecimal, with
                            blanks */
    struct str keys;     /* provisional strict keys, one per line, in order */
    struct str edits;    /* provenance.edits: what made the case, one edit per line */
    double distance;     /* the largest measure of an oracle over its threshold */
    int64_t n_macs;
    int64_t n_edits, n_discarded, n_noop; /* inside the generator, for this index */
    int64_t wall_ns;
    int64_t at_ms;
};

/* One failing verdict of one case. */
struct store_failure {
    int64_t campaign, case_at;
    struct hash case_id;
    struct str key;    /* strict, provisional */
    struct str target; /* "ort@1.31.1/all" */
    struct str oracle;
    struct str soft_key;
    struct str wrong; /* wrong_kind_name */
    struct str output, op_type;
    double measure, threshold;
    struct str claim;
    struct str folder; /* of the case if it was kept, relative to the store's folder */
    int64_t at_ms;
    struct str ops; /* of the case, as in its result */
};

/* A bucket of failures with one key. k, n and n_failures are queries over runs and failures. */
struct store_bug {
    struct str id; /* first ten hexadecimal digits of the key's SHA-256 */
    struct str key;
    int64_t rule_version; /* of the key's rules */
    int64_t campaign;
    struct str title;
    /* "new", "confirmed", "flaky", "needs-second-opinion", ..., "ignored"; and only for display,
     * never written, "known": named in the project's file (hunt/known.h) */
    struct str state;
    struct str severity, class, oracle, taxonomy;
    struct str engine, version, mode, pass;
    struct str ops; /* op_types of the reduced graph, in order, with spaces */
    struct str dtype;
    int64_t nodes;
    int64_t nodes_before;           /* of the case that was reduced; 0: it was not */
    int64_t reduce_runs, reduce_ms; /* what its reduction cost */
    double measure, threshold;
    double expected, observed; /* at the worst element; NaN: none */
    struct str wrong;
    struct str output, node, op_type;
    int64_t element; /* -1: none */
    int64_t input_set;
    struct str claim, outcome, message;
    struct str first_bad, fixed_in;
    int64_t first_seen_ms;
    int64_t case_at;      /* lowest index that led here; it was found after case_at + 1 cases */
    int64_t from_case_at; /* index from which the reproducer was made */
    struct str from_key;  /* provisional key from which it was made */
    struct str folder;
    struct str merged_into; /* another bug's id, or empty */
    struct str reason;      /* why ignored, or known */
    int64_t expires_ms;     /* end of ignoring; 0: never */
    struct str portable;    /* key that is the same in other releases (judge/bucket.h) */
    struct str old_key;     /* keys that earlier rules gave, one per line */
    struct str detail;      /* of this build: where in the engine's library a crash began */
    struct str traits;      /* of the case, with blanks: "zero-size", "of-seed", ... */
    int64_t k, n;           /* read only: k of n repetitions in fresh processes failed */
    int64_t n_failures;     /* read only */
    int64_t last_seen_ms;   /* read only: time of the newest failure with this bug's keys */
};

/* Traits. of-seed: a seed program shows the bug without any edit; seeds come from issues, so it is
 * probably known. by-design: the optimiser changes values on purpose (share/optimizers). */
#define STORE_TRAIT_SEED "of-seed"
#define STORE_TRAIT_BY_DESIGN "by-design"

/* A provisional key and the bug that its reduction ended in (empty: not reproduced). */
struct store_alias {
    struct str key, bug;
    int64_t campaign, case_at;
    struct str reduced; /* key of the reduced case, which leads to the same bug */
};

/* One repetition of a reproducer: the source of every k/n. Kinds: "quick", "fork", "interpreter",
 * "replay". */
struct store_run {
    struct str bug, kind;
    int64_t at; /* number within its kind and round, from 0 */
    int64_t round;
    int64_t failed; /* 1: it failed with the bug's key */
    struct str key; /* the key seen; empty: it passed */
    struct str target;
    double measure;
    int64_t at_ms;
};

struct store_event {
    int64_t at_ms;
    struct str who, what; /* "user", "ignore" */
    struct str subject;   /* bug id, or "campaign/1" */
    struct str text;
};

struct store_artifact {
    struct hash tree; /* over the sorted (path, SHA-256) of its files */
    struct str kind;  /* "case", "reproducer" */
    struct str folder;
    struct str manifest; /* lines "<sha256> <path>" */
    int64_t n_bytes;
};

/* The coordinator's state after the results of the cases below n_done: a resumed campaign reads it
 * instead of them. */
struct store_snapshot {
    int64_t campaign, n_done;
    struct str state; /* empty: there is none */
};

/* Ends a claim: the job becomes "done" or "dead", or "ready" again. Nothing happens if the job was
 * claimed anew meanwhile (epoch). */
struct store_job_end {
    int64_t campaign;
    struct str name;
    int64_t epoch;
    struct str from; /* the state that the job leaves; empty: "claimed" */
    struct str state;
    struct str note;      /* kept as an event when not empty */
    int64_t add_attempts; /* added to the job's; negative takes back attempts that do not count */
};

enum store_change_kind {
    STORE_CAMPAIGN, /* inserted, or state, owner, limits and used_ms updated */
    STORE_TARGET,   /* this kind and the next: inserted if absent */
    STORE_JOB,
    STORE_RESULT,  /* inserted or replaced */
    STORE_FAILURE, /* this kind and the next two: inserted if absent */
    STORE_ARTIFACT,
    STORE_RUN,
    STORE_EVENT, /* appended */
    STORE_BUG,   /* inserted or replaced, first_seen_ms and the lowest case_at kept */
    STORE_ALIAS, /* this kind and the next: inserted or replaced */
    STORE_SNAPSHOT,
    STORE_JOB_END,
    STORE_CHANGE_COUNT
};

struct store_change {
    enum store_change_kind kind;
    union {
        const struct store_campaign *campaign;
        const struct store_target *target;
        const struct store_job *job;
        const struct store_result *result;
        const struct store_failure *failure;
        const struct store_artifact *artifact;
        const struct store_run *run;
        const struct store_event *event;
        const struct store_bug *bug;
        const struct store_alias *alias;
        const struct store_snapshot *snapshot;
        const struct store_job_end *job_end;
        const void *row;
    };
};

struct store_campaigns {
    struct store_campaign *at;
    size_t n;
};
struct store_targets {
    struct store_target *at;
    size_t n;
};
struct store_jobs {
    struct store_job *at;
    size_t n;
};
struct store_results {
    struct store_result *at;
    size_t n;
};
struct store_failures {
    struct store_failure *at;
    size_t n;
};
struct store_bugs {
    struct store_bug *at;
    size_t n;
};
struct store_aliases {
    struct store_alias *at;
    size_t n;
};
struct store_runs {
    struct store_run *at;
    size_t n;
};
struct store_events {
    struct store_event *at;
    size_t n;
};

/* Which jobs to claim. Expired claims count as ready. */
struct store_claim {
    int64_t campaign;
    struct str owner;
    struct str kind; /* empty: any */
    struct str name; /* only the job of this name; empty: any */
    int64_t now_ms, lease_ms;
    size_t n_most;
};

/* Sums over results. Each query adds the rows after `after` (0: all) and moves it on, so that a
 * screen reads only new rows. */
struct store_totals {
    int64_t after;
    int64_t n_cases, n_valid, n_illegal, n_none, n_unsupported, n_lost;
    int64_t n_failing, n_suspect, n_second_opinion, n_unsure;
    int64_t n_edits, n_discarded, n_noop;
    int64_t last_at_ms;
};

enum store_mode { STORE_READ, STORE_WRITE, STORE_CREATE };

struct store;

struct store_ops {
    const char *name;
    bool (*commit)(struct store *, const struct store_change *, size_t n, struct err *);
    bool (*claim)(struct store *, const struct store_claim *, struct arena *, struct store_jobs *,
                  struct err *);
    bool (*campaigns)(struct store *, struct arena *, struct store_campaigns *, struct err *);
    bool (*targets)(struct store *, int64_t campaign, struct arena *, struct store_targets *,
                    struct err *);
    bool (*jobs)(struct store *, int64_t campaign, struct str state, struct arena *,
                 struct store_jobs *, struct err *);
    bool (*results)(struct store *, int64_t campaign, int64_t from, int64_t to, struct arena *,
                    struct store_results *, struct err *);
    bool (*lost)(struct store *, int64_t campaign, struct arena *, struct store_results *,
                 struct err *);
    bool (*failures)(struct store *, int64_t campaign, struct str bug, size_t n_most,
                     struct arena *, struct store_failures *, struct err *);
    bool (*bugs)(struct store *, struct str id_prefix, struct arena *, struct store_bugs *,
                 struct err *);
    bool (*aliases)(struct store *, int64_t campaign, struct arena *, struct store_aliases *,
                    struct err *);
    bool (*runs)(struct store *, struct str bug, struct arena *, struct store_runs *, struct err *);
    bool (*events)(struct store *, struct str subject, struct arena *, struct store_events *,
                   struct err *);
    bool (*totals)(struct store *, int64_t campaign, struct store_totals *, struct err *);
    bool (*snapshot)(struct store *, int64_t campaign, struct arena *, struct store_snapshot *,
                     struct err *);
    void (*close)(struct store *);
};

/* The first field of each back end's struct. */
struct store {
    const struct store_ops *ops;
};

/* url: an SQLite file, or "sqlite:FILE"; ":memory:" is the double. STORE_READ and STORE_WRITE need
 * an existing store. Messages say whether the file is missing, no store, of another version, locked
 * or not writable, and what to do. */
bool store_open(const char *url, enum store_mode mode, struct store **out, struct err *e);

/* The double: a store in this process's memory. */
struct store *store_new_memory(void);

/* A wrapper that passes each call on and then gives `tell` a line ("commit 64: ok"). Owns inner. */
struct store *store_new_trace(struct store *inner, void (*tell)(void *ctx, const char *line),
                              void *ctx);

void store_close(struct store *s);

bool store_commit(struct store *s, const struct store_change *changes, size_t n, struct err *e);

/* Claims up to n_most jobs for the owner, in order of (case_at, name): adds 1 to epoch and attempts
 * and sets the lease. */
bool store_claim(struct store *s, const struct store_claim *claim, struct arena *a,
                 struct store_jobs *out, struct err *e);

bool store_campaigns(struct store *s, struct arena *a, struct store_campaigns *out, struct err *e);
bool store_targets(struct store *s, int64_t campaign, struct arena *a, struct store_targets *out,
                   struct err *e);

/* Jobs in order of (case_at, name). state empty: all. */
bool store_jobs(struct store *s, int64_t campaign, struct str state, struct arena *a,
                struct store_jobs *out, struct err *e);

/* Results with from <= case_at < to, in order. */
bool store_results(struct store *s, int64_t campaign, int64_t from, int64_t to, struct arena *a,
                   struct store_results *out, struct err *e);

/* Results of kind "lost", in order of case_at. */
bool store_lost(struct store *s, int64_t campaign, struct arena *a, struct store_results *out,
                struct err *e);

/* Failures in order of case_at. bug empty: all of the campaign; else those of all campaigns whose
 * key leads to this bug. n_most 0: no limit. */
bool store_failures(struct store *s, int64_t campaign, struct str bug, size_t n_most,
                    struct arena *a, struct store_failures *out, struct err *e);

/* Bugs by severity, then those without traits before others, then by case_at and id. id_prefix
 * empty: all. */
bool store_bugs(struct store *s, struct str id_prefix, struct arena *a, struct store_bugs *out,
                struct err *e);

/* The bug with this id, or the only one whose id or title begins so. ERR_USAGE: none, or several.
 */
bool store_bug(struct store *s, struct str id, struct arena *a, struct store_bug *out,
               struct err *e);

bool store_aliases(struct store *s, int64_t campaign, struct arena *a, struct store_aliases *out,
                   struct err *e);
bool store_runs(struct store *s, struct str bug, struct arena *a, struct store_runs *out,
                struct err *e);
/* Events in order of writing. subject empty: all. */
bool store_events(struct store *s, struct str subject, struct arena *a, struct store_events *out,
                  struct err *e);
bool store_totals(struct store *s, int64_t campaign, struct store_totals *io, struct err *e);

/* The campaign's last snapshot. */
bool store_snapshot(struct store *s, int64_t campaign, struct arena *a, struct store_snapshot *out,
                    struct err *e);

/* Changes a bug's state for a person: writes the row and an event in one transaction. */
bool store_set_bug_state(struct store *s, const struct store_bug *bug, const char *state,
                         const char *who, const char *why, struct err *e);

/* Rows as JSON objects (columns are keys), for messages between processes, and as copies in an
 * arena. ERR_DATA: a key is missing or of another kind. Not for STORE_JOB_END. */
void store_row_to_json(enum store_change_kind kind, const void *row, struct json_out *w);
bool store_row_from_json(enum store_change_kind kind, const struct json *j, struct arena *a,
                         void *row, struct err *e);
void store_row_copy(enum store_change_kind kind, const void *row, struct arena *a, void *to);
size_t store_row_size(enum store_change_kind kind);

/* Is the bug a defect to be reported and to fail a run? Not if a person ignores it, the project's
 * file of known defects names it, it is flaky or invalid, or it needs a second opinion. */
bool store_bug_counts(const struct store_bug *bug);
bool store_bug_is_known(const struct store_bug *bug);
bool store_bug_needs_opinion(const struct store_bug *bug);

/* Adds the trait unless the bug has it already. */
void store_bug_add_trait(struct store_bug *bug, const char *trait, struct arena *a);

/* The id that belongs to a key. */
struct str store_bug_id(struct str key, struct arena *a);

#endif
