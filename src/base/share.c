/* Binary search in a table sorted by path, which tools/embed.cmake writes from share/ and py/. */
#include "base/share.h"

#include "base/share_p.h"

static size_t lower_bound(const char *path)
{
    size_t low = 0, high = share__n_files;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(share__files[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool share_find(const char *path, struct str *out)
{
    size_t at = lower_bound(path);
    if (at == share__n_files || strcmp(share__files[at].path, path) != 0)
        return false;
    *out = share__files[at].bytes;
    return true;
}

bool share_json(const char *path, struct arena *a, const struct json **out, struct err *e)
{
    struct str text;
    return share_find(path, &text) ? json_parse(text, path, a, out, e)
                                   : err_set(e, ERR_INTERNAL, "share/%s is not compiled in", path);
}

const struct share_file *share_list(const char *prefix, size_t *n)
{
    size_t from = lower_bound(prefix), to = from, n_prefix = strlen(prefix);
    while (to < share__n_files && strncmp(share__files[to].path, prefix, n_prefix) == 0)
        to++;
    *n = to - from;
    return &share__files[from];
}
