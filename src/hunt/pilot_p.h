/* The parts of a pilot: its link to the coordinator, its generators, the cases in flight. */
#ifndef HUNT_PILOT_P_H
#define HUNT_PILOT_P_H

#include "hunt/message_p.h"
#include "hunt/runner_p.h"
#include "hunt/schedule_p.h"

/* Cases in the pool at once; and beside a reduction, which wants its share of the machine. */
enum { PILOT_FLIGHT = 8, PILOT_FLIGHT_BESIDE = 4 };

struct letter {
    struct arena arena; /* holds the letter and its body */
    enum message_kind kind;
    const struct json *body;
};

/* A case between next() and its rows. */
struct flight {
    struct arena arena;
    bool is_used;
    uint64_t index;
    const struct tcase *c;
    struct trip trip;
    struct judged *first; /* the first look, when a second one is on its way; in the arena */
    struct generate_counts counts; /* what next() did */
    int64_t since_ns;
};

/* The generators of a campaign as one: index i belongs to the (i mod n)-th. */
struct generators {
    struct generator *at[16];
    size_t n;
    uint64_t n_applied;         /* rewards of indices 0 .. n_applied-1 are in */
    VEC(struct reward) rewards; /* all that came so far, from index 0 */
};

struct pilot {
    struct arena arena; /* lives as long as the pilot */
    struct stream *stream;
    VEC(struct letter *) inbox;
    bool is_closed; /* the coordinator has gone */
    struct strbuf text;
    uint64_t campaign;
    struct hunt_options options;
    bool timeless;
    const char *scratch;
    struct runner runner;
    struct runner second; /* of reductions; opened with the first one */
    struct generators generators;
    struct flight flights[PILOT_FLIGHT];
    struct range range;
    uint64_t next; /* in the range */
    bool has_range, careful;
    bool in_triage;
    const struct json *skip; /* indices of the range that have rows */
    struct letter *range_letter;
    struct map saved; /* key -> lowest index whose case was kept, + 1 */
};

/* pilot.c: one thing to do for the range; *did false: all of it waits for engines or letters. */
bool pilot__serve(void *pilot, bool *did, struct err *e);

/* generators.c */
bool generators__open(struct generators *g, const struct hunt_options *o, struct err *e);
void generators__close(struct generators *g);
/* Applies the rewards of the first n indices, exactly; opens anew when more were applied. */
bool generators__apply(struct generators *g, const struct hunt_options *o, uint64_t n,
                       struct err *e);
bool generators__next(struct generators *g, uint64_t index, struct arena *a, struct tcase **out,
                      struct generate_counts *counts, struct err *e);

/* pilot_rows.c: what one judged case, or none, leaves in the store. */
struct case_rows {
    struct store_result result;
    struct store_failure *failures;
    struct store_artifact *artifacts;
    size_t n_failures, n_artifacts;
};
void pilot__describe(const struct pilot *p, const struct flight *f, const struct judged *seen,
                     struct arena *a, struct case_rows *out);
/* Keeps the case of keys that were not kept from a lower index. */
bool pilot__keep_failures(struct pilot *p, const struct flight *f, struct case_rows *rows,
                          struct err *e);
bool pilot__send_rows(struct pilot *p, const struct case_rows *rows, struct err *e);

struct runner_options pilot__runner_options(const struct pilot *p);

/* pilot_triage.c */
bool pilot__triage(struct pilot *p, const struct letter *letter, struct err *e);

#endif
