/*
 * A bug over the releases of its engine: which of them are tried, and what the answers say about
 * where it came in and where it was fixed. Pure decisions; confirm_folder makes the runs.
 *
 *     n = versions_choose(releases, n, description->least_version, bug.version);
 *     ... one row each ...
 *     struct versions_bounds b = versions_bounds(rows, n, bug.version);
 */
#ifndef HUNT_VERSIONS_H
#define HUNT_VERSIONS_H

#include "hunt/confirm.h"

/* Sorts from old to new. */
void versions_sort(struct str *versions, size_t n);

struct version_row {
    struct str version;
    enum confirm_relation relation;
    uint64_t k, n;   /* k of n runs in fresh processes failed */
    struct str text; /* OTHER: how it fails; CANNOT: why not */
};

/* Sorts the releases from old to new and keeps `own` and the newest release of each minor version,
 * without pre-releases and those older than `least`. Returns how many are kept. */
size_t versions_choose(struct str *releases, size_t n, struct str least, struct str own);

/* Where rows, from old to new, say that the bug begins and ends. A release that cannot run the case
 * says nothing. Empty: not known. */
struct versions_bounds {
    struct str first_bad; /* oldest release of the unbroken line of failures that ends in own */
    bool is_oldest;       /* no older release ran: it may have come in before */
    struct str fixed_in;  /* release after own from which on the bug is gone */
    bool is_in_newest;    /* the newest release that ran still shows it */
    bool cannot_run;      /* no release can run the case */
};
struct versions_bounds versions_bounds(const struct version_row *rows, size_t n, struct str own);

#endif
