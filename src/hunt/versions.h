/*
 * A bug over the releases of its engine: which of them are tried, and what the answers say about
 * where it came in and where it was mended. Pure decisions; what runs it is confirm_folder.
 *
 *     n = versions_choose(releases, n, description->least_version, bug.version);
 *     ... one row each ...
 *     struct versions_bounds b = versions_bounds(rows, n, bug.version);
 */
#ifndef HUNT_VERSIONS_H
#define HUNT_VERSIONS_H

#include "hunt/confirm.h"

/* From old to new. */
void versions_sort(struct str *versions, size_t n);

struct version_row {
    struct str version;
    enum confirm_relation relation;
    uint64_t k, n;   /* runs that failed, of all in fresh processes */
    struct str text; /* RELATION_OTHER, RELATION_CANNOT: how, or why */
};

/* Keeps of the releases, sorted from old to new, the newest of each minor version that is no
 * pre-release and not older than `least`, and `own`; returns how many. */
size_t versions_choose(struct str *releases, size_t n, struct str least, struct str own);

/* Of rows from old to new; a release that cannot run the case says nothing. Empty: not known. */
struct versions_bounds {
    struct str first_bad;   /* oldest release of the unbroken line of failures that ends in own */
    bool is_oldest;         /* no older release ran: it may have come in before */
    struct str fixed_in;    /* the release behind own since which it is gone for good */
    bool is_in_newest;      /* the newest release that ran still shows it */
    bool cannot_run_newest; /* none of the releases ran */
};
struct versions_bounds versions_bounds(const struct version_row *rows, size_t n, struct str own);

#endif
