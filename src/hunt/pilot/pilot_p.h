/* The parts of a pilot: its inbox, its generators, the in-flight cases, the rows that they leave.
 */
#ifndef HUNT_PILOT_PILOT_P_H
#define HUNT_PILOT_PILOT_P_H

#include "base/vec.h"
#include "generate/reach.h"
#include "hunt/learning.h"
#include "hunt/message.h"
#include "hunt/runner/runner.h"

/* The most cases in the pool at the same time; fewer while a reduction runs. */
enum { PILOT_INFLIGHT = 8, PILOT_INFLIGHT_BESIDE = 4 };

struct inbox_entry {
    struct arena arena; /* holds the entry and its body */
    enum message_kind kind;
    const struct json *body;
};

/* A case between next() and its rows. */
struct inflight_case {
    struct arena arena;
    bool is_used;
    uint64_t index;
    const struct tcase *c;
    struct submission submission;
    struct judged
        *first; /* the first run's verdicts while a second run is in progress; in the arena */
    struct generate_counts counts; /* what next() did */
    int64_t since_ns;
};

/* The generators of a campaign as one: index i belongs to the (i mod n)-th. */
struct generators {
    struct generator *at[HUNT_GENERATORS_MAX];
    size_t n;
    struct learning learning;
    struct strbuf
        state; /* what was learned before this pilot started: the pieces received so far */
};

struct pilot {
    struct arena arena; /* lives as long as the pilot */
    struct stream *stream;
    VEC(struct inbox_entry *) inbox;
    bool is_closed; /* the coordinator has gone */
    struct strbuf text;
    uint64_t campaign;
    struct hunt_options options;
    bool timeless;
    const char *scratch;
    struct runner runner;
    struct runner second; /* for reductions; opened by the first of them */
    struct generators generators;
    struct inflight_case inflight[PILOT_INFLIGHT];
    struct range range;
    uint64_t next; /* index in the range */
    bool has_range, careful;
    bool in_triage;
    const struct json *skip; /* indices of the range that have rows */
    struct inbox_entry *range_entry;
    struct map saved; /* key -> struct saved_indices * */
    struct reach reach;
    uint64_t *met_at; /* per cell of reach: lowest index sent with it, plus 1; 0: none */
};

/* The lowest indices of a key: their cases are kept, and the coordinator chooses among them. */
struct saved_indices {
    uint64_t at[HUNT_CANDIDATES]; /* sorted */
    size_t n;
};

/* inbox.c */
size_t inbox__on_bytes(void *pilot, struct str bytes);
void inbox__on_close(void *pilot);
/* Reads the START message directly from the descriptor, since there is no loop yet. */
bool inbox__read_start(int fd, struct arena *a, const struct json **body, struct err *e);
/* The first entry that is a reduction (triage) or that is not; NULL: none. */
struct inbox_entry *inbox__take(struct pilot *p, bool triage);
void inbox__free_entry(struct inbox_entry *entry);

/* generators.c */
bool generators__open(struct generators *g, const struct hunt_options *o, struct err *e);
void generators__close(struct generators *g);
/* Take the bodies of the messages STATE and REWARDS. */
bool generators__take_state(struct generators *g, const struct json *body, struct err *e);
bool generators__take_rewards(struct generators *g, const struct json *body, struct err *e);
bool generators__next(struct generators *g, uint64_t index, struct arena *a, struct tcase **out,
                      struct generate_counts *counts, struct err *e);

/* rows.c: the rows that are stored of one index, whether it has a case or not. */
struct case_rows {
    struct store_result result;
    struct store_failure *failures;
    struct store_artifact *artifacts;
    size_t n_failures, n_artifacts;
};
void pilot__describe(struct pilot *p, const struct inflight_case *f, const struct judged *seen,
                     struct arena *a, struct case_rows *out);
/* Writes the case as an artifact if it is one of the first of some key. */
bool pilot__keep_failures(struct pilot *p, const struct inflight_case *f, struct case_rows *rows,
                          struct err *e);
bool pilot__send_rows(struct pilot *p, const struct case_rows *rows, struct err *e);

/* reduction.c: reduces, confirms and answers, on the second runner. */
bool pilot__reduce(struct pilot *p, const struct inbox_entry *entry, struct err *e);

#endif
