/* The distance of two feature vectors, and agglomerative clusters. Must not know what a feature
 * came from. */
#include "generate/diffuse/metric.h"

#include <math.h>

#include "base/vec.h"

static double depth_of(struct str name)
{
    double n = name.n > 0;
    for (size_t i = 0; i < name.n; i++)
        n += name.at[i] == '.';
    return n;
}

static double pair_cost(struct str a, struct str b)
{
    double common = 0;
    struct str rest_a = a, rest_b = b, x, y;
    while (str_split(&rest_a, '.', &x) && str_split(&rest_b, '.', &y) && str_eq(x, y))
        common++;
    double da = depth_of(a) - common, db = depth_of(b) - common;
    return da > db ? da : db;
}

/* Least cost of matching rows with columns of a square matrix: the Hungarian method with
 * potentials; rows and columns from 1. */
static double assign(double cost[FEATURE_NAMES_MAX + 1][FEATURE_NAMES_MAX + 1], size_t n)
{
    double u[FEATURE_NAMES_MAX + 1] = {0}, v[FEATURE_NAMES_MAX + 1] = {0}, sum = 0;
    size_t match[FEATURE_NAMES_MAX + 1] = {0}, way[FEATURE_NAMES_MAX + 1] = {0};
    for (size_t i = 1; i <= n; i++) {
        double least[FEATURE_NAMES_MAX + 1];
        bool used[FEATURE_NAMES_MAX + 1] = {false};
        size_t j0 = 0;
        for (size_t j = 0; j <= n; j++)
            least[j] = INFINITY;
        match[0] = i;
        do {
            size_t row = match[j0], next = 0;
            double delta = INFINITY;
            used[j0] = true;
            for (size_t j = 1; j <= n; j++) {
                if (used[j])
                    continue;
                double reduced = cost[row][j] - u[row] - v[j];
                if (reduced < least[j]) {
                    least[j] = reduced;
                    way[j] = j0;
                }
                if (least[j] < delta) {
                    delta = least[j];
                    next = j;
                }
            }
            for (size_t j = 0; j <= n; j++) {
                if (used[j]) {
                    u[match[j]] += delta;
                    v[j] -= delta;
                } else {
                    least[j] -= delta;
                }
            }
            j0 = next;
        } while (match[j0] != 0);
        for (; j0; j0 = way[j0])
            match[j0] = match[way[j0]];
    }
    for (size_t j = 1; j <= n; j++)
        sum += cost[match[j]][j];
    return sum;
}

/* Unmatched names pair with nothing, at their depth. */
static double names_distance(const struct str *a, size_t n_a, const struct str *b, size_t n_b)
{
    double cost[FEATURE_NAMES_MAX + 1][FEATURE_NAMES_MAX + 1];
    size_t n = n_a > n_b ? n_a : n_b;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= n; j++)
            cost[i][j] = i > n_a   ? depth_of(b[j - 1])
                         : j > n_b ? depth_of(a[i - 1])
                                   : pair_cost(a[i - 1], b[j - 1]);
    return n ? assign(cost, n) / (double)n : 0;
}

double features_distance(const struct features *a, const struct features *b)
{
    return (a->category != b->category) + names_distance(a->apis, a->n_apis, b->apis, b->n_apis) +
           names_distance(a->types, a->n_types, b->types, b->n_types);
}

/* ---- clusters */

struct making {
    const double *d; /* n times n */
    size_t n;
    struct arena *a;
    VEC(struct cluster) found;
};

static double link_of(const struct making *m, const struct cluster *a, const struct cluster *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            sum += m->d[a->members[i] * m->n + b->members[j]];
    return sum / (double)(a->n * b->n);
}

static void merge(struct cluster *into, const struct cluster *from)
{
    for (size_t i = 0; i < from->n; i++) {
        size_t at = into->n++;
        for (; at > 0 && into->members[at - 1] > from->members[i]; at--)
            into->members[at] = into->members[at - 1];
        into->members[at] = from->members[i];
    }
}

/* The nearest pair that may still be one; false: none is near enough. */
static bool nearest(const struct making *m, double threshold, size_t *out_a, size_t *out_b)
{
    double best = threshold;
    bool any = false;
    for (size_t i = 0; i < m->found.n; i++)
        for (size_t j = i + 1; j < m->found.n; j++) {
            if (m->found.at[i].n + m->found.at[j].n > CLUSTER_SIZE_MAX)
                continue;
            double d = link_of(m, &m->found.at[i], &m->found.at[j]);
            if (d < best || (!any && d <= best)) {
                best = d;
                any = true;
                *out_a = i;
                *out_b = j;
            }
        }
    return any;
}

/* The nearest other members of whoever is alone: a cluster of two that may overlap with others. */
static void pair_up(struct making *m, struct cluster *single)
{
    uint32_t own = single->members[0], best = own;
    for (uint32_t i = 0; i < m->n; i++)
        if (i != own && (best == own || m->d[own * m->n + i] < m->d[own * m->n + best]))
            best = i;
    if (best != own)
        merge(single, &(struct cluster){{best}, 1});
}

struct clusters clusters_make(const struct features *f, size_t n, double threshold, struct arena *a)
{
    double *d = arena_new_array(a, double, n *n + 1);
    struct making m = {.d = d, .n = n, .a = a};
    size_t x = 0, y = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            d[i * n + j] = i == j ? 0 : features_distance(&f[i], &f[j]);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&m.found, a, (struct cluster){{i}, 1});
    while (nearest(&m, threshold, &x, &y)) {
        merge(&m.found.at[x], &m.found.at[y]);
        m.found.at[y] = vec_last(&m.found);
        m.found.n--;
    }
    for (size_t i = 0; i < m.found.n; i++)
        if (m.found.at[i].n == 1)
            pair_up(&m, &m.found.at[i]);
    return (struct clusters){m.found.at, m.found.n};
}
