/*
 * TfIdfVectorizer: how often the n-grams of a pool occur in each row, weighted.
 *
 * With skip s an n-gram of a row takes every (s + 1)-th item. It is counted for each s from 0 to
 * max_skip_count; a single item, for which s makes no difference, is counted once.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

enum tfidf_mode { TFIDF_TF, TFIDF_IDF, TFIDF_BOTH };

struct tfidf {
    enum tfidf_mode mode;
    const int64_t *ints, *starts, *indexes;
    const struct str *texts; /* NULL: ints */
    const float *weights;    /* NULL: ones */
    size_t n_pool, n_starts, n_indexes, n_out;
    int64_t shortest, longest, skips;
};

static bool read_mode(const struct kernel *k, enum tfidf_mode *out, struct err *e)
{
    static const char *const names[] = {"TF", "IDF", "TFIDF"};
    struct str mode = node_string(k->n, "mode", STR(""));
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (str_is(mode, names[i])) {
            *out = (enum tfidf_mode)i;
            return true;
        }
    return err_set(e, ERR_DATA, "mode is '" STR_FMT "'", STR_ARG(mode));
}

static bool read_pool(const struct kernel *k, struct tfidf *t, struct err *e)
{
    const struct attr *texts = node_attr(k->n, "pool_strings");
    const struct attr *weights = node_attr(k->n, "weights");
    t->ints = node_ints(k->n, "pool_int64s", &t->n_pool);
    if (texts && texts->kind == ATTR_STRINGS && texts->n) {
        if (t->n_pool)
            return err_set(e, ERR_DATA, "both pool_strings and pool_int64s");
        t->texts = texts->strings;
        t->n_pool = texts->n;
    }
    if (!t->n_pool || (t->texts != NULL) != (k->in[0]->storage == STORAGE_STRING))
        return err_set(e, ERR_DATA, "a pool of %zu for %s", t->n_pool, dtype_name(k->in[0]->dtype));
    t->starts = node_ints(k->n, "ngram_counts", &t->n_starts);
    t->indexes = node_ints(k->n, "ngram_indexes", &t->n_indexes);
    if (weights && weights->kind == ATTR_FLOATS && weights->n) {
        t->weights = weights->floats;
        if (weights->n != t->n_indexes)
            return err_set(e, ERR_DATA, "%zu weights for %zu n-grams", weights->n, t->n_indexes);
    }
    for (size_t i = 0; i < t->n_starts; i++) {
        int64_t last = i + 1 < t->n_starts ? t->starts[i + 1] : (int64_t)t->n_pool;
        if (t->starts[i] < 0 || t->starts[i] > last || (last - t->starts[i]) % (int64_t)(i + 1))
            return err_set(e, ERR_DATA, "ngram_counts %lld to %lld hold no whole %zu-grams",
                           (long long)t->starts[i], (long long)last, i + 1);
    }
    return true;
}

static bool read_tfidf(const struct kernel *k, struct tfidf *t, struct err *e)
{
    *t = (struct tfidf){.shortest = node_int(k->n, "min_gram_length", 0)};
    t->longest = node_int(k->n, "max_gram_length", 0);
    t->skips = node_int(k->n, "max_skip_count", 0);
    if (!read_mode(k, &t->mode, e) || !read_pool(k, t, e))
        return false;
    if (t->shortest < 1 || t->longest < t->shortest || t->skips < 0 || t->skips > INT32_MAX ||
        t->longest > INT32_MAX)
        return err_set(e, ERR_DATA, "n-grams of %lld to %lld, up to %lld skipped",
                       (long long)t->shortest, (long long)t->longest, (long long)t->skips);
    for (size_t i = 0; i < t->n_indexes; i++) {
        if (t->indexes[i] < 0 || t->indexes[i] > INT32_MAX)
            return err_set(e, ERR_DATA, "ngram_indexes holds %lld", (long long)t->indexes[i]);
        t->n_out = MAX(t->n_out, (size_t)t->indexes[i] + 1);
    }
    return t->n_out > 0 || err_set(e, ERR_DATA, "ngram_indexes is empty");
}

/* A row of items, and one n-gram of the pool. */
struct tfidf_row {
    const struct value *x;
    size_t first, n;
};

static bool is_item(const struct tfidf *t, const struct value *x, size_t at, size_t in_pool)
{
    return t->texts ? str_eq(x->s[at], t->texts[in_pool]) : x->i[at] == t->ints[in_pool];
}

static double count_gram(const struct tfidf *t, const struct tfidf_row *row, size_t in_pool,
                         size_t n)
{
    double count = 0;
    for (size_t skip = 0; skip <= (n > 1 ? (size_t)t->skips : 0); skip++) {
        size_t reach = (n - 1) * (skip + 1);
        if (reach >= row->n)
            break;
        for (size_t at = 0; at + reach < row->n; at++) {
            size_t j = 0;
            while (j < n && is_item(t, row->x, row->first + at + j * (skip + 1), in_pool + j))
                j++;
            count += j == n;
        }
    }
    return count;
}

static bool fill_row(const struct tfidf *t, const struct tfidf_row *row, double *y, struct err *e)
{
    size_t gram = 0;
    for (size_t i = 0; i < t->n_starts; i++) {
        size_t n = i + 1, from = (size_t)t->starts[i];
        size_t to = i + 1 < t->n_starts ? (size_t)t->starts[i + 1] : t->n_pool;
        for (size_t at = from; at + n <= to; at += n, gram++) {
            if ((int64_t)n < t->shortest || (int64_t)n > t->longest)
                continue;
            if (gram >= t->n_indexes)
                return err_set(e, ERR_DATA, "more n-grams than ngram_indexes");
            double count = count_gram(t, row, at, n), weight = t->weights ? t->weights[gram] : 1;
            y[t->indexes[gram]] += t->mode == TFIDF_TF    ? count
                                   : t->mode == TFIDF_IDF ? (count > 0) * weight
                                                          : count * weight;
        }
    }
    return true;
}

/* TfIdfVectorizer: X (C) or (N, C) -> (max index + 1) or (N, max index + 1). */
bool kernel__tfidf(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct tfidf t;
    uint64_t n_work;
    if (!read_tfidf(k, &t, e))
        return false;
    if (x->rank < 1 || x->rank > 2)
        return err_set(e, ERR_DATA, "X has rank %u", x->rank);
    bool is_batch = x->rank == 2;
    int64_t dims[] = {is_batch ? x->dims[0] : (int64_t)t.n_out, (int64_t)t.n_out};
    if (CHECKED_MUL((uint64_t)x->n + 1, (uint64_t)t.n_pool * ((uint64_t)t.skips + 1), &n_work))
        n_work = UINT64_MAX;
    if (!kernel__charge(k, n_work, e) || !kernel__output(k, 0, DTYPE_FLOAT, x->rank, dims, e))
        return false;
    size_t n = (size_t)x->dims[x->rank - 1];
    for (size_t i = 0; i < (is_batch ? (size_t)x->dims[0] : 1); i++) {
        struct tfidf_row row = {x, i * n, n};
        if (!fill_row(&t, &row, k->to[0].f + i * t.n_out, e))
            return false;
    }
    return true;
}
