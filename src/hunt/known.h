/*
 * Known defects: the file that a project keeps beside its sources, of bugs that it has decided to
 * live with for now. A bug that an entry names is counted and shown but does not fail a run.
 *
 *     [[known]]
 *     key = "3f2a9c0b1e"            # a strict key or a bug's id, or instead of it a pattern:
 *     target = "ort/extended"       # as --target names it: NAME[@VERSION][/MODE]
 *     class = "wrong-result"
 *     ops = "Pad+*"                 # of the reduced graph, as `assay bugs` prints them
 *     version = ">=1.20,<1.33"      # of the engine; optional
 *     reason = "reported upstream"  # needed
 *     expires = "2027-01-31"        # the last day on which it counts, UTC; optional
 *     url = "https://..."           # optional, never fetched
 *
 * In a pattern "*" matches any text, also none; other characters match themselves. Matching is a
 * pure function of entry and row; the caller gives the date.
 *
 *     struct known_list known;
 *     if (!known_read(text, "assay-known.toml", STR("2026-11-22"), arena, &known, e)) ...
 *     known_mark(&known, &bugs);        // rows in memory: state "known", with the entry's reason
 */
#ifndef HUNT_KNOWN_H
#define HUNT_KNOWN_H

#include "store/store.h"

struct known_comparison;

struct known_entry {
    uint32_t line;
    struct str key;                /* exact; empty: a pattern */
    struct str target, class, ops; /* the pattern, of at least one; empty: any */
    const struct known_comparison *version;
    size_t n_version;   /* all must hold; 0: every version */
    struct str reason;  /* followed by the url in brackets */
    struct str expires; /* "2027-01-31"; empty: never */
    bool is_expired;    /* the entry no longer counts */
};

/* {0} is the list without entries. Texts live in the arena of known_read. */
struct known_list {
    const char *file;
    const struct known_entry *at;
    size_t n;
};

enum { KNOWN_BYTES_MAX = 1 << 20 };

/* name: for messages; today: "2026-11-22". The message of ERR_USAGE has file, line, what was
 * expected and what to write. */
bool known_read(struct str text, const char *name, struct str today, struct arena *a,
                struct known_list *out, struct err *e);

/* Does the entry name this bug? Ignores the expiry date and the state of the bug. */
bool known_fits(const struct known_entry *entry, const struct store_bug *bug);

/* Gives the state "known" and the entry's reason to rows that an entry in force names, if the bug
 * is confirmed or flaky; other states, such as ignored or merged, stay. Only for rows that are
 * shown: they are never written back. NULL: no list. */
void known_mark(const struct known_list *known, struct store_bugs *bugs);

#endif
