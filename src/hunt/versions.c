/* Decides which releases of an engine are worth a run, and what the answers mean. Must not know how
 * a release is installed or a case is run. A failure of another kind is not the bug. */
#include "hunt/versions.h"

#include <stdlib.h>

#include "target/target.h"

static int compare(const void *a, const void *b)
{
    return target_version_compare(*(const struct str *)a, *(const struct str *)b);
}

void versions_sort(struct str *versions, size_t n)
{
    qsort(versions, n, sizeof *versions, compare);
}

/* "1.20.1": digits and dots. */
static bool is_release(struct str version)
{
    for (size_t i = 0; i < version.n; i++)
        if (version.at[i] != '.' && (version.at[i] < '0' || version.at[i] > '9'))
            return false;
    return version.n > 0;
}

/* "1.20" of "1.20.1". */
static struct str minor_of(struct str version)
{
    size_t first = str_find_byte(version, '.');
    if (first == version.n)
        return version;
    size_t second = str_find_byte(str_sub(version, first + 1, version.n), '.');
    return str_sub(version, 0, first + 1 + second);
}

size_t versions_choose(struct str *releases, size_t n, struct str least, struct str own)
{
    size_t kept = 0;
    versions_sort(releases, n);
    for (size_t i = 0; i < n; i++) {
        bool is_newest = true, is_own = str_eq(releases[i], own);
        for (size_t k = i + 1; k < n && is_newest; k++)
            is_newest =
                !is_release(releases[k]) || !str_eq(minor_of(releases[k]), minor_of(releases[i]));
        if (is_own || (is_release(releases[i]) && is_newest &&
                       target_version_compare(releases[i], least) >= 0))
            releases[kept++] = releases[i];
    }
    return kept;
}

struct versions_bounds versions_bounds(const struct version_row *rows, size_t n, struct str own)
{
    struct versions_bounds b = {.is_oldest = true, .cannot_run = true};
    bool is_behind = false;
    for (size_t i = 0; i < n; i++) {
        const struct version_row *row = &rows[i];
        bool shows = row->relation == RELATION_SAME;
        is_behind |= target_version_compare(row->version, own) > 0;
        if (row->relation == RELATION_CANNOT)
            continue;
        b.cannot_run = false;
        b.is_in_newest = shows;
        if (is_behind) {
            if (shows)
                b.fixed_in = (struct str){0};
            else if (!b.fixed_in.n && row->relation == RELATION_GONE)
                b.fixed_in = row->version;
        } else if (!shows) {
            b.first_bad = (struct str){0};
            b.is_oldest = false;
        } else if (!b.first_bad.n) {
            b.first_bad = row->version;
        }
    }
    return b;
}
