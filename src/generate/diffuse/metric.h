/*
 * How far two issues are from each other, and clusters of near ones (YANHUI, section 3; generators
 * of assay: docs/diffuse.md).
 *
 *     d = d_category + d_api + d_type
 *
 * d_category is 0 or 1. d_api and d_type are optimal assignments of the two lists of names, where a
 * pair costs what remains of both names below their common prefix (the longer rest, in components),
 * an unmatched name its depth, divided by the larger count. Symmetric, zero for equal features.
 */
#ifndef GENERATE_DIFFUSE_METRIC_H
#define GENERATE_DIFFUSE_METRIC_H

#include "base/arena.h"
#include "base/str.h"

enum { FEATURE_NAMES_MAX = 12, CLUSTER_SIZE_MAX = 5 };
#define CLUSTER_THRESHOLD 6.0

/* C = <category, APIs, types>. Names are dotted. */
struct features {
    unsigned category;
    struct str apis[FEATURE_NAMES_MAX], types[FEATURE_NAMES_MAX];
    size_t n_apis, n_types;
};

double features_distance(const struct features *a, const struct features *b);

/* Indices into the features, ascending; 2 to CLUSTER_SIZE_MAX of them. */
struct cluster {
    uint32_t members[CLUSTER_SIZE_MAX];
    size_t n;
};

struct clusters {
    const struct cluster *at;
    size_t n;
};

/* Average link up to the threshold, then whoever is left alone joins a cluster of its nearest
 * neighbours; they may overlap, and each of two or more is in one at least. Deterministic. */
struct clusters clusters_make(const struct features *f, size_t n, double threshold,
                              struct arena *a);

#endif
